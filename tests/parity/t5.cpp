#include "posenc/bias/t5.hpp"

#include <limits>

#include "cases.hpp"
#include "sizes.hpp"

namespace posenc::parity {
namespace {

constexpr std::int64_t kMaxDistances[] = {128, 20, 129, 800, 1000, 4096, 65536, 2147483647};
constexpr std::int64_t kFirst[] = {-20,        0,      1,          -3,           -130,
                                   -(1 << 24), 100000, 5000000000, -kMaxPosition};

Label label_of(const T5Config& config) {
  Label label;
  label("heads", config.heads)("bidirectional", *config.bidirectional ? "yes" : "no");
  return label("num_buckets", config.num_buckets)("max_distance", config.max_distance);
}

/// Every number of buckets with every distance that goes with it.
template <class Visit>
void for_each_config(const Visit& visit) {
  for (const std::size_t buckets : sizes_to(40, {64, 100, 128, 320, 1000})) {
    for (const std::int64_t max_distance : kMaxDistances) {
      for (const bool bidirectional : {true, false}) {
        const T5Config config{.heads = 1,
                              .bidirectional = bidirectional,
                              .num_buckets = buckets,
                              .max_distance = max_distance};
        if (check(config).ok()) visit(config);
      }
    }
  }
}

void thresholds(Cases& cases) {
  for_each_config([&](const T5Config& config) {
    cases.add(label_of(config),
              [&](Case& one) { one.result("thresholds", T5(config).thresholds()); });
  });
}

/// Around every threshold, at the ends of 64 bits, and anywhere.
std::vector<std::int64_t> distances_around(const T5& t5, tests::Generator& generator) {
  std::vector<std::int64_t> distances = {std::numeric_limits<std::int64_t>::min(),
                                         std::numeric_limits<std::int64_t>::min() + 1,
                                         std::numeric_limits<std::int64_t>::max()};
  for (const std::int64_t threshold : t5.thresholds()) {
    for (const std::int64_t step : {-1, 0, 1}) {
      distances.push_back(threshold + step);
      distances.push_back(-threshold + step);
    }
  }
  for (int bits = 1; bits < 63; ++bits) {
    const std::int64_t limit = std::int64_t{1} << bits;
    distances.push_back(generator.between(-limit, limit));
  }
  return distances;
}

void bucket(Cases& cases) {
  for_each_config([&](const T5Config& config) {
    cases.add(label_of(config), [&](Case& one) {
      const T5 t5(config);
      std::vector<std::int64_t> buckets;
      for (const std::int64_t distance : distances_around(t5, one.generator())) {
        buckets.push_back(t5.bucket(distance));
      }
      one.result("buckets", buckets);
    });
  });
}

T5Config config_of(std::size_t index) {
  constexpr std::size_t kBuckets[] = {32, 8, 7, 64, 12, 33};
  return {.heads = 1 + index % 5,
          .bidirectional = index % 2 == 0,
          .num_buckets = turn(kBuckets, index / 2),
          .max_distance = turn(kMaxDistances, index)};
}

/// The config's case with a table; `call(t5, case)`.
template <class Call>
void add_with_table(Cases& cases, const Label& label, T5Config config, const Call& call) {
  if (!check(config).ok()) config.max_distance = 128;
  cases.add_stored(label, [&](Case& one) {
    config.table = one.input("table", {config.num_buckets, config.heads});
    call(T5(config), one);
  });
}

void distances(Cases& cases) {
  std::size_t index = 0;
  for (const std::size_t count : sizes_to(50, {300})) {
    for (const std::int64_t first : kFirst) {
      const T5Config config = config_of(index++);
      const Label label = label_of(config)("first", first)("count", count);
      add_with_table(cases, label, config, [&](const T5& t5, Case& one) {
        one.succeed(t5.distances(first, one.output("out", {config.heads, count})));
      });
    }
  }
}

void bias(Cases& cases) {
  std::size_t index = 0;
  for (const std::size_t keys : sizes_to(36, {300})) {
    for (const Place& place : kWholePlaces) {
      const T5Config config = config_of(index);
      const std::size_t queries = 1 + index % 5;
      const Place& query_place = index % 3 == 0 ? turn(kWholePlaces, index / 3) : place;
      ++index;
      const Label from = label_of(config)("queries", queries)("from", query_place.name);
      const Label label = Label(from)("keys", keys)("at", place.name);
      add_with_table(cases, label, config, [&](const T5& t5, Case& one) {
        const Positions rows = one.positions("queries", query_place, queries);
        const Positions columns = one.positions("keys", place, keys);
        one.succeed(t5.bias(rows, columns, one.output("out", {config.heads, queries, keys})));
      });
    }
  }
}

void table_gradient(Cases& cases) {
  for (std::size_t index = 0; index < 120; ++index) {
    T5Config config = config_of(index);
    if (!check(config).ok()) config.max_distance = 128;
    const Place& place = turn(kWholePlaces, index / 2);
    const std::size_t queries = 1 + index % 5, keys = 1 + index % 40;
    const Label label = label_of(config)("queries", queries)("keys", keys)("at", place.name);
    cases.add_stored(label, [&](Case& one) {
      const Positions rows = one.positions("queries", place, queries);
      const Positions columns = one.positions("keys", place, keys);
      const auto gradient = one.input("gradient", {config.heads, queries, keys}, Values::tiny);
      const auto table = one.output_floats("table", {config.num_buckets, config.heads});
      one.succeed(T5(config).table_gradient(rows, columns, gradient, table));
    });
  }
}

}  // namespace

std::span<const Verb> t5_verbs() {
  static constexpr Verb kVerbs[] = {{"t5.thresholds", thresholds},
                                    {"t5.bucket", bucket},
                                    {"t5.distances", distances},
                                    {"t5.bias", bias},
                                    {"t5.table_gradient", table_gradient}};
  return kVerbs;
}

}  // namespace posenc::parity
