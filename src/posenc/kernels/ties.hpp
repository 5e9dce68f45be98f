#pragma once

// Doubles that are near the middle between two floats, where a small error decides how they round:
// beside ops.hpp, what names xsimd operations.

#include "posenc/kernels/ops.hpp"

namespace posenc::kernels {
namespace {

// The low halves of the doubles that one vector of floats is made of, in any order.
inline Lane<std::int32_t> low_halves(const Lane<double> (&x)[1]) {
  return static_cast<std::int32_t>(bits(x[0]).value);
}

#if defined(POSENC_KERNEL_XSIMD)
#if XSIMD_WITH_SSE4_2
inline auto low_halves(const xsimd::batch<double, xsimd::sse4_2> (&x)[2]) {
  return xsimd::batch<std::int32_t, xsimd::sse4_2>(
      _mm_castps_si128(_mm_shuffle_ps(_mm_castpd_ps(x[0]), _mm_castpd_ps(x[1]), 0x88)));
}
#endif
#if XSIMD_WITH_AVX2
inline auto low_halves(const xsimd::batch<double, xsimd::avx2> (&x)[2]) {
  return xsimd::batch<std::int32_t, xsimd::avx2>(
      _mm256_castps_si256(_mm256_shuffle_ps(_mm256_castpd_ps(x[0]), _mm256_castpd_ps(x[1]), 0x88)));
}
#endif
#if XSIMD_WITH_AVX512BW
inline auto low_halves(const xsimd::batch<double, xsimd::avx512bw> (&x)[2]) {
  return xsimd::batch<std::int32_t, xsimd::avx512bw>(
      _mm512_castps_si512(_mm512_shuffle_ps(_mm512_castpd_ps(x[0]), _mm512_castpd_ps(x[1]), 0x88)));
}
#endif
#if XSIMD_WITH_NEON64
inline auto low_halves(const xsimd::batch<double, xsimd::neon64> (&x)[2]) {
  return xsimd::batch<std::int32_t, xsimd::neon64>(
      vuzp1q_s32(vreinterpretq_s32_f64(x[0]), vreinterpretq_s32_f64(x[1])));
}
#endif
#if XSIMD_WITH_WASM
inline auto low_halves(const xsimd::batch<double, xsimd::wasm> (&x)[2]) {
  return xsimd::batch<std::int32_t, xsimd::wasm>(wasm_i32x4_shuffle(x[0], x[1], 0, 2, 4, 6));
}
#endif
#endif

/// ((low + reach) mod 2^29) * 8 as a signed number, `low` being what a float has no room for: 29
/// bits of the significand, 2^28 in the middle between two floats. It is below INT32_MIN + 16 *
/// reach where a double is less than `reach` of its ulps from the middle.
template <class D, std::size_t parts>
auto beyond_tie(const D (&x)[parts], const std::int32_t& reach) {
  const auto low = low_halves(x);
  return (low + constant<decltype(low_halves(x))>(reach)) << 3;
}

}  // namespace
}  // namespace posenc::kernels
