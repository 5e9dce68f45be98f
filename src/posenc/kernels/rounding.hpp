#pragma once

#include "posenc/kernels/ops.hpp"

namespace posenc::kernels {
namespace {

constexpr double kOddUnit = 0x1p-97, kFloatNormal = 0x1p-126;
/// The bits of a double: its sign, what a float has no room for, and the last that it has.
constexpr std::int64_t kSignBit = INT64_MIN, kRestBits = 0x1fffffff, kLastFloatBit = 0x20000000;
constexpr std::int64_t kLastDoubleBit = 1;

/// A magnitude below 2^-126, whose floats are multiples of 2^-149, rounded to odd: the sum with
/// 2^-97, a number whose last bit is 2^-149, is the nearest; one step back if that is beyond.
template <class D>
D subnormal_to_odd(D magnitude) {
  using I = decltype(bits(magnitude));
  const D unit = constant<D>(kOddUnit);
  const I last = constant<I>(kLastDoubleBit);
  const D sum = magnitude + unit, nearest = sum - unit;
  const D below = from_bits(bits(sum) - last);
  const D cut = select(nearest > magnitude, below, sum);
  return select(nearest == magnitude, sum, from_bits(bits(cut) | last)) - unit;
}

/// A double that `narrow` makes the float of `value` rounded to odd: of the float's bits, all of
/// them kept, the last one set if any other was.
template <class D>
D round_to_odd(D value) {
  using I = decltype(bits(value));
  const I rest_bits = constant<I>(kRestBits);
  const I rest = bits(value) & rest_bits;
  const I sticky = (rest + rest_bits) & constant<I>(kLastFloatBit);
  const I sign = bits(value) & constant<I>(kSignBit);
  const D magnitude = from_bits(bits(value) ^ sign);
  const D normal = from_bits((bits(value) ^ rest) | sticky);
  const D subnormal = from_bits(bits(subnormal_to_odd(magnitude)) | sign);
  return select(magnitude < constant<D>(kFloatNormal), subnormal, normal);
}

/// Rounds lanes to odd. Apart from the loops that call it, for it is rare and long; by way of
/// memory, for GCC 12 loses AVX-512 vectors that such a function takes by reference.
template <class D>
[[gnu::noinline]] void make_odd(double* lanes, std::size_t count) {
  for (std::size_t i = 0; i < count; i += D::size) {
    round_to_odd(load<D>(lanes + i)).store_unaligned(lanes + i);
  }
}

/// The vector of floats of its doubles, rounded as asked.
template <class D, std::size_t parts>
auto to_floats(Rounding rounding, const D (&values)[parts]) {
  if (rounding == Rounding::nearest) return narrow(values);
  double lanes[parts * D::size];
  for (std::size_t i = 0; i < parts; ++i) values[i].store_unaligned(lanes + i * D::size);
  make_odd<D>(lanes, parts * D::size);
  D odd[parts];
  for (std::size_t i = 0; i < parts; ++i) odd[i] = load<D>(lanes + i * D::size);
  return narrow(odd);
}

}  // namespace
}  // namespace posenc::kernels
