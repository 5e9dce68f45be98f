#pragma once

#include "posenc/math/horner.hpp"

namespace posenc::math {

// e^x in float for softmax, written once for scalar lanes and for every SIMD batch.
//
//   x = n ln 2 + r,  n = round(x / ln 2),  |r| <= 0.3466
//   e^r = 1 + (r + r^2 (c0 + c1 r + ... + c4 r^4))
//   e^x = e^r * 2^(n / 2) * 2^(n - n / 2)
//
// Only the last product can be inexact, and only where the result is subnormal: it rounds once
// there. ln 2 is taken off in two parts, the first of 15 bits, so that n * head and x - n * head
// are exact. The polynomial is a minimax fit of the relative error of e^r (Remez exchange, then a
// search over neighbouring floats: tests/native/fixtures/math_polynomials.py): 2^-28.2.
inline constexpr float kFloatExpSeries[5] = {
    0x1.fffffcp-2f, 0x1.555492p-3f, 0x1.5558d2p-5f, 0x1.1239ccp-7f, 0x1.6a2404p-10f,
};
inline constexpr float kFloatOne = 1.0f;
inline constexpr float kFloatShift = 0x1.8p23f;  // adding it rounds to a whole number
inline constexpr float kFloatInverseLn2 = 0x1.715476p+0f;
inline constexpr float kFloatMinusLn2Head = -0x1.62e4p-1f;
inline constexpr float kFloatMinusLn2Rest = -0x1.7f7d1cp-20f;

// F is a batch of floats (or a float) with + - * and the comparisons > <, built from a float.
// Ops has what else is needed, as static functions, so that it works for types of any namespace:
//   Ops::constant<F>(c)       a constant in every lane, c being the name of one
//   Ops::select(mask, a, b)   a where the comparison held, else b
//   Ops::zero_where(mask, a)  0 where the comparison held, else a
//   Ops::bits(F)              the lanes' bits as signed 32-bit integers of a type with + - by that
//                             type, which wrap around, and by int, and << >> by int
//   Ops::from_bits(...)       and back
//   Ops::multiply_add(a, b, c)  a * b + c, in two roundings for the bits that are promised

/// 2^n * y for y in [0.5, 2] and a whole n in [-150, 128], rounded once.
///
/// The argument is n + 1.5 * 2^23 as a float, whose low bits are n: that sum is how n was rounded.
/// Both powers are normal numbers, made of their exponents alone; a NaN in y stays one.
template <class Ops, class F>
inline F scale_by_power_of_two(F y, F shifted_n) {
  // 254 = two exponent biases: the sum is positive, so either kind of right shift halves it.
  const auto biased = Ops::bits(shifted_n) - (0x4b400000 - 254);
  const auto first = biased >> 1;
  return y * Ops::from_bits(first << 23) * Ops::from_bits((biased - first) << 23);
}

/// e^r of the reduced argument, and n + 1.5 * 2^23.
template <class Ops, class F>
inline F exp_of_rest(F x, F& shifted_n) {
  const auto constant = [](const float& value) { return Ops::template constant<F>(value); };
  const F shift = constant(kFloatShift);
  shifted_n = Ops::multiply_add(x, constant(kFloatInverseLn2), shift);
  const F n = shifted_n - shift;
  const F most = Ops::multiply_add(n, constant(kFloatMinusLn2Head), x);
  const F r = Ops::multiply_add(n, constant(kFloatMinusLn2Rest), most);

  const F series = horner<Ops>(kFloatExpSeries, r);
  return constant(kFloatOne) + Ops::multiply_add(r * r, series, r);
}

/// Below and above them exp is 0 and infinity.
inline constexpr float kFloatExpLeast = -104.0f, kFloatExpMost = 89.0f;

/// e^x, lane by lane: `exp<Ops>(x)`.
///
/// Error: <= 0.99 ulp for every float, subnormal results included (all of them were tried).
/// exp(0) and exp(-0) are 1, no x <= 0 gives more than 1; x < -103.98 and -infinity give 0;
/// x > 88.723 and infinity give infinity; NaN gives NaN.
template <class Ops, class F>
inline F exp(F x) {
  const F least = Ops::template constant<F>(kFloatExpLeast);
  const F most = Ops::template constant<F>(kFloatExpMost);
  x = Ops::select(x > most, most, x);
  x = Ops::select(x < least, least, x);
  F shifted_n;
  const F of_rest = exp_of_rest<Ops>(x, shifted_n);
  return scale_by_power_of_two<Ops>(of_rest, shifted_n);
}

/// Where the weights of softmax end: e^-69 is 2^-99.5.
inline constexpr float kLeastWeightExponent = -69.0f;

/// e^x of x <= 0 for softmax: the bits of `exp` from kLeastWeightExponent on, 0 below it. So small
/// a weight is beyond every digit of a sum that has a weight of 1, but its products with values
/// would be subnormal, which cost processors a hundred times as much as others. Within 1.03 ulp
/// where Ops::multiply_add rounds once.
template <class Ops, class F>
inline F weight_exp(F x) {
  F shifted_n;
  const F of_rest = exp_of_rest<Ops>(x, shifted_n);
  const F one = Ops::template constant<F>(kFloatOne);
  const F power = Ops::from_bits((Ops::bits(shifted_n) << 23) + Ops::bits(one));
  const F least = Ops::template constant<F>(kLeastWeightExponent);
  return Ops::zero_where(x < least, of_rest * power);
}

}  // namespace posenc::math
