#include "posenc/math/elementary.hpp"

#include <bit>
#include <cstdint>
#include <limits>

#include "posenc/math/constants.hpp"

namespace posenc::math {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// The nearest integer, ties to even, for |x| < 2^51.
double nearest(double x) { return (x + 0x1.8p52) - 0x1.8p52; }

// -- exp, log and pow -----------------------------------------------------------------------------

/// mantissa * 2^exponent, so that a result outside double's range keeps its digits until it is
/// rounded for good.
struct Scaled {
  DoubleDouble mantissa;  ///< in [0.5, 2]
  int exponent = 0;
};

/// 2^exponent for -1022 <= exponent <= 1023.
double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

/// x * 2^exponent for |exponent| <= 1100, rounded at most once when the product with half of the
/// power is exact, as it is for x in [2^-400, 2^400].
double scale(double x, int exponent) {
  const int half = exponent / 2;
  return x * power_of_two(half) * power_of_two(exponent - half);
}

/// The double nearest to `value`. Below 2^-1022 the mantissa is rounded to a whole number of
/// 2^-1074 before scaling, from both parts at once: rounding to hi first and scaling it then would
/// round twice.
double round_to_double(Scaled value) {
  const auto [hi, lo] = value.mantissa;
  if (value.exponent > -1020) return scale(hi, value.exponent);
  const double unit = scale(1.0, -1074 - value.exponent);  // 2^-1074 before scaling
  const double shift = 0x1p52 * unit;  // 2^-1022 before scaling; up to twice that, ulps are units
  if (hi >= shift) return scale(hi, value.exponent);
  double rounded = (hi + shift) - shift;
  const double rest = hi - rounded;  // exact, at most unit / 2
  if ((rest - 0.5 * unit) + lo > 0) rounded += unit;
  if ((rest + 0.5 * unit) + lo < 0) rounded -= unit;
  return scale(rounded, value.exponent);
}

DoubleDouble round_to_double_double(Scaled value) {
  const double hi = round_to_double(value);
  if (value.exponent > 1000 && hi == kInfinity) return {hi, 0};
  if (value.exponent < -1020) return {hi, 0};
  return {hi, scale(value.mantissa.lo, value.exponent)};
}

/// e^x for x in [-746, 710].
///
/// x = k ln 2 + r, |r| <= 0.35, with ln 2 as a head of 42 bits (k * head is exact) and a
/// double-double tail. With t = r / 64, e^t - 1 by its series; then six times e^2t - 1 from
/// e^t - 1 = d as 2 d + d^2, which keeps the relative error of the small number.
Scaled exp_scaled(DoubleDouble x) {
  constexpr double kLn2Head = 0x1.62e42fefa38p-1;
  constexpr DoubleDouble kLn2Tail{0x1.ef35793c7673p-45, 0x1.f97b57a079a19p-103};
  const double k = nearest(x.hi * 0x1.71547652b82fep+0);
  const DoubleDouble r = (two_sum(x.hi, -k * kLn2Head) + x.lo) - kLn2Tail * k;

  const DoubleDouble small{r.hi * 0x1p-6, r.lo * 0x1p-6};
  DoubleDouble series{1};  // 1 + small / 2 * (1 + small / 3 * (1 + ...)), to small^12: 2^-114
  for (int n = 12; n >= 2; --n) series = small * series / static_cast<double>(n) + 1.0;
  DoubleDouble less_one = small * series;
  for (int doubling = 0; doubling < 6; ++doubling) {
    less_one = DoubleDouble{2 * less_one.hi, 2 * less_one.lo} + less_one * less_one;
  }
  return {less_one + 1.0, static_cast<int>(k)};
}

/// x as mantissa * 2^exponent with the mantissa in [sqrt(1/2), sqrt(2)], for x > 0 and finite.
Scaled normalised(DoubleDouble x) {
  int exponent = 0;
  if (x.hi < 0x1p-500) {  // out of the reach of subnormals, both parts exactly
    x = {x.hi * 0x1p540, x.lo * 0x1p540};
    exponent = -540;
  }
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x.hi);
  int shift = static_cast<int>(bits >> 52) - 1023;
  const double hi = scale(x.hi, -shift);
  if (hi > 0x1.6a09e667f3bcdp+0) ++shift;
  return {{scale(x.hi, -shift), scale(x.lo, -shift)}, exponent + shift};
}

/// ln x for finite x > 0: k ln 2 + 2 artanh((m - 1) / (m + 1)), the argument at most 0.172 and its
/// series to the 45th power: 2^-112.
DoubleDouble log_positive(DoubleDouble x) {
  const auto [mantissa, exponent] = normalised(x);
  const DoubleDouble s = (mantissa - 1.0) / (mantissa + 1.0);
  const DoubleDouble square = s * s;
  DoubleDouble series = DoubleDouble{1} / 45.0;
  for (int n = 43; n >= 1; n -= 2)
    series = square * series + DoubleDouble{1} / static_cast<double>(n);
  const DoubleDouble log_mantissa = s * series;
  return kLn2 * static_cast<double>(exponent) +
         DoubleDouble{2 * log_mantissa.hi, 2 * log_mantissa.lo};
}

/// Rounds to a multiple of 2^-88: an exact power or an exact midpoint of two doubles, computed with
/// an error below 2^-90, becomes itself again. A power that is neither misses by 2^-36 ulp at most.
DoubleDouble snap(DoubleDouble x) {
  constexpr double kShift = 0x1.8p-36;
  return two_sum(x.hi, (x.lo + kShift) - kShift);
}

// -- sin and cos --------------------------------------------------------------------------------

/// 2 / pi to 324 bits, as doubles that do not overlap. A double-double below 2^52 can come as close
/// as about 2^-165 to a multiple of pi / 2; 100 bits more remain for the fraction.
constexpr int kTwoOverPiCount = 6;
constexpr double kTwoOverPiParts[kTwoOverPiCount] = {
    0x1.45f306dc9c883p-1,   -0x1.6b01ec5417056p-55,  -0x1.6447e493ad4cep-109,
    0x1.e21c820ff28b2p-163, -0x1.508510ea79237p-218, 0x1.b8e909374b802p-274,
};

/// False for a NaN.
bool within(double x, double limit) { return x <= limit && x >= -limit; }

/// x modulo 4 in [-2, 2], exactly, for |x| < 2^53.
double modulo_four(double x) { return x - 4 * nearest(0.25 * x); }

/// One pass of error-free sums over `terms`: the same exact total, most of it in the last term.
/// (VecSum of Ogita, Rump, Oishi, "Accurate sum and dot product", 2005.)
void distil(double* terms, int count) {
  for (int i = 1; i < count; ++i) {
    const DoubleDouble sum = two_sum(terms[i], terms[i - 1]);
    terms[i] = sum.hi;
    terms[i - 1] = sum.lo;
  }
}

/// The total of `terms`, taken modulo 4. Six passes give the digits of six-fold double precision,
/// which outlasts the cancellation of the leading terms; the second round serves the rest after the
/// whole quarters are gone.
QuarterTurns total_quarter_turns(double* terms, int count) {
  double whole = 0;
  for (int round = 0; round < 2; ++round) {
    for (int pass = 0; pass < 6; ++pass) distil(terms, count);
    const double integer = nearest(terms[count - 1]);
    terms[count - 1] -= integer;
    whole += integer;
  }
  for (int pass = 0; pass < 6; ++pass) distil(terms, count);
  DoubleDouble fraction;
  for (int i = 0; i < count; ++i) fraction = fraction + terms[i];
  return {static_cast<int>(whole) & 3, fraction};
}

/// sin and cos of (pi / 2) * fraction + quadrant quarter turns, given both at the fraction.
SinCos turned(SinCos at, int quadrant) {
  switch (quadrant) {
    case 0:
      return at;
    case 1:
      return {at.cos, -at.sin};
    case 2:
      return {-at.sin, -at.cos};
    default:
      return {-at.cos, at.sin};
  }
}

/// sin and cos of |x| <= 0.79 by their series, to x^29 and x^28: 2^-112.
SinCos series(DoubleDouble x) {
  const DoubleDouble square = x * x;
  DoubleDouble sine{1};
  DoubleDouble cosine{1};
  for (int n = 28; n >= 2; n -= 2) {
    sine = 1.0 - square * sine / static_cast<double>(n * (n + 1));
    cosine = 1.0 - square * cosine / static_cast<double>(n * (n - 1));
  }
  // Below 2^-54 the sine is x to 2^-109, and the product could meet the end of double's range.
  return {within(x.hi, 0x1p-54) ? x : x * sine, cosine};
}

}  // namespace

DoubleDouble exp(DoubleDouble x) {
  if (!(x.hi < 710)) return {x.hi >= 710 ? kInfinity : kNaN, 0};
  if (x.hi < -746) return {0, 0};
  return round_to_double_double(exp_scaled(x));
}

DoubleDouble log(DoubleDouble x) {
  if (x.hi == 0) return {-kInfinity, 0};
  if (!(x.hi > 0)) return {kNaN, 0};
  if (x.hi == kInfinity) return {kInfinity, 0};
  return log_positive(x);
}

DoubleDouble pow(DoubleDouble base, DoubleDouble exponent) { return exp(exponent * log(base)); }

double exp(double x) {
  if (!(x < 710)) return x >= 710 ? kInfinity : kNaN;
  if (x < -746) return 0;
  return round_to_double(exp_scaled({x}));
}

double log(double x) { return log(DoubleDouble{x}).hi; }

double pow(double base, double exponent) {
  if (exponent == 0 || base == 1) return 1;
  if (!(base >= 0) || exponent != exponent) return kNaN;
  if (base == 0) return exponent > 0 ? 0 : kInfinity;
  const DoubleDouble log_base = log(DoubleDouble{base});
  const double estimate = exponent * log_base.hi;
  if (estimate > 710) return kInfinity;
  if (estimate < -746) return 0;
  Scaled power = exp_scaled(log_base * exponent);
  power.mantissa = snap(power.mantissa);
  return round_to_double(power);
}

QuarterTurns reduce_quarter_turns(DoubleDouble turns) {
  double terms[2] = {modulo_four(turns.lo), modulo_four(turns.hi)};
  return total_quarter_turns(terms, 2);
}

QuarterTurns reduce_radians(DoubleDouble x) {
  double terms[4 * kTwoOverPiCount];
  int count = 0;
  for (int i = kTwoOverPiCount - 1; i >= 0; --i) {  // small terms first
    const DoubleDouble low = two_product(x.lo, kTwoOverPiParts[i]);
    const DoubleDouble high = two_product(x.hi, kTwoOverPiParts[i]);
    terms[count++] = modulo_four(low.lo);
    terms[count++] = modulo_four(low.hi);
    terms[count++] = modulo_four(high.lo);
    terms[count++] = modulo_four(high.hi);
  }
  return total_quarter_turns(terms, count);
}

SinCos sin_cos(DoubleDouble x) {
  if (!within(x.hi, 0x1p52)) return {{kNaN, 0}, {kNaN, 0}};
  if (within(x.hi, 0.785)) return series(x);
  const QuarterTurns turns = reduce_radians(x);
  return turned(series(turns.fraction * kHalfPi), turns.quadrant);
}

SinCos sin_cos_quarter_turns(DoubleDouble turns) {
  if (!within(turns.hi, 0x1p50)) return {{kNaN, 0}, {kNaN, 0}};
  const QuarterTurns reduced = reduce_quarter_turns(turns);
  return turned(series(reduced.fraction * kHalfPi), reduced.quadrant);
}

double sin(double x) { return sin_cos({x}).sin.hi; }

double cos(double x) { return sin_cos({x}).cos.hi; }

double sigmoid(double x) { return 1.0 / (1.0 + exp(-x)); }

}  // namespace posenc::math
