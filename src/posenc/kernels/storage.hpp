#pragma once

#include "posenc/kernels/halves.hpp"

namespace posenc::kernels {
namespace {

// 16-bit storage to and from float, in integer operations alone: conversion instructions differ in
// what they do to NaN payloads and subnormals, and some targets have none.

/// The float of the binary16 in the low half of each lane.
///
/// Shifted into place, the exponent is 112 too small, which a multiplication by 2^112 mends for
/// normal and subnormal numbers alike; infinities and NaNs, which are 2^16 or more after it, then
/// get the exponent of theirs.
template <class I>
auto widen_float16(I half) {
  using F = decltype(from_bits(half));
  const I sign = (half & I(0x8000)) << 16;
  const F scaled = from_bits((half & I(0x7fff)) << 13) * F(0x1p112f);
  const F special = select(scaled >= F(0x1p16f), from_bits(I(0x7f800000)), F(0.0f));
  return from_bits(bits(scaled) | sign | bits(special));
}

template <class I>
auto widen_bfloat16(I half) {
  return from_bits(half << 16);
}

template <class F>
auto is_nan(F value) {
  const F same = value;
  return value != same;
}

/// The binary16 nearest to each lane, ties to even, in its low half.
///
/// Adding a power of two whose unit in the last place is that of the result lets the float addition
/// do the rounding; below 2^-14 that is a fixed 0.5. 2^16 and what is above it becomes infinity.
template <class F>
auto narrow_float16(F value) {
  using I = decltype(bits(value));
  const I sign = (bits(value) >> 16) & I(0x8000);
  const I magnitude = bits(value) & I(0x7fffffff);
  const I small = bits(from_bits(magnitude) + F(0.5f)) - I(0x3f000000);
  const I bounded = smaller(magnitude, I(0x47800000));
  const I odd = (bounded >> 13) & I(1);
  const I normal = ((bounded + odd + I(0x0fff)) >> 13) - I(112 << 10);
  const F nearest = select(from_bits(magnitude) < F(0x1p-14f), from_bits(small), from_bits(normal));
  const F nan = select(is_nan(value), from_bits(I(0x0200)), F(0.0f));
  return bits(nearest) | bits(nan) | sign;
}

template <class F>
auto narrow_bfloat16(F value) {
  using I = decltype(bits(value));
  const I all = bits(value);
  const I odd = (all >> 16) & I(1);
  const I rounded = (all + odd + I(0x7fff)) >> 16;
  const I nan = (all >> 16) | I(0x0040);
  return bits(select(is_nan(value), from_bits(nan), from_bits(rounded))) & I(0xffff);
}

template <class Arch>
void widen_float16(const std::uint16_t* source, float* target, std::size_t count) noexcept {
  sweep<Arch>(count, [&]<class F>(F* lanes, std::size_t i) {
    widen_float16(load_halves(source + i, lanes)).store_unaligned(target + i);
  });
}

template <class Arch>
void widen_bfloat16(const std::uint16_t* source, float* target, std::size_t count) noexcept {
  sweep<Arch>(count, [&]<class F>(F* lanes, std::size_t i) {
    widen_bfloat16(load_halves(source + i, lanes)).store_unaligned(target + i);
  });
}

template <class Arch>
void narrow_float16(const float* source, std::uint16_t* target, std::size_t count) noexcept {
  sweep<Arch>(count, [&]<class F>(F*, std::size_t i) {
    store_halves(target + i, narrow_float16(load<F>(source + i)));
  });
}

template <class Arch>
void narrow_bfloat16(const float* source, std::uint16_t* target, std::size_t count) noexcept {
  sweep<Arch>(count, [&]<class F>(F*, std::size_t i) {
    store_halves(target + i, narrow_bfloat16(load<F>(source + i)));
  });
}

}  // namespace
}  // namespace posenc::kernels
