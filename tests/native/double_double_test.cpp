#include "posenc/math/double_double.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>

#include "fixtures/math_values.inc"
#include "math_errors.hpp"
#include "posenc/math/constants.hpp"
#include "posenc/math/elementary.hpp"

// Errors are measured against tests/native/fixtures/math_values.inc (mpmath), printed, and held to
// the bounds stated at the declarations. The standard library serves the tests only.

namespace posenc::math {
namespace {

TEST(DoubleDouble, ErrorFreeSumsAndProductsKeepEveryBit) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    const auto a = static_cast<std::int64_t>(random() >> 11),
               b = static_cast<std::int64_t>(random() >> 35);
    const auto x = static_cast<double>(a), y = static_cast<double>(b);
    const DoubleDouble product = two_product(x, y);
    const __int128 exact = static_cast<__int128>(a) * b;
    EXPECT_EQ(exact - static_cast<__int128>(product.hi), static_cast<__int128>(product.lo));
    const DoubleDouble sum = two_sum(x, y * 0x1p-20);
    EXPECT_EQ(sum.hi, x + y * 0x1p-20);
    EXPECT_EQ((static_cast<__int128>(a) << 20) + b - static_cast<__int128>(sum.hi * 0x1p20),
              static_cast<__int128>(sum.lo * 0x1p20));
    const auto [upper, lower] = split(x);
    EXPECT_EQ(upper + lower, x);
    EXPECT_EQ(std::fmod(upper, std::ldexp(1, std::ilogb(x) - 25)), 0);
  }
}

TEST(DoubleDouble, OperationsUndoEachOther) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> uniform(0.5, 2);
  Worst product{"a / b * b", -101, "log2"}, sum{"a + b - b", -104, "log2"};
  for (int i = 0; i < 20000; ++i) {
    const DoubleDouble a = two_sum(uniform(random), uniform(random) * 0x1p-54);
    const DoubleDouble b = two_sum(uniform(random), -uniform(random) * 0x1p-54);
    product.take(relative(a / b * b, a.hi, a.lo));
    product.take(relative(a / b.hi * b.hi, a.hi, a.lo));
    sum.take(relative((a + b) - b, a.hi, a.lo) - 2);  // the sum is at most five times a
    EXPECT_EQ(a - a, DoubleDouble{});
    EXPECT_EQ(-(-a), a);
    EXPECT_EQ(a * 1.0, a);
    EXPECT_EQ(1.0 * a + 0.0, a);
    EXPECT_EQ(a * b, b * a);
    EXPECT_LT(a, a + 0x1p-100);
    EXPECT_EQ(to_double(a), a.hi + a.lo);
  }
}

TEST(DoubleDouble, ConstantsAreTheirDigits) {
  const DoubleDouble constants[] = {kPi, kHalfPi, kTwoOverPi, kInverseTwoPi, kLn2};
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(constants[i], (DoubleDouble{kConstants[i][0], kConstants[i][1]}));
  }
}

TEST(DoubleDouble, FunctionsStayWithinTheirBounds) {
  Worst exp_worst{"exp(DoubleDouble)", -102, "log2"}, log_worst{"log(DoubleDouble)", -102, "log2"};
  Worst pow_worst{"pow(DoubleDouble), scaled", -102, "log2"};
  Worst sin_worst{"sin_cos, sin", -102, "log2"}, cos_worst{"sin_cos, cos", -102, "log2"};
  Worst turns_worst{"sin_cos_quarter_turns", -102, "log2"};
  for (const auto& [x, x_lo, y, y_lo] : kExpWide) exp_worst.take(relative(exp({x, x_lo}), y, y_lo));
  for (const auto& [x, x_lo, y, y_lo] : kLogWide) log_worst.take(relative(log({x, x_lo}), y, y_lo));
  for (const auto& [b, b_lo, e, e_lo, y, y_lo] : kPowWide) {
    const double size = 1 + std::fabs(e * std::log(b));
    pow_worst.take(relative(pow({b, b_lo}, {e, e_lo}), y, y_lo) - std::log2(size));
  }
  for (const auto& [x, x_lo, s, s_lo, c, c_lo] : kSinCosWide) {
    sin_worst.take(relative(sin_cos({x, x_lo}).sin, s, s_lo));
    cos_worst.take(relative(sin_cos({x, x_lo}).cos, c, c_lo));
  }
  for (const auto& [x, x_lo, s, s_lo, c, c_lo] : kSinCosTurns) {
    turns_worst.take(relative(sin_cos_quarter_turns({x, x_lo}).sin, s, s_lo));
    turns_worst.take(relative(sin_cos_quarter_turns({x, x_lo}).cos, c, c_lo));
  }
}

TEST(DoubleDouble, WholeQuarterTurnsAreExact) {
  for (const double turns : {0.0, 4.0, -8.0, 0x1p49, 65536.0}) {
    EXPECT_EQ(sin_cos_quarter_turns({turns}).sin.hi, 0);
    EXPECT_EQ(sin_cos_quarter_turns({turns}).cos, DoubleDouble{1});
    EXPECT_EQ(sin_cos_quarter_turns(turns + DoubleDouble{1}).sin, DoubleDouble{1});
    EXPECT_EQ(sin_cos_quarter_turns(turns - DoubleDouble{2}).cos, DoubleDouble{-1});
    EXPECT_EQ(sin_cos_quarter_turns(turns - DoubleDouble{1}).sin, DoubleDouble{-1});
  }
  const QuarterTurns reduced = reduce_quarter_turns({-1048577.25, 0x1p-40});
  EXPECT_EQ(reduced.quadrant, 3);
  EXPECT_EQ(reduced.fraction, two_sum(-0.25, 0x1p-40));
}

}  // namespace
}  // namespace posenc::math
