#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "fixtures/math_values.inc"
#include "math_errors.hpp"
#include "posenc/math/double_double.hpp"
#include "posenc/math/elementary.hpp"
#include "posenc/math/float_exp.hpp"
#include "posenc/math/quarter_turn_polynomials.hpp"

// Errors are measured against tests/native/fixtures/math_values.inc (mpmath), printed, and held to
// the bounds stated at the declarations. The standard library serves the tests only.

namespace posenc::math {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kLeast = std::numeric_limits<double>::denorm_min();

struct ScalarOps {
  template <class T>
  static T constant(const T& value) {
    return value;
  }
  template <class T>
  static T multiply_add(T a, T b, T c) {
    return a * b + c;
  }
  static float select(bool condition, float yes, float no) { return condition ? yes : no; }
  static std::int32_t bits(float x) { return std::bit_cast<std::int32_t>(x); }
  static float from_bits(std::int32_t x) { return std::bit_cast<float>(x); }
};
float float_exp(float x) { return exp<ScalarOps>(x); }

// -- double -------------------------------------------------------------------------------------

TEST(Elementary, EveryFixtureIsCorrectlyRounded) {
  Worst exp_worst{"exp", 0.5000001, "ulp"}, log_worst{"log", 0.5000001, "ulp"};
  Worst pow_worst{"pow", 0.5000001, "ulp"}, sin_worst{"sin", 0.5000001, "ulp"};
  Worst cos_worst{"cos", 0.5000001, "ulp"};
  for (const auto& [x, y, y_lo] : kExp) {
    EXPECT_TRUE(same_bits(exp(x), y)) << x;
    if (y != 0) exp_worst.take(ulps(exp(x), y, y_lo));
  }
  for (const auto& [x, y, y_lo] : kLog) {
    EXPECT_TRUE(same_bits(log(x), y)) << x;
    log_worst.take(ulps(log(x), y, y_lo));
  }
  for (const auto& [x, exponent, y, y_lo] : kPow) {
    EXPECT_TRUE(same_bits(pow(x, exponent), y)) << x << " ^ " << exponent;
    if (y != 0) pow_worst.take(ulps(pow(x, exponent), y, y_lo));
  }
  for (const auto& [x, s, s_lo, c, c_lo] : kSinCos) {
    EXPECT_TRUE(same_bits(sin(x), s)) << x;
    EXPECT_TRUE(same_bits(cos(x), c)) << x;
    sin_worst.take(ulps(sin(x), s, s_lo));
    cos_worst.take(ulps(cos(x), c, c_lo));
  }
}

TEST(Elementary, ExpMeetsTheEndsOfDouble) {
  EXPECT_TRUE(same_bits(exp(0.0), 1.0) && same_bits(exp(-0.0), 1.0));
  EXPECT_EQ(exp(kInfinity), kInfinity);
  EXPECT_EQ(exp(-kInfinity), 0);
  EXPECT_TRUE(std::isnan(exp(kNaN)));
  EXPECT_TRUE(std::isfinite(exp(0x1.62e42fefa39efp+9)));  // the largest argument below the limit
  EXPECT_EQ(exp(0x1.62e42fefa39f0p+9), kInfinity);
  EXPECT_EQ(exp(-0x1.74910d52d3051p+9), kLeast);
  EXPECT_EQ(exp(-0x1.74910d52d3052p+9), 0);
  EXPECT_EQ(exp(kLeast), 1);
  EXPECT_EQ(exp(DoubleDouble{800}).hi, kInfinity);
  EXPECT_EQ(exp(DoubleDouble{-800}), DoubleDouble{});
}

TEST(Elementary, LogMeetsTheEndsOfDouble) {
  EXPECT_TRUE(same_bits(log(1.0), 0.0));
  EXPECT_EQ(log(0.0), -kInfinity);
  EXPECT_EQ(log(-0.0), -kInfinity);
  EXPECT_EQ(log(kInfinity), kInfinity);
  EXPECT_TRUE(std::isnan(log(-1.0)) && std::isnan(log(-kInfinity)) && std::isnan(log(kNaN)));
  EXPECT_EQ(log(kLeast), -0x1.74385446d71c3p+9);
  EXPECT_EQ(log(std::numeric_limits<double>::max()), 0x1.62e42fefa39efp+9);
}

TEST(Elementary, PowHasTheSpecialValuesOfC) {
  for (const double x : {0.0, 0.5, 1.0, 3.0, kInfinity, kNaN, -2.0}) EXPECT_EQ(pow(x, 0), 1) << x;
  for (const double y : {-1.0, 0.5, kInfinity, -kInfinity, kNaN, 1e300})
    EXPECT_EQ(pow(1, y), 1) << y;
  const double cases[][3] = {
      {0, 2, 0},
      {0, -2, kInfinity},
      {0, kInfinity, 0},
      {0, -kInfinity, kInfinity},
      {2, kInfinity, kInfinity},
      {2, -kInfinity, 0},
      {0.5, kInfinity, 0},
      {0.5, -kInfinity, kInfinity},
      {kInfinity, 2, kInfinity},
      {kInfinity, -2, 0},
      {2, 1024, kInfinity},
      {2, -1075, 0},
      {2, -1074, kLeast},
      {2, 1e300, kInfinity},
      {2, -1e300, 0},
      {2, kLeast, 1},
  };
  for (const auto& [x, y, z] : cases) EXPECT_TRUE(same_bits(pow(x, y), z)) << x << " ^ " << y;
  EXPECT_TRUE(std::isnan(pow(-2, 2)) && std::isnan(pow(kNaN, 2)) && std::isnan(pow(2, kNaN)));
}

TEST(Elementary, PowIsExactWhereTheResultIs) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 4000; ++i) {
    const double x =
        std::ldexp(static_cast<double>(random() >> 11), static_cast<int>(random() % 200) - 150);
    EXPECT_EQ(pow(x, 1), x);
    EXPECT_EQ(pow(x, 2), x * x);  // half of these squares of 27 bits are midpoints
    EXPECT_EQ(pow(x, -1), 1 / x);
    EXPECT_EQ(pow(x, 0.5), std::sqrt(x));
    const auto odd = static_cast<double>((random() >> 37) | 1);
    EXPECT_EQ(pow(odd, 2), odd * odd);
  }
  for (int n = -1074; n < 1024; ++n) EXPECT_EQ(pow(2, n), std::ldexp(1, n));
  EXPECT_EQ(pow(3 * 0x1p-215, 5), 122 * kLeast);  // 121.5, a midpoint of subnormals
  EXPECT_EQ(pow(10, 22), 1e22);
}

TEST(Elementary, SinAndCosKeepSignsAndRange) {
  EXPECT_TRUE(same_bits(sin(0.0), 0.0) && same_bits(sin(-0.0), -0.0));
  EXPECT_TRUE(same_bits(sin(kLeast), kLeast) && same_bits(sin(-kLeast), -kLeast));
  EXPECT_EQ(cos(0.0), 1);
  EXPECT_EQ(cos(kLeast), 1);
  for (const auto& row : kSinCos) {
    EXPECT_TRUE(same_bits(sin(-row[0]), -row[1]));
    EXPECT_TRUE(same_bits(cos(-row[0]), row[3]));
  }
  EXPECT_TRUE(std::isfinite(sin(0x1p52)) && std::isnan(sin(0x1.1p52)) &&
              std::isnan(cos(-0x1.1p52)));
  EXPECT_TRUE(std::isnan(sin(kInfinity)) && std::isnan(cos(kNaN)));
}

/// Walks `steps` neighbouring doubles upwards around x.
template <class Function>
void expect_rising(double x, int steps, Function function) {
  auto bits = std::bit_cast<std::int64_t>(std::fabs(x)) - steps / 2;
  if (bits < 0) bits = 0;
  double previous = x < 0 ? kInfinity : -kInfinity;
  for (int i = 0; i < steps; ++i, ++bits) {
    const double value = function(std::copysign(std::bit_cast<double>(bits), x));
    if (x < 0 ? value > previous : value < previous) ADD_FAILURE() << "not monotone near " << x;
    previous = value;
  }
}

TEST(Elementary, FunctionsRiseAcrossTheirSeams) {
  for (const double x :
       {0.0, -0.0, 1e-16, 0x1p-54, 0.34657359027997264, -0.34657359027997264, 1.0397207708399179,
        -708.396418532264, -707.7032713517043, -745.13, 709.782712893384}) {
    expect_rising(x, 2000, [](double at) { return exp(at); });
  }
  for (const double x :
       {0.0, 1.0, 1.4142135623730951, 0.7071067811865476, 0x1p-500, 0x1p-1022, 2.0}) {
    expect_rising(x, 2000, [](double at) { return log(at); });
  }
  for (const double x : {0.0, 0x1p-54, 0.785, -0.785, 0.7853981633974483}) {
    expect_rising(x, 2000, [](double at) { return sin(at); });
  }
}

// -- the kernels' functions, one lane -----------------------------------------------------------

TEST(QuarterTurn, SineAndCosineStayWithinTheirBounds) {
  Worst sine_worst{"sin_cos_quarter, sine", 0.80, "ulp"},
      cosine_worst{"sin_cos_quarter, cosine", 0.72, "ulp"};
  for (const auto& [r, s, s_lo, c, c_lo] : kQuarter) {
    double sine, cosine, mirrored, unchanged;
    sin_cos_quarter<ScalarOps>(r, sine, cosine);
    sin_cos_quarter<ScalarOps>(-r, mirrored, unchanged);
    sine_worst.take(ulps(sine, s, s_lo));
    cosine_worst.take(ulps(cosine, c, c_lo));
    EXPECT_TRUE(same_bits(mirrored, -sine) && same_bits(unchanged, cosine));
  }
}

TEST(QuarterTurn, ZeroKeepsItsSign) {
  double sine, cosine;
  sin_cos_quarter<ScalarOps>(0.0, sine, cosine);
  EXPECT_TRUE(same_bits(sine, 0.0) && same_bits(cosine, 1.0));
  sin_cos_quarter<ScalarOps>(-0.0, sine, cosine);
  EXPECT_TRUE(same_bits(sine, -0.0) && same_bits(cosine, 1.0));
}

TEST(FloatExp, StaysWithinItsBound) {
  Worst worst{"exp, float", 0.99, "ulp"};
  for (const auto& [x, y] : kFloatExp) {
    worst.take(ulps(float_exp(static_cast<float>(x)), y, 0, 24, -149));
  }
}

TEST(FloatExp, MeetsTheEndsOfFloat) {
  constexpr float kInfinite = std::numeric_limits<float>::infinity();
  EXPECT_EQ(float_exp(0.0f), 1.0f);
  EXPECT_EQ(float_exp(-0.0f), 1.0f);
  EXPECT_EQ(float_exp(kInfinite), kInfinite);
  EXPECT_EQ(float_exp(-kInfinite), 0.0f);
  EXPECT_TRUE(std::isnan(float_exp(std::numeric_limits<float>::quiet_NaN())));
  EXPECT_TRUE(std::isnan(float_exp(-std::numeric_limits<float>::quiet_NaN())));
  EXPECT_EQ(float_exp(-103.97f), std::numeric_limits<float>::denorm_min());
  EXPECT_EQ(float_exp(-103.98f), 0.0f);
  EXPECT_TRUE(std::isfinite(float_exp(88.7228f)));
  EXPECT_EQ(float_exp(88.7229f), kInfinite);
  EXPECT_EQ(float_exp(std::numeric_limits<float>::lowest()), 0.0f);
}

TEST(FloatExp, RisesEverywhereAndNeverPassesOneBelowZero) {
  float previous = 1.0f;
  for (std::uint32_t bits = 0; bits <= std::bit_cast<std::uint32_t>(105.0f); bits += 509) {
    const float value = float_exp(-std::bit_cast<float>(bits));
    ASSERT_LE(value, previous) << std::bit_cast<float>(bits);
    previous = value;
  }
}

// -- one answer everywhere ------------------------------------------------------------------------

/// FNV-1a over the bits of what is added.
struct Digest {
  std::uint64_t value = 0xcbf29ce484222325u;
  void add(double x) {
    auto bits = std::bit_cast<std::uint64_t>(x);
    for (int byte = 0; byte < 8; ++byte, bits >>= 8)
      value = (value ^ (bits & 255)) * 0x100000001b3u;
  }
  void add(DoubleDouble x) {
    add(x.hi);
    add(x.lo);
  }
};

TEST(Elementary, BitsAreTheSameInEveryBuild) {
  std::mt19937_64 random(4);
  Digest digest;
  for (int i = 0; i < 20000; ++i) {
    const double unit = static_cast<double>(random() >> 11) * 0x1p-53;
    const double exponent = (unit - 0.5) * 1480,
                 sized = (unit - 0.5) * std::ldexp(1, static_cast<int>(random() % 53));
    const DoubleDouble wide = two_sum(sized, sized * unit * 0x1p-55);
    digest.add(exp(exponent));
    digest.add(log(unit + 0x1p-60));
    digest.add(pow(unit + 0x1p-60, exponent / 40));
    digest.add(sin(sized));
    digest.add(cos(sized));
    digest.add(exp(two_sum(exponent, unit * 0x1p-55)));
    digest.add(log(DoubleDouble{1} + wide * wide));
    digest.add(sin_cos(wide).sin);
    digest.add(sin_cos_quarter_turns(wide).cos);
    double sine, cosine;
    sin_cos_quarter<ScalarOps>(unit - 0.5, sine, cosine);
    digest.add(sine);
    digest.add(cosine);
    digest.add(float_exp(static_cast<float>(exponent / 8)));
  }
  EXPECT_EQ(digest.value, 0xddc9206de2b053ebu);
}

}  // namespace
}  // namespace posenc::math
