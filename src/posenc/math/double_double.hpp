#pragma once

#include <compare>

namespace posenc::math {

/// An unevaluated sum hi + lo of two doubles, |lo| <= ulp(hi) / 2: about 106 significant bits.
///
/// Everything here is + - * / on double in a fixed order, so every build computes the same bits
/// (compile with -ffp-contract=off; no FMA anywhere). The error-free steps are Dekker's and
/// Knuth's:
///   Dekker, "A floating-point technique for extending the available precision", 1971
///   Shewchuk, "Adaptive precision floating-point arithmetic", 1997
///   Hida, Li, Bailey, "Library for double-double and quad-double arithmetic", 2007 (QD)
/// The operations and their bounds, in units of u^2 = 2^-106 relative, are those of
///   Joldes, Muller, Popescu, "Tight and rigorous error bounds for basic building blocks of
///   double-word arithmetic", 2017 (their names are given at each operation).
///
/// The bounds hold for finite operands while no intermediate overflows or falls below 2^-1022:
/// operands of * and / between 2^-450 and 2^450 are always safe. An infinity or a NaN gives NaN
/// parts: callers deal with those first.
///
/// Not for kernel files: what is inline here must not be compiled for one architecture only.
struct DoubleDouble {
  double hi = 0;
  double lo = 0;

  /// Order by value (parts in order, which is the same for normalised pairs).
  friend constexpr auto operator<=>(const DoubleDouble&, const DoubleDouble&) = default;
};

/// a + b exactly, for any finite a and b.
constexpr DoubleDouble two_sum(double a, double b) {
  const double sum = a + b;
  const double b_part = sum - a;
  return {sum, (a - (sum - b_part)) + (b - b_part)};
}

/// a + b exactly, for |a| >= |b| or a == 0.
constexpr DoubleDouble quick_two_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

/// x = hi + lo exactly, each part of at most 26 significant bits (Veltkamp); |x| < 2^996.
constexpr DoubleDouble split(double x) {
  const double scaled = 134217729.0 * x;  // 2^27 + 1
  const double hi = scaled - (scaled - x);
  return {hi, x - hi};
}

/// a * b exactly, for |a|, |b| < 2^996 and a product between 2^-969 and the overflow threshold.
constexpr DoubleDouble two_product(double a, double b) {
  const double product = a * b;
  const DoubleDouble x = split(a);
  const DoubleDouble y = split(b);
  return {product, ((x.hi * y.hi - product) + x.hi * y.lo + x.lo * y.hi) + x.lo * y.lo};
}

constexpr double to_double(DoubleDouble x) { return x.hi; }

constexpr DoubleDouble operator-(DoubleDouble x) { return {-x.hi, -x.lo}; }

/// Error <= 2 u^2 (DWPlusFP).
constexpr DoubleDouble operator+(DoubleDouble x, double y) {
  const DoubleDouble sum = two_sum(x.hi, y);
  return quick_two_sum(sum.hi, x.lo + sum.lo);
}

/// Error <= 3 u^2 / (1 - 4u), relative even under cancellation (AccurateDWPlusDW).
constexpr DoubleDouble operator+(DoubleDouble x, DoubleDouble y) {
  const DoubleDouble high = two_sum(x.hi, y.hi);
  const DoubleDouble low = two_sum(x.lo, y.lo);
  const DoubleDouble sum = quick_two_sum(high.hi, high.lo + low.hi);
  return quick_two_sum(sum.hi, low.lo + sum.lo);
}

/// Error <= 1.5 u^2 + 4 u^3 (DWTimesFP1).
constexpr DoubleDouble operator*(DoubleDouble x, double y) {
  const DoubleDouble product = two_product(x.hi, y);
  const DoubleDouble sum = quick_two_sum(product.hi, x.lo * y);
  return quick_two_sum(sum.hi, sum.lo + product.lo);
}

/// Error <= 7 u^2 (DWTimesDW1; Muller and Rideau, 2022, sharpen it to 5 u^2).
constexpr DoubleDouble operator*(DoubleDouble x, DoubleDouble y) {
  const DoubleDouble product = two_product(x.hi, y.hi);
  return quick_two_sum(product.hi, product.lo + (x.hi * y.lo + x.lo * y.hi));
}

/// Error <= 3 u^2 (DWDivFP3).
constexpr DoubleDouble operator/(DoubleDouble x, double y) {
  const double quotient = x.hi / y;
  const DoubleDouble product = two_product(quotient, y);
  const double remainder = ((x.hi - product.hi) - product.lo) + x.lo;
  return quick_two_sum(quotient, remainder / y);
}

/// Error <= 15 u^2 + 56 u^3 (DWDivDW2).
constexpr DoubleDouble operator/(DoubleDouble x, DoubleDouble y) {
  const double quotient = x.hi / y.hi;
  const DoubleDouble product = y * quotient;
  const double remainder = (x.hi - product.hi) + (x.lo - product.lo);
  return quick_two_sum(quotient, remainder / y.hi);
}

constexpr DoubleDouble operator+(double x, DoubleDouble y) { return y + x; }
constexpr DoubleDouble operator-(DoubleDouble x, double y) { return x + -y; }
constexpr DoubleDouble operator-(double x, DoubleDouble y) { return -y + x; }
constexpr DoubleDouble operator-(DoubleDouble x, DoubleDouble y) { return x + -y; }
constexpr DoubleDouble operator*(double x, DoubleDouble y) { return y * x; }
constexpr DoubleDouble operator/(double x, DoubleDouble y) { return DoubleDouble{x} / y; }

}  // namespace posenc::math
