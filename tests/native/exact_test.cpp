// The exact values of the accuracy tests, held to mpmath's.

#include "exact.hpp"

#include <span>

#include "helpers.hpp"

namespace posenc::tests {
namespace {

#include "fixtures/math_values.inc"

/// A fixture is hi + lo, 106 digits; the second is left out near the ends of a double's range.
void expect_fixture(const Exact& got, double hi, double lo, double argument) {
  if (!(std::fabs(hi) > 0x1p-950 && std::fabs(hi) < 0x1p1000)) return;
  const Exact exact = Exact(hi) + lo;
  EXPECT_LT(std::fabs(((got - exact) / exact).value()), 0x1p-105) << argument;
}

TEST(Exact, FunctionsAreThoseOfTheFixtures) {
  for (const auto& [x, hi, lo] : kExp) expect_fixture(exp(x), hi, lo, x);
  for (const auto& [x, hi, lo] : kLog) expect_fixture(log(x), hi, lo, x);
  for (const auto& [x, y, hi, lo] : kPow) expect_fixture(pow(x, y), hi, lo, x);
  for (const auto& [x, sin_hi, sin_lo, cos_hi, cos_lo] : kSinCos) {
    expect_fixture(sin_cos(x).sin, sin_hi, sin_lo, x);
    expect_fixture(sin_cos(x).cos, cos_hi, cos_lo, x);
  }
  for (const auto& [x, x_lo, sin_hi, sin_lo, cos_hi, cos_lo] : kSinCosTurns) {
    const SinCosOf at = sin_cos_quarter_turns(Exact(x) + x_lo);
    expect_fixture(at.sin, sin_hi, sin_lo, x);
    expect_fixture(at.cos, cos_hi, cos_lo, x);
  }
  expect_fixture(exact_pi(), kConstants[0][0], kConstants[0][1], 0);
}

TEST(Exact, OperationsUndoEachOther) {
  Random random;
  for (int i = 0; i < 2000; ++i) {
    const auto any = [&] {
      const double size =
          std::ldexp(random.uniform(0.5, 1), static_cast<int>(random.integer(-90, 90)));
      return Exact(random.integer(0, 1) == 0 ? size : -size) * random.uniform(0.5, 1);
    };
    const Exact a = any(), b = any();
    const auto digits = [&](const Exact& got, const Exact& exact, const Exact& unit) {
      return std::log2(std::fabs(((got - exact) / unit).value()));
    };
    EXPECT_LT(digits(a * b / b, a, a), -154);
    EXPECT_LT(digits(a + b - b, a, abs(a) < abs(b) ? b : a), -154);
    EXPECT_LT(digits(exp(log(abs(a))), abs(a), a), -148);
    const SinCosOf at = sin_cos(Exact(random.uniform(-1e6, 1e6)) * a.scaled(-90));
    EXPECT_LT(digits(at.sin * at.sin + at.cos * at.cos, 1.0, 1.0), -152);
  }
}

TEST(Exact, WholeNumbersAndZeroAreThemselves) {
  for (const double x : {0.0, 1.0, -3.0, 0x1p60, 0x1.fffffffffffffp-1000}) {
    EXPECT_EQ(Exact(x).value(), x);
    EXPECT_EQ((Exact(x) + 0.0).value(), x);
    EXPECT_TRUE((Exact(x) - x).is_zero());
  }
  EXPECT_EQ(softplus(-200.0).value(), std::exp(-200.0));
  EXPECT_EQ(sin_cos_quarter_turns(3.0).sin.value(), -1);
  EXPECT_EQ(sin_cos_quarter_turns(-2.0).sin.value(), 0);
}

}  // namespace
}  // namespace posenc::tests
