#include "posenc/bias/alibi.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "helpers.hpp"

namespace posenc {
namespace {

using namespace tests;

std::vector<float> bias_of(const Alibi& alibi, const Positions& queries, const Positions& keys) {
  std::vector<float> out(alibi.config().heads * queries.size() * keys.size());
  EXPECT_TRUE(succeeded(alibi.bias(queries, keys, out)));
  return out;
}

std::vector<double> slopes_of(const AlibiConfig& config) {
  const Alibi alibi(config);
  return {alibi.slopes().begin(), alibi.slopes().end()};
}

// Kind alibi-slopes.
TEST(Alibi, SlopesOfCheckpoints) {
  using Slopes = std::vector<double>;
  EXPECT_EQ(slopes_of({.heads = 1}), (Slopes{0.00390625}));
  EXPECT_EQ(slopes_of({.heads = 2}), (Slopes{0.0625, 0.00390625}));
  EXPECT_EQ(slopes_of({.heads = 4}), (Slopes{0.25, 0.0625, 0.015625, 0.00390625}));
  EXPECT_EQ(slopes_of({.heads = 8}),
            (Slopes{0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625, 0.0078125, 0.00390625}));
  EXPECT_EQ(slopes_of({.heads = 6}), (Slopes{0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125}));
  // past a power of two: every other slope of twice as many heads
  const Slopes twelve = slopes_of({.heads = 12});
  const double odd[] = {0.70710678118654752, 0.35355339059327376, 0.17677669529663688,
                        0.088388347648318441};
  for (std::size_t head = 0; head < 8; ++head)
    EXPECT_EQ(twelve[head], std::ldexp(1, -1 - int(head)));
  for (std::size_t head = 0; head < 4; ++head) EXPECT_DOUBLE_EQ(twelve[8 + head], odd[head]);
}

TEST(Alibi, SlopesOfThePaperAreOneGeometricSeries) {
  for (std::size_t heads : {1u, 3u, 6u, 8u, 12u, 40u, 112u}) {
    const std::vector<double> slopes = slopes_of({.heads = heads, .slopes = AlibiSlopes::paper});
    for (std::size_t head = 0; head < heads; ++head) {
      EXPECT_DOUBLE_EQ(slopes[head], std::exp2(-8.0 * static_cast<double>(head + 1) /
                                               static_cast<double>(heads)));
    }
  }
}

TEST(Alibi, BothSlopeRulesAgreeForPowersOfTwo) {
  for (std::size_t heads = 1; heads <= 256; heads *= 2) {
    EXPECT_EQ(slopes_of({.heads = heads}),
              slopes_of({.heads = heads, .slopes = AlibiSlopes::paper}));
  }
}

TEST(Alibi, CheckpointSlopesOfAnyNumberOfHeads) {
  for (std::size_t heads = 1; heads <= 130; ++heads) {
    std::size_t power = 1;
    while (2 * power <= heads) power *= 2;
    const std::vector<double> slopes = slopes_of({.heads = heads});
    for (std::size_t head = 0; head < heads; ++head) {
      const double eighths = head < power ? 8.0 * static_cast<double>(head + 1)
                                          : 4.0 * static_cast<double>(2 * (head - power) + 1);
      EXPECT_DOUBLE_EQ(slopes[head], std::exp2(-eighths / static_cast<double>(power))) << heads;
    }
  }
}

TEST(Alibi, BiasIsMinusSlopeTimesDistance) {
  const Alibi causal({.heads = 2}), symmetric({.heads = 2, .form = AlibiForm::symmetric});
  const Positions three = Positions::from(0, 3);
  const float m = 0.0625f, n = 0.00390625f, hidden = -kInfinity;
  EXPECT_EQ(bias_of(causal, three, three),
            (std::vector<float>{0, hidden, hidden, -m, 0, hidden, -2 * m, -m, 0,  //
                                0, hidden, hidden, -n, 0, hidden, -2 * n, -n, 0}));
  EXPECT_EQ(bias_of(symmetric, three, three),
            (std::vector<float>{0, -m, -2 * m, -m, 0, -m, -2 * m, -m, 0,  //
                                0, -n, -2 * n, -n, 0, -n, -2 * n, -n, 0}));
}

// Kinds alibi-cache-length-change and alibi-fixed-length: calls of any length in any order.
TEST(Alibi, LengthsOfEarlierCallsHaveNoEffect) {
  const Alibi alibi({.heads = 8});  // slope 1/2 first
  for (std::int64_t length : {4, 5, 3, 3000, 4}) {
    const auto keys = static_cast<std::size_t>(length);
    const std::vector<float> row =
        bias_of(alibi, Positions::from(length - 1, 1), Positions::from(0, keys));
    for (std::int64_t key = 0; key < length; ++key) {
      EXPECT_EQ(row[static_cast<std::size_t>(key)], -0.5f * static_cast<float>(length - 1 - key));
    }
  }
}

// Kind alibi-left-padding: padding takes key position 0 and adds nothing.
TEST(Alibi, KeyBiasIsSlopeTimesPosition) {
  const Alibi alibi({.heads = 8});
  const std::int32_t positions[] = {0, 0, 0, 1, 2};
  std::vector<float> out(8 * 5);
  ASSERT_TRUE(succeeded(alibi.key_bias(Positions::of(positions), out)));
  EXPECT_EQ(std::vector<float>(out.begin(), out.begin() + 5),
            (std::vector<float>{0, 0, 0, 0.5f, 1}));
  // MPT's form: positions 1 - keys to 0
  ASSERT_TRUE(succeeded(alibi.key_bias(Positions::from(-4, 5), out)));
  EXPECT_EQ(std::vector<float>(out.end() - 5, out.end()),
            (std::vector<float>{-0.015625f, -0.01171875f, -0.0078125f, -0.00390625f, 0}));
}

TEST(Alibi, CausalIsSymmetricOnThePastAndInfiniteAfterIt) {
  const Alibi causal({.heads = 5}), symmetric({.heads = 5, .form = AlibiForm::symmetric});
  for (std::size_t count = 0; count <= 40; ++count) {
    for (std::int64_t first : {-50, -17, -1, 0, 1, 3}) {
      Guarded a(5 * count, count % 4), b(5 * count, (count + 1) % 4);
      ASSERT_TRUE(succeeded(causal.distances(first, a.span())));
      ASSERT_TRUE(succeeded(symmetric.distances(first, b.span())));
      for (std::size_t at = 0; at < a.span().size(); ++at) {
        const bool past = first + static_cast<std::int64_t>(at % count) <= 0;
        EXPECT_EQ(a.span()[at], past ? b.span()[at] : -kInfinity);
      }
    }
  }
}

TEST(Alibi, DistancesOfFractionalQueriesAreRoundedOneByOne) {
  // that of the first key is -4000, which is no reason for key 0 to be in the past
  const Alibi alibi({.heads = 2, .form = AlibiForm::causal});
  const std::vector<double> query{-1e-14};
  const Positions keys = Positions::from(-4000, 4100);
  const std::vector<float> whole = bias_of(alibi, Positions::of(query), keys);
  for (std::size_t key = 0; key < keys.size(); ++key) {
    const std::vector<float> one = bias_of(alibi, Positions::of(query), keys.slice(key, 1));
    ASSERT_EQ(whole[key], one[0]) << "key " << key;
    ASSERT_EQ(whole[keys.size() + key], one[1]) << "key " << key;
  }
  EXPECT_EQ(whole[4000], -kInfinity);
}

TEST(Alibi, ExplicitPositionsGiveTheBitsOfTheRange) {
  const Alibi alibi({.heads = 12, .form = AlibiForm::symmetric});
  std::vector<std::int32_t> queries;
  std::vector<double> keys;
  for (int i = 0; i < 7; ++i) queries.push_back(i + 4);
  for (int i = 0; i < 21; ++i) keys.push_back(i - 3);
  EXPECT_TRUE(same_bits(bias_of(alibi, Positions::of(queries), Positions::of(keys)),
                        bias_of(alibi, Positions::from(4, 7), Positions::from(-3, 21))));
  std::vector<float> a(12 * 21), b(12 * 21);
  ASSERT_TRUE(succeeded(alibi.key_bias(Positions::of(keys), a)));
  ASSERT_TRUE(succeeded(alibi.key_bias(Positions::from(-3, 21), b)));
  EXPECT_TRUE(same_bits(a, b));
}

// Longer than the distances that are made at a time, and large enough to go around the caches.
template <class T>
void expect_long_rows() {
  const std::size_t heads = 2, rows = 2100, width = 4100;
  const Alibi alibi({.heads = heads, .form = AlibiForm::symmetric});
  std::vector<T> distances(heads * (rows + width - 1)), out(heads * rows * width);
  ASSERT_TRUE(succeeded(alibi.distances(-7 - static_cast<std::int64_t>(rows - 1), distances)));
  ASSERT_TRUE(succeeded(alibi.bias(Positions::from(5, rows), Positions::from(-2, width), out)));
  for (std::size_t line = 0; line < heads * rows; ++line) {
    const std::size_t head = line / rows, row = line % rows;
    const std::size_t first = head * (rows + width - 1) + rows - 1 - row;
    const auto actual = std::as_bytes(std::span<const T>(out).subspan(line * width, width));
    const auto expected = std::as_bytes(std::span<const T>(distances).subspan(first, width));
    ASSERT_TRUE(std::ranges::equal(actual, expected)) << line;
  }
}
TEST(Alibi, LongRowsAreSlicesOfTheDistances) {
  expect_long_rows<float>();
  expect_long_rows<Float16>();
}

TEST(Alibi, FractionalPositionsAreDistancesToo) {
  const Alibi causal({.heads = 8}), symmetric({.heads = 8, .form = AlibiForm::symmetric});
  const double queries[] = {1.5}, keys[] = {0.25, 1.5, 1.75};
  const std::vector<float> a = bias_of(causal, Positions::of(queries), Positions::of(keys));
  const std::vector<float> b = bias_of(symmetric, Positions::of(queries), Positions::of(keys));
  EXPECT_EQ((std::vector<float>{a[0], a[1], a[2]}), (std::vector<float>{-0.625f, 0, -kInfinity}));
  EXPECT_EQ((std::vector<float>{b[0], b[1], b[2]}), (std::vector<float>{-0.625f, 0, -0.125f}));
}

}  // namespace
}  // namespace posenc
