#include "posenc/relative/deberta.hpp"

#include <string>

#include "bias_helpers.hpp"

namespace posenc {
namespace {

using namespace tests;

Deberta buckets_of(std::size_t buckets, std::size_t most) {
  return Deberta(
      {.heads = 1, .head_dim = 1, .position_buckets = buckets, .max_relative_positions = most});
}

std::vector<float> scores_of(const Deberta& deberta, ConstFloats q, ConstFloats k,
                             const Positions& queries, const Positions& keys) {
  Guarded out(deberta.config().heads * queries.size() * keys.size(), 2);
  EXPECT_TRUE(succeeded(deberta.scores(q, k, queries, keys, out.span())));
  return copy_of(out);
}

// Kind deberta-log-bucket-small.
TEST(Deberta, BucketsOfASmallTable) {
  const int expected[] = {-7, -7, -7, -7, -7, -7, -6, -6, -6, -5, -5, -4, -3, -2, -1, 0,
                          1,  2,  3,  4,  5,  5,  6,  6,  6,  7,  7,  7,  7,  7,  7};
  const Deberta deberta = buckets_of(8, 16);
  for (int distance = -15; distance <= 15; ++distance) {
    EXPECT_EQ(deberta.bucket(distance), expected[distance + 15]) << distance;
  }
}

TEST(Deberta, BucketsAreOddMonotoneAndExactNearby) {
  for (const auto& [buckets, most] : {std::pair{4u, 8u}, {8u, 16u}, {256u, 512u}, {32u, 100000u}}) {
    const Deberta deberta = buckets_of(buckets, most);
    std::int64_t last = 0;
    for (std::int64_t distance = 0; distance < 300000; distance += 1 + distance / 500) {
      const std::int64_t bucket = deberta.bucket(distance);
      EXPECT_EQ(deberta.bucket(-distance), -bucket) << distance;
      EXPECT_GE(bucket, last) << distance;
      if (distance <= static_cast<std::int64_t>(buckets / 2)) {
        EXPECT_EQ(bucket, distance);
      }
      last = bucket;
    }
    EXPECT_EQ(deberta.bucket(static_cast<std::int64_t>(most) - 1),
              static_cast<std::int64_t>(buckets) - 1);
    EXPECT_EQ(deberta.bucket(static_cast<std::int64_t>(most)), static_cast<std::int64_t>(buckets));
  }
}

TEST(Deberta, BucketsFollowTheFormulaAwayFromTies) {
  for (const auto& [buckets, most] : {std::pair{8, 16}, {256, 512}, {50, 1000}}) {
    const Deberta deberta =
        buckets_of(static_cast<std::size_t>(buckets), static_cast<std::size_t>(most));
    const double mid = buckets / 2;
    for (int distance = buckets / 2 + 1; distance < 3 * most; ++distance) {
      const double steps = std::log(distance / mid) / std::log((most - 1) / mid) * (mid - 1);
      if (std::fabs(steps - std::round(steps)) < 1e-9) continue;
      EXPECT_EQ(static_cast<double>(deberta.bucket(distance)), mid + std::ceil(steps)) << distance;
    }
  }
}

TEST(Deberta, AnyDistanceHasABucket) {
  const Deberta with = buckets_of(8, 16);
  const Deberta without = buckets_of(0, 16);
  const std::int64_t least = std::numeric_limits<std::int64_t>::min();
  EXPECT_LT(with.bucket(least), with.bucket(-(std::int64_t{1} << 40)));
  EXPECT_EQ(with.bucket(-(least + 1)), -with.bucket(least + 1));
  EXPECT_EQ(without.bucket(least), least);
  EXPECT_EQ(without.bucket(-17), -17);
}

TEST(Deberta, RelativePositionsAreBucketsOfQueryMinusKey) {
  const Deberta deberta = buckets_of(4, 8);
  std::vector<std::int32_t> out(25);
  ASSERT_TRUE(
      succeeded(deberta.relative_positions(Positions::from(0, 5), Positions::from(0, 5), out)));
  EXPECT_EQ(out, (std::vector<std::int32_t>{0,  -1, -2, -3, -3, 1, 0,  -1, -2, -3, 2, 1, 0,
                                            -1, -2, 3,  2,  1,  0, -1, 3,  3,  2,  1, 0}));
}

TEST(Deberta, ScoresOfTheReference) {
  const float rel[] = {-1.021231f,   0.95148796f,  -1.1760316f,   1.8329182f,
                       0.48399484f,  1.6287127f,   1.0744228f,    1.0965159f,
                       1.154046f,    -0.23822416f, 1.8047621f,    1.448132f,
                       -0.27717277f, -0.34038207f, 0.0045395507f, 1.4751995f};
  const float key_weight[] = {-1.477247f, 1.3850057f, 0.6605885f, 0.118441105f};
  const float key_bias[] = {-0.88794744f, 0.10316408f};
  const float query_weight[] = {1.161284f, 1.0385947f, -1.6820892f, -0.7579795f};
  const float query_bias[] = {-0.3227808f, 0.96322614f};
  const float q[] = {1.0694275f,  -1.2831098f, 1.3287358f, 0.51548976f, -0.91801393f,
                     0.74192536f, -1.2624454f, 1.7770891f, 1.4222289f,  0.50450253f};
  const float k[] = {0.013411821f, 1.1703682f,  1.3099176f,   0.36439526f, -1.4436752f,
                     -1.0748428f,  -1.7747374f, -0.07110627f, 1.5852041f,  -0.6401053f};
  std::vector<double> expected = {
      -2.6986313108844766, 0.3240167003078816,   -0.7665151594313506, 0.7797932346959042,
      2.4793806648596703,  -1.7744125248774791,  -0.3288317924446666, -1.8110123717383135,
      -1.861399529984779,  2.200553720702058,    1.4698585701631042,  1.9249182568689174,
      1.4605701934511524,  -0.15902469558951873, 0.6870703728672573,  0.3830033880744207,
      -0.2911731394615397, 1.2861441585280307,   2.4421599951544235,  1.6688846369816992,
      0.9025089423560808,  2.1856810700343257,   -1.788080701957797,  -3.9243129129822814,
      -0.0292893283681746};
  const Deberta deberta({.heads = 1,
                         .head_dim = 2,
                         .position_buckets = 4,
                         .max_relative_positions = 8,
                         .rel_embeddings = rel,
                         .pos_key = {key_weight, key_bias},
                         .pos_query = {query_weight, query_bias}});
  EXPECT_NEAR(deberta.scale(), 0.4082482904638631, 1e-16);
  for (std::size_t i = 0; i < 25; ++i) {  // attention adds the content
    expected[i] -= deberta.scale() * dot(q, i / 5 * 2, k, i % 5 * 2, 2);
  }
  expect_near(scores_of(deberta, q, k, Positions::from(0, 5), Positions::from(0, 5)), expected,
              0x1p-20);
}

/// A table projected for the heads by the definition, with the projection's own rounding.
std::vector<float> projected(std::span<const float> table, std::span<const float> weight,
                             std::span<const float> bias, std::size_t width) {
  std::vector<float> rows;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const std::size_t column = i % width;
    double sum = bias.empty() ? 0 : static_cast<double>(bias[column]);
    sum += weight.empty() ? static_cast<double>(table[i])
                          : dot(weight, column * width, table, i - column, width);
    rows.push_back(static_cast<float>(sum));
  }
  return rows;
}

TEST(Deberta, ScoresFollowTheDefinitionForEveryTermAndProjection) {
  Random random;
  const std::size_t heads = 2, dim = 5, width = heads * dim, queries = 4, keys = 7, span = 6;
  const std::vector<float> table = random.floats(2 * span * width);
  const std::vector<float> weight = random.floats(width * width), bias = random.floats(width);
  const std::vector<float> q = random.floats(heads * queries * dim);
  const std::vector<float> k = random.floats(heads * keys * dim);
  const Positions rows = Positions::from(20, queries), columns = Positions::from(15, keys);
  for (int choice = 0; choice < 12; ++choice) {
    const bool has_weight = choice % 2 == 0, has_bias = choice / 2 % 2 == 0;
    const DebertaProjection projection{has_weight ? ConstFloats(weight) : ConstFloats(),
                                       has_bias ? ConstFloats(bias) : ConstFloats()};
    const Deberta deberta({.heads = heads,
                           .head_dim = dim,
                           .c2p = choice / 4 != 0,
                           .p2c = choice / 4 != 1,
                           .max_relative_positions = span,
                           .rel_embeddings = table,
                           .pos_key = projection,
                           .pos_query = projection});
    const std::vector<float> rel =
        projected(table, has_weight ? std::span<const float>(weight) : std::span<const float>(),
                  has_bias ? std::span<const float>(bias) : std::span<const float>(), width);
    const std::vector<float> scores = scores_of(deberta, q, k, rows, columns);
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const std::size_t head = i / keys / queries, line = i / keys, key = i % keys;
      const double distance = rows[line % queries] - columns[key];
      const double limit = span;
      const auto row =
          static_cast<std::size_t>(std::min(std::max(distance, -limit), limit - 1) + limit);
      double exact = 0;
      if (deberta.config().c2p) exact += dot(q, line * dim, rel, row * width + head * dim, dim);
      if (deberta.config().p2c) {
        exact += dot(k, (head * keys + key) * dim, rel, row * width + head * dim, dim);
      }
      EXPECT_NEAR(static_cast<double>(scores[i]), exact * deberta.scale(), 0x1p-15)
          << "choice " << choice << ", element " << i;
    }
  }
}

TEST(Deberta, TheTableIsNormalisedWhereTheModelDoes) {
  Random random;
  const std::size_t width = 6, rows = 4;
  const std::vector<float> table = random.floats(rows * width), gain = random.floats(width);
  const std::vector<float> shift = random.floats(width), one = random.floats(width);
  std::vector<float> normal;
  for (std::size_t row = 0; row < rows; ++row) {
    double mean = 0, variance = 0;
    for (std::size_t i = 0; i < width; ++i) mean += static_cast<double>(table[row * width + i]) / 6;
    for (std::size_t i = 0; i < width; ++i) {
      variance += std::pow(static_cast<double>(table[row * width + i]) - mean, 2) / 6;
    }
    for (std::size_t i = 0; i < width; ++i) {
      const double value =
          (static_cast<double>(table[row * width + i]) - mean) / std::sqrt(variance + 1e-3);
      normal.push_back(
          static_cast<float>(value * static_cast<double>(gain[i]) + static_cast<double>(shift[i])));
    }
  }
  DebertaConfig config{
      .heads = 1, .head_dim = width, .max_relative_positions = 2, .rel_embeddings = normal};
  const Positions two = Positions::from(0, 2), single = Positions::from(0, 1);
  std::vector<float> k(2 * width);
  std::ranges::copy(one, k.begin());
  const std::vector<float> expected = scores_of(Deberta(config), one, k, single, two);
  config.rel_embeddings = table;
  config.norm_weight = gain;
  config.norm_bias = shift;
  config.norm_eps = 1e-3;
  const std::vector<float> actual = scores_of(Deberta(config), one, k, single, two);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(actual[i], expected[i], 0x1p-18);
}

TEST(Deberta, DecodingIsTheLastRowOfTheWhole) {
  Random random;
  const std::size_t dim = 7, length = 9;
  const std::vector<float> table = random.floats(2 * 4 * dim);
  const std::vector<float> q = random.floats(length * dim), k = random.floats(length * dim);
  const Deberta deberta({.heads = 1,
                         .head_dim = dim,
                         .position_buckets = 4,
                         .max_relative_positions = 16,
                         .rel_embeddings = table});
  const Positions all = Positions::from(0, length);
  const std::vector<float> whole = scores_of(deberta, q, k, all, all);
  const std::vector<float> last =
      scores_of(deberta, std::span(q).last(dim), k, Positions::from(length - 1, 1), all);
  EXPECT_TRUE(same_bits(last, std::span(whole).last(length)));
}

TEST(Deberta, ShortInputsAreWidened) {
  Random random;
  const std::vector<float> table = random.floats(2 * 3 * 4), values = random.floats(3 * 4);
  const Positions three = Positions::from(0, 3);
  for (StorageType type : kShortTypes) {
    const ShortFloats rel(table, type), x(values, type);
    const std::vector<float> rel_floats = rel.floats(), x_floats = x.floats();
    DebertaConfig config{.heads = 1, .head_dim = 4, .max_relative_positions = 3};
    config.rel_embeddings = rel;
    const std::vector<float> actual = scores_of(Deberta(config), x, x, three, three);
    config.rel_embeddings = rel_floats;
    EXPECT_TRUE(same_bits(actual, scores_of(Deberta(config), x_floats, x_floats, three, three)));
  }
}

TEST(Deberta, VastSequencesWithoutKeysEndAtOnce) {
  const Deberta deberta({.heads = 1, .head_dim = 2, .max_relative_positions = 8});
  EXPECT_TRUE(succeeded(deberta.relative_positions(vast_positions(), Positions(), {})));
  EXPECT_TRUE(succeeded(deberta.relative_positions(Positions(), vast_positions(), {})));
}

}  // namespace
}  // namespace posenc
