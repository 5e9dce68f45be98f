#pragma once

#include "posenc/kernels/ops.hpp"

namespace posenc::kernels {
namespace {

// 16-bit storage to and from float, in integer operations alone: conversion instructions differ in
// what they do to NaN payloads and subnormals, and some targets have none.

/// The float of the binary16 in the low half of each lane.
///
/// Shifted into place, the exponent is 112 too small, which a multiplication by 2^112 mends for
/// normal and subnormal numbers alike; infinities and NaNs then get the exponent of theirs.
template <class I>
auto widen_float16(I half) {
  const I sign = (half & I(0x8000)) << 16;
  const I magnitude = half & I(0x7fff);
  const auto scaled = from_bits(magnitude << 13) * decltype(from_bits(half))(0x1p112f);
  const I special = select(magnitude >= I(0x7c00), I(0x7f800000), I(0));
  return from_bits(bits(scaled) | sign | special);
}

template <class I>
auto widen_bfloat16(I half) {
  return from_bits(half << 16);
}

/// The binary16 nearest to each lane, ties to even, in its low half.
///
/// Adding a power of two whose unit in the last place is that of the result lets the float addition
/// do the rounding; below 2^-14 that is a fixed 0.5.
template <class F>
auto narrow_float16(F value) {
  using I = decltype(bits(value));
  const I all = bits(value);
  const I sign = (all >> 16) & I(0x8000);
  const I magnitude = all & I(0x7fffffff);
  const I small = bits(from_bits(magnitude) + F(0.5f)) - I(0x3f000000);
  const I odd = (magnitude >> 13) & I(1);
  const I normal = ((magnitude + odd + I(0x0fff)) >> 13) - I(112 << 10);
  const I finite = select(magnitude < I(0x38800000), small, normal);
  const I huge = select(magnitude > I(0x7f800000), I(0x7e00), I(0x7c00));
  return select(magnitude >= I(0x477ff000), huge, finite) | sign;
}

template <class F>
auto narrow_bfloat16(F value) {
  using I = decltype(bits(value));
  const I all = bits(value);
  const I odd = (all >> 16) & I(1);
  const I rounded = ((all + odd + I(0x7fff)) >> 16) & I(0xffff);
  const I nan = ((all >> 16) & I(0xffff)) | I(0x0040);
  return select((all & I(0x7fffffff)) > I(0x7f800000), nan, rounded);
}

template <class Arch>
void widen_float16(const std::uint16_t* source, float* target, std::size_t count) noexcept {
  sweep<Arch>(count, [&]<class F>(F*, std::size_t i) {
    widen_float16(load_halves<F>(source + i)).store_unaligned(target + i);
  });
}

template <class Arch>
void widen_bfloat16(const std::uint16_t* source, float* target, std::size_t count) noexcept {
  sweep<Arch>(count, [&]<class F>(F*, std::size_t i) {
    widen_bfloat16(load_halves<F>(source + i)).store_unaligned(target + i);
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
