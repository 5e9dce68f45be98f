#include "posenc/bias/alibi.hpp"

#include "cases.hpp"
#include "sizes.hpp"

namespace posenc::parity {
namespace {

constexpr std::size_t kHeads[] = {1, 2, 3, 5, 8, 12};
constexpr std::int64_t kMaxDistance = 2 * kMaxPosition;

struct FirstDistance {
  const char* name;
  std::int64_t value;
};
constexpr FirstDistance kFirst[] = {
    {"-20", -20},
    {"0", 0},
    {"1", 1},
    {"-3", -3},
    {"-2^24", -(std::int64_t{1} << 24)},
    {"2^31", std::int64_t{1} << 31},
    {"-2^51", -kMaxDistance},
    {"2^51-64", kMaxDistance - 64},
};

Label label_of(const AlibiConfig& config) {
  Label label;
  label("heads", config.heads);
  label("slopes", config.slopes == AlibiSlopes::paper ? "paper" : "checkpoint");
  return label("form", config.form == AlibiForm::causal ? "causal" : "symmetric");
}

AlibiConfig config_of(std::size_t index) {
  return {.heads = turn(kHeads, index),
          .slopes = index / 2 % 2 == 0 ? AlibiSlopes::checkpoint : AlibiSlopes::paper,
          .form = index % 2 == 0 ? AlibiForm::causal : AlibiForm::symmetric};
}

void slopes(Cases& cases) {
  for (const std::size_t heads : sizes_to(68, {71, 96, 112, 128, 1000})) {
    for (const auto rule : {AlibiSlopes::checkpoint, AlibiSlopes::paper}) {
      const AlibiConfig config{.heads = heads, .slopes = rule};
      cases.add(label_of(config), [&](Case& one) { one.result("slopes", Alibi(config).slopes()); });
    }
  }
}

void distances(Cases& cases) {
  std::size_t index = 0;
  for (const std::size_t count : sizes_to(50)) {
    for (const FirstDistance& first : kFirst) {
      for (std::size_t step = 0; step < 2; ++step, ++index) {
        const AlibiConfig config = config_of(index / 2 + step);
        cases.add_stored(label_of(config)("first", first.name)("count", count), [&](Case& one) {
          const Alibi alibi(config);
          one.succeed(alibi.distances(first.value, one.output("out", {config.heads, count})));
        });
      }
    }
  }
}

void bias(Cases& cases) {
  std::size_t index = 0;
  for (const std::size_t keys : sizes_to(36)) {
    for (const Place& place : kPlaces) {
      const AlibiConfig config = config_of(index);
      const std::size_t queries = 1 + index % 5;
      const Place& query_place = index % 3 == 0 ? turn(kPlaces, index / 3) : place;
      const Label label = label_of(config)("queries", queries)("from", query_place.name);
      cases.add_stored(Label(label)("keys", keys)("at", place.name), [&](Case& one) {
        const Positions from = one.positions("queries", query_place, queries);
        const Positions to = one.positions("keys", place, keys);
        const Alibi alibi(config);
        one.succeed(alibi.bias(from, to, one.output("out", {config.heads, queries, keys})));
      });
      ++index;
    }
  }
}

void key_bias(Cases& cases) {
  std::size_t index = 0;
  for (const std::size_t keys : sizes_to(50)) {
    for (const Place& place : kPlaces) {
      const AlibiConfig config = config_of(index++);
      cases.add_stored(label_of(config)("keys", keys)("at", place.name), [&](Case& one) {
        const Positions positions = one.positions("keys", place, keys);
        const Alibi alibi(config);
        one.succeed(alibi.key_bias(positions, one.output("out", {config.heads, keys})));
      });
    }
  }
}

void falcon_key_bias(Cases& cases) {
  std::size_t index = 0;
  for (const std::size_t keys : sizes_to(36)) {
    for (std::size_t step = 0; step < 3; ++step) {
      const AlibiConfig config = config_of(index);
      const Place& place = turn(kPlaces, index++);
      cases.add_stored(label_of(config)("keys", keys)("at", place.name), [&](Case& one) {
        const Positions positions = one.positions("keys", place, keys);
        const Alibi alibi(config);
        one.succeed(alibi.falcon_key_bias(positions, one.output("out", {config.heads, keys})));
      });
    }
  }
}

void slope_gradient(Cases& cases) {
  for (std::size_t index = 0; index < 120; ++index) {
    const AlibiConfig config = config_of(index);
    const Place& place = turn(kPlaces, index / 2);
    const std::size_t queries = 1 + index % 5, keys = 1 + index % 40;
    const Label label = label_of(config)("queries", queries)("keys", keys)("at", place.name);
    cases.add_stored(label, [&](Case& one) {
      const Positions from = one.positions("queries", place, queries);
      const Positions to = one.positions("keys", place, keys);
      const auto gradient = one.input("gradient", {config.heads, queries, keys}, Values::tiny);
      const auto sums = one.output_floats("slopes", {config.heads});
      one.succeed(Alibi(config).slope_gradient(from, to, gradient, sums));
    });
  }
}

/// What only some models have: another steepest slope, heads without a bias, slopes of one's own.
void forms(Cases& cases) {
  for (const std::size_t heads : sizes_to(20, {40, 112})) {
    for (const double steepest : {16.0, 0.5, 100.0}) {
      const AlibiConfig config{
          .heads = heads, .alibi_bias_max = steepest, .alibi_heads = 1 + heads / 2};
      cases.add(label_of(config)("alibi_bias_max", steepest), [&](Case& one) {
        const Alibi alibi(config);
        one.result("slopes", alibi.slopes());
        one.succeed(alibi.distances(-9, one.output("out", {heads, 17})));
      });
    }
  }
}

}  // namespace

std::span<const Verb> alibi_verbs() {
  static constexpr Verb kVerbs[] = {{"alibi.slopes", slopes},
                                    {"alibi.distances", distances},
                                    {"alibi.bias", bias},
                                    {"alibi.key_bias", key_bias},
                                    {"alibi.falcon_key_bias", falcon_key_bias},
                                    {"alibi.slope_gradient", slope_gradient},
                                    {"alibi.forms", forms}};
  return kVerbs;
}

}  // namespace posenc::parity
