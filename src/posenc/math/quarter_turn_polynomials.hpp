#pragma once

#include "posenc/math/horner.hpp"

namespace posenc::math {

// sin and cos of (pi / 2) * r for |r| <= 1/2: what is left of an angle, measured in quarter turns,
// once the whole quarters are gone. Minimax polynomials in z = r * r (Remez exchange against the
// relative error, coefficients rounded to double one at a time and the later ones fitted again:
// tests/native/fixtures/math_polynomials.py).

/// pi / 2 = head + rest; the head has 25 bits, so that its product with half of a split double is
/// exact. The head lies below pi / 2: a positive rest is what keeps the sign of sin(-0).
inline constexpr double kHalfPiHead = 0x1.921fb5p+0;
inline constexpr double kHalfPiRest = 0x1.110b4611a6263p-26;

inline constexpr double kDoubleOne = 1.0;
/// 2^27 + 1: what splits a double into halves of 26 bits (Veltkamp).
inline constexpr double kSplitter = 134217729.0;

/// sin((pi / 2) r) = r * (head + rest + z * (c0 + c1 z + ...)); relative error 2^-57.9.
inline constexpr double kQuarterSine[6] = {
    -0x1.4abbce625be46p-1, 0x1.466bc67758c4cp-4,   -0x1.32d2cce31bf11p-8,
    0x1.5078300350d15p-13, -0x1.e3008fd0ed7c1p-19, 0x1.e3fbffacd5022p-25,
};

/// cos((pi / 2) r) = 1 - z + z * (c0 + c1 z + ...); relative error 2^-63.3.
inline constexpr double kQuarterCosine[7] = {
    -0x1.de9e64df22ef2p-3,  0x1.03c1f081b5a9ep-2,  -0x1.55d3c7e3c7713p-6,  0x1.e1f50680c051fp-11,
    -0x1.a6d1ea6dd66c9p-16, 0x1.f9caae948c071p-22, -0x1.b1ec853c1abc9p-28,
};

/// sine = sin((pi / 2) r) and cosine = cos((pi / 2) r) for |r| <= 0.5000001.
///
/// D is double or a batch of doubles with + - *; Ops::constant and Ops::multiply_add, in two
/// roundings, are those of float_exp.hpp. Nothing here can be reassociated: each polynomial is in
/// Horner's form, and the order of the sums is the error bound.
///
/// Error: sine <= 0.80 ulp, cosine <= 0.72 ulp of double, for |r| from 1e-300 to 1/2. cos(0) is 1,
/// sin(-r) is -sin(r) and sin(-0) is -0.
template <class Ops, class D>
inline void sin_cos_quarter(D r, D& sine, D& cosine) {
  const auto constant = [](const double& value) { return Ops::template constant<D>(value); };
  const D one = constant(kDoubleOne);
  const D z = r * r;

  const D sine_series = horner<Ops>(kQuarterSine, z);

  // r * head is the largest term: split r so that its upper half times the head is exact, and only
  // the small terms and the last sum round.
  const D scaled = r * constant(kSplitter);
  const D upper = scaled - (scaled - r);
  const D minus_lower = upper - r;
  const D small =
      r * (sine_series * z + constant(kHalfPiRest)) - minus_lower * constant(kHalfPiHead);
  sine = upper * constant(kHalfPiHead) + small;

  const D cosine_series = horner<Ops>(kQuarterCosine, z);

  // 1 - z rounds; what it lost, (1 - most) - z, is exact and joins the small terms.
  const D most = one - z;
  cosine = most + (((one - most) - z) + cosine_series * z);
}

}  // namespace posenc::math
