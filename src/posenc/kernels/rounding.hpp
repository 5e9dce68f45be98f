#pragma once

#include "posenc/kernels/ops.hpp"

namespace posenc::kernels {
namespace {

/// A magnitude below 2^-126, whose floats are multiples of 2^-149, rounded to odd: the sum with
/// 2^-97, a number whose last bit is 2^-149, is the nearest; one step back if that is beyond.
template <class D>
D subnormal_to_odd(D magnitude) {
  using I = decltype(bits(magnitude));
  const D unit(0x1p-97);
  const D sum = magnitude + unit, nearest = sum - unit;
  const D below = from_bits(bits(sum) - I(1));
  const D cut = select(nearest > magnitude, below, sum);
  return select(nearest == magnitude, sum, from_bits(bits(cut) | I(1))) - unit;
}

/// A double that `narrow` makes the float of `value` rounded to odd: of the float's bits, all of
/// them kept, the last one set if any other was.
template <class D>
D round_to_odd(D value) {
  using I = decltype(bits(value));
  const I rest = bits(value) & I(0x1fffffff);
  const I sticky = (rest + I(0x1fffffff)) & I(0x20000000);
  const I sign = bits(value) & I(INT64_MIN);
  const D magnitude = from_bits(bits(value) ^ sign);
  const D normal = from_bits((bits(value) ^ rest) | sticky);
  const D subnormal = from_bits(bits(subnormal_to_odd(magnitude)) | sign);
  return select(magnitude < D(0x1p-126), subnormal, normal);
}

/// The vector of floats of its doubles, rounded as asked.
template <Rounding rounding, class D, std::size_t parts>
auto to_floats(D (&values)[parts]) {
  if constexpr (rounding == Rounding::odd) {
    for (D& value : values) value = round_to_odd(value);
  }
  return narrow(values);
}

}  // namespace
}  // namespace posenc::kernels
