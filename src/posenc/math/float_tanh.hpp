#pragma once

#include "posenc/math/float_exp.hpp"
#include "posenc/math/horner.hpp"

namespace posenc::math {

// tanh in float for the soft cap of scores, written once for scalar lanes and for every SIMD batch.
//
//   |x| < 0.625:  x + x z (c0 + c1 z + ... + c4 z^4), z = x^2
//   else          1 - 2 / (e^(2 |x|) + 1), with the sign of x
//
// The polynomial is a minimax fit of the relative error
// (tests/native/fixtures/math_polynomials.py): 2^-27.4.
inline constexpr float kFloatTanhSeries[5] = {
    -0x1.555532p-2f, 0x1.110722p-3f, -0x1.b83c60p-5f, 0x1.52269ep-6f, -0x1.75e202p-8f,
};
inline constexpr float kFloatTanhSplit = 0.625f;

/// tanh x, lane by lane: `tanh<Ops>(x)`, Ops and F as for `exp`, Ops::divide beside them.
///
/// Error: <= 1.4 ulp for every float (all of them were tried). tanh(0) and tanh(-0) are 0,
/// infinities give -1 and 1, NaN gives NaN.
template <class Ops, class F>
inline F tanh(F x) {
  const F z = x * x;
  const auto constant = [](const float& value) { return Ops::template constant<F>(value); };
  const F one = constant(kFloatOne);
  const F series = horner<Ops>(kFloatTanhSeries, z);
  const F near = x + x * z * series;
  const F size = Ops::select(x < F(0.0f), F(0.0f) - x, x);
  const F far = one - Ops::divide(one + one, exp<Ops>(size + size) + one);
  const F signed_far = Ops::select(x < F(0.0f), F(0.0f) - far, far);
  return Ops::select(size < constant(kFloatTanhSplit), near, signed_far);
}

}  // namespace posenc::math
