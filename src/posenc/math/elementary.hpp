#pragma once

#include "posenc/math/double_double.hpp"

namespace posenc::math {

// Elementary functions from + - * / on double and integer operations on its bits: the same bits in
// every build. They serve construction (frequencies, slopes, thresholds), so they are written to be
// right and to be read: a call takes one to four microseconds. None allocates, throws or keeps
// state.
//
// The errors stated cover what was measured against MPFR (at worst 2^-103.2 of the double-double
// functions) and are asserted in tests/native/math_test.cpp and double_double_test.cpp.

/// A sine and a cosine, each with the relative error that its function states.
struct SinCos {
  DoubleDouble sin;
  DoubleDouble cos;
};

/// An angle as a whole number of quarter turns, modulo 4, and the rest of at most half a quarter.
struct QuarterTurns {
  int quadrant = 0;       ///< 0 to 3
  DoubleDouble fraction;  ///< in quarter turns, |fraction| <= 0.5 (a rounding error above at most)
};

// -- double-double ------------------------------------------------------------------------------

/// e^x. Relative error <= 2^-102 for x in [-660, 709]. Below, lo meets the end of double's range
/// and the error grows, to half an ulp of hi; above 709.78 infinity, below -745.13 zero.
DoubleDouble exp(DoubleDouble x);

/// ln x for x > 0, subnormals included. Relative error <= 2^-102. Negative: NaN; zero: -infinity.
DoubleDouble log(DoubleDouble x);

/// base^exponent for a finite base > 0 and a finite exponent below 2^900.
/// Relative error <= 2^-102 * (1 + |exponent * ln base|); beyond e^-660 and e^709 as in exp. An
/// exact result comes with a remainder of that size in lo.
DoubleDouble pow(DoubleDouble base, DoubleDouble exponent);

/// sin x and cos x, x in radians. Relative error <= 2^-102 each for |x| <= 2^52, near their zeros
/// too; NaN beyond.
SinCos sin_cos(DoubleDouble x);

/// sin and cos of (pi / 2) * turns. Relative error <= 2^-102 each for |turns| <= 2^50, near their
/// zeros too (down to 2^-900), and exact at them; NaN beyond.
SinCos sin_cos_quarter_turns(DoubleDouble turns);

/// turns modulo 4, exactly: no rounding at all. |turns| <= 2^50 is the caller's duty.
QuarterTurns reduce_quarter_turns(DoubleDouble turns);

/// (2 / pi) * x modulo 4, x in radians. The fraction's relative error is <= 2^-105, however close x
/// lies to a multiple of pi / 2. |x| <= 2^52 is the caller's duty.
QuarterTurns reduce_radians(DoubleDouble x);

// -- double -------------------------------------------------------------------------------------
//
// The double nearest to the exact value, save where that lies within 2^-35 ulp of the midpoint of
// two doubles: error <= 0.5000001 ulp, in the subnormal range too (rounded once). None of 35
// million random arguments was rounded the other way. NaN gives NaN.

/// e^x. Infinity above 709.78, subnormal below -708.39, 0 below -745.13; exp(0) is 1.
double exp(double x);

/// ln x. Zero gives -infinity, a negative x NaN, infinity infinity; log(1) is 0.
double log(double x);

/// base^exponent for base >= 0, and as in C: 1 when exponent is 0 or base is 1, even beside a NaN;
/// a base or an exponent of 0 or infinity gives its limit. Exact results and exact midpoints
/// round as they should. Unlike C: -0 counts as 0 and a negative base gives NaN for any exponent
/// but 0.
double pow(double base, double exponent);

/// sin x, x in radians, |x| <= 2^52; NaN beyond. sin(-0) is -0.
double sin(double x);

/// cos x, x in radians, |x| <= 2^52; NaN beyond.
double cos(double x);

/// 1 / (1 + e^-x). Error <= 1.6 ulp: that of exp and two roundings.
double sigmoid(double x);

}  // namespace posenc::math
