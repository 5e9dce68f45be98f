#pragma once

// Neighbouring elements as pairs: beside ops.hpp, what names xsimd operations.

#include "posenc/kernels/ops.hpp"

namespace posenc::kernels {
namespace {

#if defined(POSENC_KERNEL_XSIMD)

/// low, high = a0, b0, a1, b1, ...
template <class Arch>
void zip(xsimd::batch<float, Arch> a, xsimd::batch<float, Arch> b, xsimd::batch<float, Arch>& low,
         xsimd::batch<float, Arch>& high) {
  low = xsimd::zip_lo(a, b);
  high = xsimd::zip_hi(a, b);
}

// Swaps the elements 2i and 2i + 1: xsimd has no operation that is one instruction everywhere.
#if XSIMD_WITH_SSE4_2
inline auto swap_pairs(xsimd::batch<float, xsimd::sse4_2> x) {
  return xsimd::batch<float, xsimd::sse4_2>(_mm_shuffle_ps(x, x, 0xB1));
}
#endif
#if XSIMD_WITH_AVX2
inline auto swap_pairs(xsimd::batch<float, xsimd::avx2> x) {
  return xsimd::batch<float, xsimd::avx2>(_mm256_permute_ps(x, 0xB1));
}
#endif
#if XSIMD_WITH_AVX512BW
inline auto swap_pairs(xsimd::batch<float, xsimd::avx512bw> x) {
  return xsimd::batch<float, xsimd::avx512bw>(_mm512_permute_ps(x, 0xB1));
}
/// xsimd takes ten shuffles for what is one here.
inline void zip(xsimd::batch<float, xsimd::avx512bw> a, xsimd::batch<float, xsimd::avx512bw> b,
                xsimd::batch<float, xsimd::avx512bw>& low,
                xsimd::batch<float, xsimd::avx512bw>& high) {
  const __m512i first = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const __m512i next = _mm512_add_epi32(first, _mm512_set1_epi32(8));
  low = _mm512_permutex2var_ps(a, first, b);
  high = _mm512_permutex2var_ps(a, next, b);
}
#endif
#if XSIMD_WITH_NEON64
inline auto swap_pairs(xsimd::batch<float, xsimd::neon64> x) {
  return xsimd::batch<float, xsimd::neon64>(vrev64q_f32(x));
}
#endif
#if XSIMD_WITH_WASM
inline auto swap_pairs(xsimd::batch<float, xsimd::wasm> x) {
  return xsimd::batch<float, xsimd::wasm>(wasm_i32x4_shuffle(x, x, 1, 0, 3, 2));
}
#endif

/// Writes a0, b0, a1, b1, ...
template <class Arch>
void store_interleaved(float* target, xsimd::batch<float, Arch> a, xsimd::batch<float, Arch> b) {
  xsimd::batch<float, Arch> low, high;
  zip(a, b, low, high);
  low.store_unaligned(target);
  high.store_unaligned(target + a.size);
}

/// Rotates the pairs (2i, 2i + 1) of the 2 * size floats at `x` into `y`.
template <class Arch>
void rotate_adjacent(const float* x, float* y, xsimd::batch<float, Arch> cos,
                     xsimd::batch<float, Arch> sin) {
  using F = xsimd::batch<float, Arch>;
  const F low = F::load_unaligned(x), high = F::load_unaligned(x + F::size);
  // (a, b) cos + (b, a) (-sin, sin): the products and sums of the scalar expression
  F cos_low, cos_high, sin_low, sin_high;
  zip(cos, cos, cos_low, cos_high);
  zip(negate(sin), sin, sin_low, sin_high);
  (low * cos_low + swap_pairs(low) * sin_low).store_unaligned(y);
  (high * cos_high + swap_pairs(high) * sin_high).store_unaligned(y + F::size);
}

#endif  // POSENC_KERNEL_XSIMD

inline void store_interleaved(float* target, Lane<float> a, Lane<float> b) {
  target[0] = a.value;
  target[1] = b.value;
}

inline void rotate_adjacent(const float* x, float* y, Lane<float> cos, Lane<float> sin) {
  const float a = x[0], b = x[1];
  y[0] = a * cos.value - b * sin.value;
  y[1] = b * cos.value + a * sin.value;
}

}  // namespace
}  // namespace posenc::kernels
