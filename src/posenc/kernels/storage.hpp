#pragma once

#include "posenc/kernels/halves.hpp"
#include "posenc/kernels/loops.hpp"

namespace posenc::kernels {
namespace {

// 16-bit storage to and from float, in integer operations alone: conversion instructions differ in
// what they do to NaN payloads and subnormals, and some targets have none.

// The bits of a float and of a binary16.
constexpr std::int32_t kMagnitude = 0x7fffffff, kInfinity = 0x7f800000;
constexpr std::int32_t kHalfSign = 0x8000, kHalfMagnitude = 0x7fff, kHalfNan = 0x0200;
/// How much greater a float's exponent is, in place.
constexpr std::int32_t kHalfBias = 112 << 10;
constexpr float kHalfScale = 0x1p112f;
/// The least magnitude of normal numbers, and that of infinity.
constexpr float kHalfNormal = 0x1p-14f, kHalfEnd = 0x1p16f;
/// Its unit in the last place is that of subnormal ones.
constexpr float kHalfUnit = 0.5f;
/// One in the last place, and what is added to round to the nearest, with ties to even.
constexpr std::int32_t kLastBit = 1, kHalfNearest = 0x0fff, kBrainNearest = 0x7fff;
constexpr std::int32_t kBrainMask = 0xffff, kBrainNan = 0x0040;

/// The float of the binary16 in the low half of each lane.
///
/// Shifted into place, the exponent is 112 too small, which a multiplication by 2^112 mends for
/// normal and subnormal numbers alike; infinities and NaNs, which are 2^16 or more after it, then
/// get the exponent of theirs.
template <class I>
auto widen_float16(I half) {
  using F = decltype(from_bits(half));
  const I sign = (half & constant<I>(kHalfSign)) << 16;
  const F scaled = from_bits((half & constant<I>(kHalfMagnitude)) << 13) * constant<F>(kHalfScale);
  const F infinity = from_bits(constant<I>(kInfinity));
  const F special = select(scaled >= constant<F>(kHalfEnd), infinity, F(0.0f));
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
  const F unit = constant<F>(kHalfUnit);
  const I sign = (bits(value) >> 16) & constant<I>(kHalfSign);
  const I magnitude = bits(value) & constant<I>(kMagnitude);
  const I small = bits(from_bits(magnitude) + unit) - bits(unit);
  const I bounded = smaller(magnitude, bits(constant<F>(kHalfEnd)));
  const I odd = (bounded >> 13) & constant<I>(kLastBit);
  const I rounded = (bounded + odd + constant<I>(kHalfNearest)) >> 13;
  const F normal = from_bits(rounded - constant<I>(kHalfBias));
  const auto is_small = from_bits(magnitude) < constant<F>(kHalfNormal);
  const F nearest = select(is_small, from_bits(small), normal);
  const F nan = select(is_nan(value), from_bits(constant<I>(kHalfNan)), F(0.0f));
  return bits(nearest) | bits(nan) | sign;
}

template <class F>
auto narrow_bfloat16(F value) {
  using I = decltype(bits(value));
  const I all = bits(value);
  const I odd = (all >> 16) & constant<I>(kLastBit);
  const I rounded = (all + odd + constant<I>(kBrainNearest)) >> 16;
  const I nan = (all >> 16) | constant<I>(kBrainNan);
  const F nearest = select(is_nan(value), from_bits(nan), from_bits(rounded));
  return bits(nearest) & constant<I>(kBrainMask);
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
