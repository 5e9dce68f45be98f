#include "bias_helpers.hpp"
#include "posenc/bias/t5.hpp"

namespace posenc {
namespace {

using namespace tests;

TEST(T5Gradient, IsTheSumOverThePairsOfEachBucket) {
  Random random;
  const std::size_t heads = 2;
  const Positions queries = Positions::from(500, 7), keys = Positions::from(0, 600);
  const std::vector<float> gradient = random.floats(heads * 7 * 600);
  for (std::size_t buckets : {4u, 32u, 300u, 700u}) {
    const T5 t5(
        {.heads = heads, .bidirectional = true, .num_buckets = buckets, .max_distance = 400});
    std::vector<double> sums(buckets * heads);
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      const auto distance =
          static_cast<std::int64_t>(i % 600) - static_cast<std::int64_t>(500 + i / 600 % 7);
      const auto bucket = static_cast<std::size_t>(t5.bucket(distance));
      sums[bucket * heads + i / 600 / 7] += static_cast<double>(gradient[i]);
    }
    Guarded table(buckets * heads);
    ASSERT_TRUE(succeeded(t5.table_gradient(queries, keys, gradient, table.span())));
    EXPECT_TRUE(same_bits(table.span(), std::vector<float>(sums.begin(), sums.end())));
  }
}

TEST(T5Gradient, IsTheTransposeOfTheBias) {
  Random random;
  const Positions queries = Positions::from(0, 6), keys = Positions::from(0, 6);
  const std::vector<float> table = random.floats(8), gradient = random.floats(36);
  const T5 t5(
      {.heads = 1, .bidirectional = false, .num_buckets = 8, .max_distance = 16, .table = table});
  const std::vector<float> bias = whole_bias(t5, queries, keys);
  Guarded sums(8);
  ASSERT_TRUE(succeeded(t5.table_gradient(queries, keys, gradient, sums.span())));
  EXPECT_NEAR(dot(bias, 0, gradient, 0, 36), dot(table, 0, sums.span(), 0, 8), 1e-5);
}

TEST(T5Gradient, OfNoQueriesIsZero) {
  const T5 t5({.heads = 1, .bidirectional = false, .num_buckets = 2, .max_distance = 2});
  Guarded table(2);
  ASSERT_TRUE(succeeded(t5.table_gradient(Positions(), Positions::from(0, 3), {}, table.span())));
  EXPECT_TRUE(same_bits(table.span(), std::vector<float>(2)));
}

TEST(T5Gradient, VastSequencesWithoutKeysEndAtOnce) {
  const T5 t5({.heads = 1, .bidirectional = true, .num_buckets = 4, .max_distance = 8});
  Guarded table(4);
  EXPECT_TRUE(succeeded(t5.table_gradient(vast_positions(), Positions(), {}, table.span())));
  for (const float value : table.span()) EXPECT_EQ(value, 0);
}

TEST(T5Gradient, WrongCallsWriteNothing) {
  const T5 t5({.heads = 1, .bidirectional = false, .num_buckets = 2, .max_distance = 2});
  const Positions two = Positions::from(0, 2);
  const double half[] = {0, 0.5};
  Guarded memory(6);
  const std::span<float> gradient = memory.span().first(4), table = memory.span().last(2);
  expect_failure(t5.table_gradient(two, two, gradient.first(3), table), Code::shape, "gradient",
                 "t5: gradient must have heads * queries * keys = 1 * 2 * 2 = 4 elements, got 3");
  expect_failure(t5.table_gradient(two, two, gradient, table.first(1)), Code::shape, "table",
                 "t5: table must have num_buckets * heads = 2 * 1 = 2 elements, got 1");
  expect_failure(t5.table_gradient(two, two, gradient, gradient.first(2)), Code::overlap, "table",
                 "t5: table must not overlap gradient");
  expect_failure(t5.table_gradient(two, Positions::of(half), gradient, table), Code::position_range,
                 "keys", "t5: keys must be whole numbers, got 0.5");
  EXPECT_TRUE(memory.untouched());
}

}  // namespace
}  // namespace posenc
