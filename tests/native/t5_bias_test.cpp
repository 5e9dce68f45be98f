// The bias of T5: values of the trained table by bucket, as vectors of distances and as matrices.

#include <string>
#include <vector>

#include "helpers.hpp"
#include "posenc/bias/t5.hpp"

namespace posenc {
namespace {

using namespace tests;

/// An encoding with a random table of its own.
struct Trained {
  std::vector<float> table;
  T5 t5;

  Trained(std::size_t heads, bool bidirectional, std::size_t num_buckets = 32,
          std::int64_t max_distance = 128)
      : table(Random(num_buckets).floats(num_buckets * heads)),
        t5({.heads = heads,
            .bidirectional = bidirectional,
            .num_buckets = num_buckets,
            .max_distance = max_distance,
            .table = table}) {}

  float at(std::size_t head, std::int64_t distance) const {
    return table[static_cast<std::size_t>(t5.bucket(distance)) * t5.config().heads + head];
  }
};

std::vector<float> bias_of(const T5& t5, const Positions& queries, const Positions& keys) {
  std::vector<float> out(t5.config().heads * queries.size() * keys.size());
  EXPECT_TRUE(succeeded(t5.bias(queries, keys, out)));
  return out;
}

TEST(T5Bias, DistancesAreTheTablesValuesBitForBit) {
  for (bool bidirectional : {false, true}) {
    for (const auto& [buckets, max_distance] : {std::pair{4, 3}, {5, 9}, {32, 128}, {33, 40}}) {
      const Trained trained(3, bidirectional, static_cast<std::size_t>(buckets), max_distance);
      for (std::int64_t first : {-200, -129, -64, -1, 0, 1, 100}) {
        for (std::size_t count : {0u, 1u, 2u, 33u, 300u}) {
          Guarded out(3 * count, count % 4);
          ASSERT_TRUE(succeeded(trained.t5.distances(first, out.span())));
          std::vector<float> expected;
          for (std::size_t at = 0; at < 3 * count; ++at) {
            const auto step = static_cast<std::int64_t>(at % count);
            expected.push_back(trained.at(at / count, first + step));
          }
          EXPECT_TRUE(same_bits(out.span(), expected)) << buckets << ", from " << first;
        }
      }
    }
  }
}

// max_distance just above the exact buckets leaves buckets without any distance.
TEST(T5Bias, EmptyBucketsAreSkipped) {
  const Trained trained(1, false, 64, 33);
  std::vector<float> out(101);
  ASSERT_TRUE(succeeded(trained.t5.distances(-100, out)));
  for (std::int64_t d = -100; d <= 0; ++d) {
    EXPECT_EQ(out[static_cast<std::size_t>(d + 100)], trained.at(0, d)) << d;
  }
  EXPECT_EQ(trained.t5.bucket(-33), 63);
}

TEST(T5Bias, IsKeyMinusQuery) {
  const Trained trained(2, true);
  const std::vector<float> bias = bias_of(trained.t5, Positions::from(3, 2), Positions::from(0, 6));
  for (std::size_t at = 0; at < bias.size(); ++at) {
    const auto key = static_cast<std::int64_t>(at % 6);
    const auto query = static_cast<std::int64_t>(at / 6 % 2) + 3;
    EXPECT_EQ(bias[at], trained.at(at / 12, key - query));
  }
}

// Kind t5-memory: 8191 values per head describe what a matrix holds 16,777,216 of.
TEST(T5Bias, DistancesAreTheDiagonalsOfTheMatrix) {
  const Trained trained(2, true);
  const std::size_t length = 300, count = 2 * length - 1;
  std::vector<float> vector(2 * count);
  ASSERT_TRUE(succeeded(trained.t5.distances(1 - 300, vector)));
  Guarded bias(2 * length * length, 1);
  const Positions all = Positions::from(0, length);
  ASSERT_TRUE(succeeded(trained.t5.bias(all, all, bias.span())));
  for (std::size_t row = 0; row < 2 * length; ++row) {
    const std::size_t start = row / length * count + length - 1 - row % length;
    ASSERT_TRUE(same_bits(bias.span().subspan(row * length, length),
                          std::span(vector).subspan(start, length)));
  }
}

TEST(T5Bias, DependsOnTheDifferenceOnlyHoweverPositionsAreGiven) {
  const Trained trained(2, true);
  const std::vector<float> here =
      bias_of(trained.t5, Positions::from(2, 9), Positions::from(0, 35));
  for (std::int64_t shift : {1, 1000000, -123}) {
    EXPECT_TRUE(same_bits(
        bias_of(trained.t5, Positions::from(2 + shift, 9), Positions::from(shift, 35)), here));
  }
  std::vector<std::int32_t> queries;
  std::vector<double> keys;
  for (int i = 0; i < 9; ++i) queries.push_back(i + 2);
  for (int i = 0; i < 35; ++i) keys.push_back(i);
  EXPECT_TRUE(same_bits(bias_of(trained.t5, Positions::of(queries), Positions::of(keys)), here));
  EXPECT_TRUE(same_bits(bias_of(trained.t5, Positions::of(queries), Positions::from(0, 35)), here));
}

TEST(T5Bias, CausalFormSharesBucketZeroAfterTheQuery) {
  const Trained trained(1, false);
  const std::vector<float> bias = bias_of(trained.t5, Positions::from(2, 1), Positions::from(0, 6));
  EXPECT_EQ(bias[2], trained.table[0]);
  EXPECT_TRUE(bias[3] == bias[2] && bias[4] == bias[2] && bias[5] == bias[2]);
  EXPECT_EQ(bias[0], trained.table[2]);
}

T5Config good_config() { return {.heads = 4, .bidirectional = true}; }

TEST(T5Rejection, ConfigsOutsideTheirRange) {
  const auto rejected = [](const T5Config& config, Code code, std::string_view field,
                           std::string_view message) {
    expect_failure(check(config), code, field, message);
    expect_failure(make(config).status(), code, field, message);
    EXPECT_THROW(T5{config}, Error);
  };
  T5Config config = good_config();
  config.heads = 0;
  rejected(config, Code::value_range, "heads", "t5: heads must be 1 to 16777216, got 0");
  config = good_config();
  config.bidirectional.reset();
  rejected(config, Code::value_range, "bidirectional",
           "t5: bidirectional must be given: true for encoders, false for decoders");
  config = good_config();
  config.num_buckets = 3;
  rejected(config, Code::value_range, "num_buckets", "t5: num_buckets must be 4 to 65536, got 3");
  config.num_buckets = 65537;
  rejected(config, Code::value_range, "num_buckets",
           "t5: num_buckets must be 4 to 65536, got 65537");
  config.bidirectional = false;
  config.num_buckets = 1;
  rejected(config, Code::value_range, "num_buckets", "t5: num_buckets must be 2 to 65536, got 1");
  config = good_config();
  const std::string distance =
      "t5: max_distance must be above the 8 exact buckets and below 2^31, got ";
  for (std::int64_t value : {std::int64_t{8}, std::int64_t{-1}, std::int64_t{1} << 31}) {
    config.max_distance = value;
    rejected(config, Code::value_range, "max_distance", distance + std::to_string(value));
  }
  config = good_config();
  const std::vector<float> table(127);
  config.table = table;
  rejected(config, Code::shape, "table",
           "t5: table must have num_buckets * heads = 32 * 4 = 128 elements, got 127");
}

TEST(T5Rejection, NothingToWriteIsNoError) {
  const Trained trained(2, true);
  Guarded out(0);
  EXPECT_TRUE(succeeded(trained.t5.distances(0, out.span())));
  EXPECT_TRUE(succeeded(trained.t5.bias(Positions(), Positions::from(0, 3), out.span())));
  EXPECT_TRUE(succeeded(trained.t5.bias(Positions::from(0, 3), Positions(), out.span())));
}

TEST(T5Rejection, WrongCallsWriteNothingAndTheNextOneWorks) {
  Trained trained(2, true);
  Guarded out(12);
  const T5& t5 = trained.t5;
  const Positions two = Positions::from(0, 2), three = Positions::from(0, 3);
  expect_failure(t5.distances(0, out.span().first(5)), Code::shape, "out",
                 "t5: out must have heads * count = 2 * 2 = 4 elements, got 5");
  expect_failure(t5.distances((std::int64_t{1} << 51) - 4, out.span()), Code::position_range,
                 "first",
                 "t5: first must be finite and at most 2251799813685248 in magnitude, got "
                 "2251799813685249");
  expect_failure(t5.bias(two, three, out.span().first(11)), Code::shape, "out",
                 "t5: out must have heads * queries * keys = 2 * 2 * 3 = 12 elements, got 11");
  const std::span<float> inside = std::span(trained.table).subspan(7, 12);
  const std::vector<float> before(inside.begin(), inside.end());
  expect_failure(t5.bias(two, three, inside), Code::overlap, "out",
                 "t5: out must not overlap table");
  expect_failure(t5.distances(0, inside), Code::overlap, "out", "t5: out must not overlap table");
  EXPECT_TRUE(same_bits(inside, before));
  const double fraction[] = {0, 0.5}, nan[] = {0, kNaN};
  expect_failure(t5.bias(Positions::of(fraction), three, out.span()), Code::position_range,
                 "queries", "t5: queries must be whole numbers, got 0.5");
  expect_failure(t5.bias(three, Positions::of(nan), out.span()), Code::position_range, "keys",
                 "t5: keys must be finite and at most 1125899906842624 in magnitude, got nan");
  const T5 without(T5Config{.heads = 2, .bidirectional = true});
  const std::string none =
      "t5: table must have num_buckets * heads = 32 * 2 elements for a bias, got none";
  expect_failure(without.distances(0, out.span()), Code::shape, "table", none);
  expect_failure(without.bias(two, three, out.span()), Code::shape, "table", none);
  EXPECT_TRUE(out.untouched());
  EXPECT_TRUE(succeeded(t5.bias(two, three, out.span())));
}

}  // namespace
}  // namespace posenc
