#include "posenc/relative/decomposed.hpp"

#include <algorithm>

#include "cases.hpp"
#include "sizes.hpp"

namespace posenc::parity {
namespace {

void scores(Cases& cases) {
  constexpr std::size_t kSides[] = {1, 2, 3, 4, 6};
  std::size_t index = 0;
  for (const std::size_t head_dim : sizes_to(36, {64, 65})) {
    for (std::size_t step = 0; step < 4; ++step, ++index) {
      const bool resized = index % 3 == 0;
      DecomposedConfig config{.query_height = turn(kSides, index),
                              .query_width = turn(kSides, index / 2),
                              .key_height = turn(kSides, index / 3),
                              .key_width = turn(kSides, index / 5),
                              .head_dim = head_dim};
      const std::size_t heads = 1 + index % 3;
      Label label;
      label("head_dim", head_dim)("heads", heads)("query_height", config.query_height);
      label("query_width", config.query_width)("key_height", config.key_height);
      label("key_width", config.key_width)("resized", resized ? "yes" : "no");
      cases.add_stored(label, [&](Case& one) {
        const auto rows = [&](std::size_t query, std::size_t key) {
          return 2 * std::max(query, key) - 1 + (resized ? 4 : 0);
        };
        const std::size_t tall = rows(config.query_height, config.key_height);
        const std::size_t wide = rows(config.query_width, config.key_width);
        config.table_h = one.input("table_h", {tall, head_dim}, Values::rare);
        config.table_w = one.input("table_w", {wide, head_dim}, Values::rare);
        const std::size_t queries = config.query_height * config.query_width;
        const std::size_t keys = config.key_height * config.key_width;
        const auto q = one.input("q", {heads, queries, head_dim}, Values::rare);
        const auto out = one.output_floats("out", {heads, queries, keys});
        one.succeed(Decomposed(config).scores(q, out));
      });
    }
  }
}

}  // namespace

std::span<const Verb> decomposed_verbs() {
  static constexpr Verb kVerbs[] = {{"decomposed.scores", scores}};
  return kVerbs;
}

}  // namespace posenc::parity
