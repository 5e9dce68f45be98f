#include "posenc/relative/pope.hpp"

#include "cases.hpp"
#include "sizes.hpp"

namespace posenc::parity {
namespace {

/// `call(encoding, case, x, positions, out)`
template <class Call>
void for_each_case(Cases& cases, const Call& call) {
  std::size_t index = 0;
  for (const std::size_t head_dim : sizes_to(36, {64, 65, 130})) {
    for (std::size_t step = 0; step < 4; ++step, ++index) {
      const std::size_t heads = 1 + index % 3, rows = 1 + index % 4;
      const bool phases = step % 2 == 0;
      const Place& place = turn(kPlaces, index);
      Label label;
      label("heads", heads)("head_dim", head_dim)("rows", rows)("phases", phases ? "yes" : "no");
      cases.add_stored(label("at", place.name), [&](Case& one) {
        PopeConfig config{.heads = heads, .head_dim = head_dim};
        if (phases) config.delta = one.input("delta", {heads, head_dim}, Values::tiny);
        const Pope pope(config);
        const auto x = one.input("x", {heads, rows, head_dim}, Values::tiny);
        const auto positions = one.positions("positions", place, rows);
        call(pope, one, x, positions, one.output("out", {heads, rows, 2 * head_dim}));
      });
    }
  }
}

void embed_queries(Cases& cases) {
  for_each_case(cases, [](const Pope& pope, Case& one, ConstFloats x, const Positions& positions,
                          Floats out) { one.succeed(pope.embed_queries(x, positions, out)); });
}

void embed_keys(Cases& cases) {
  for_each_case(cases, [](const Pope& pope, Case& one, ConstFloats x, const Positions& positions,
                          Floats out) { one.succeed(pope.embed_keys(x, positions, out)); });
}

}  // namespace

std::span<const Verb> pope_verbs() {
  static constexpr Verb kVerbs[] = {{"pope.embed_queries", embed_queries},
                                    {"pope.embed_keys", embed_keys}};
  return kVerbs;
}

}  // namespace posenc::parity
