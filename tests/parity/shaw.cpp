#include "posenc/relative/shaw.hpp"

#include "cases.hpp"
#include "sizes.hpp"

namespace posenc::parity {
namespace {

struct Setting {
  std::size_t head_dim, value_dim, clip, heads, queries, keys;
  const Place& place;
};

template <class Visit>
void for_each_setting(const Visit& visit) {
  std::size_t index = 0;
  for (const std::size_t size : sizes_to(36, {64, 65, 130})) {
    for (std::size_t step = 0; step < 6; ++step, ++index) {
      const bool wide = step % 2 == 0;
      const Setting setting{.head_dim = wide ? size : 1 + index % 9,
                            .value_dim = wide ? size : 1 + index % 7,
                            .clip = index % 20,
                            .heads = 1 + index % 3,
                            .queries = 1 + index % 4,
                            .keys = wide ? 1 + index % 9 : size,
                            .place = turn(kWholePlaces, index / 2)};
      Label label;
      label("head_dim", setting.head_dim)("value_dim", setting.value_dim)("clip", setting.clip);
      label("heads", setting.heads)("queries", setting.queries)("keys", setting.keys);
      visit(label("at", setting.place.name), setting);
    }
  }
}

Shaw encoding_of(const Setting& setting, Case& one, bool values) {
  const std::size_t rows = 2 * setting.clip + 1;
  ShawConfig config{.head_dim = setting.head_dim,
                    .max_relative_position = setting.clip,
                    .keys = one.input("key_rows", {rows, setting.head_dim}, Values::rare),
                    .value_dim = setting.value_dim};
  if (values) config.values = one.input("value_rows", {rows, setting.value_dim}, Values::rare);
  return Shaw(config);
}

void index(Cases& cases) {
  for_each_setting([&](const Label& label, const Setting& setting) {
    cases.add(label, [&](Case& one) {
      const Shaw shaw = encoding_of(setting, one, false);
      const auto queries = one.positions("queries", setting.place, setting.queries);
      const auto keys = one.positions("keys", setting.place, setting.keys);
      std::vector<std::int32_t> rows(setting.queries * setting.keys);
      one.succeed(shaw.index(queries, keys, rows));
      one.result("rows", std::span<const std::int32_t>(rows));
    });
  });
}

void scores(Cases& cases) {
  for_each_setting([&](const Label& label, const Setting& setting) {
    cases.add_stored(label, [&](Case& one) {
      const Shaw shaw = encoding_of(setting, one, false);
      const auto queries = one.positions("queries", setting.place, setting.queries);
      const auto keys = one.positions("keys", setting.place, setting.keys);
      const auto q =
          one.input("q", {setting.heads, setting.queries, setting.head_dim}, Values::rare);
      const auto out = one.output_floats("out", {setting.heads, setting.queries, setting.keys});
      one.succeed(shaw.scores(q, queries, keys, 0.3, out));
    });
  });
}

void add_values(Cases& cases) {
  for_each_setting([&](const Label& label, const Setting& setting) {
    cases.add_stored(label, [&](Case& one) {
      const Shaw shaw = encoding_of(setting, one, true);
      const auto queries = one.positions("queries", setting.place, setting.queries);
      const auto keys = one.positions("keys", setting.place, setting.keys);
      const auto probabilities =
          one.input("probabilities", {setting.heads, setting.queries, setting.keys}, Values::tiny);
      const auto out =
          one.in_place("out", {setting.heads, setting.queries, setting.value_dim}, Values::tiny);
      one.succeed(shaw.add_values(probabilities, queries, keys, out));
    });
  });
}

}  // namespace

std::span<const Verb> shaw_verbs() {
  static constexpr Verb kVerbs[] = {
      {"shaw.index", index}, {"shaw.scores", scores}, {"shaw.add_values", add_values}};
  return kVerbs;
}

}  // namespace posenc::parity
