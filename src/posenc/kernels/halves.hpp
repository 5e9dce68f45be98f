#pragma once

// 16-bit elements, one for each lane of 32 bits: beside ops.hpp, what names vectors of an
// architecture. Loops over lanes would go through memory in some compilers.

#include "posenc/kernels/ops.hpp"

namespace posenc::kernels {
namespace {

/// Reads an element for each lane, zero-extended.
inline Lane<std::int32_t> load_halves(const std::uint16_t* source, Lane<float>*) {
  return static_cast<std::int32_t>(*source);
}
/// Writes lanes that are in [0, 65535].
inline void store_halves(std::uint16_t* target, Lane<std::int32_t> halves) {
  *target = static_cast<std::uint16_t>(halves.value);
}

#if defined(POSENC_KERNEL_XSIMD)
#if XSIMD_WITH_SSE4_2
inline auto load_halves(const std::uint16_t* source, xsimd::batch<float, xsimd::sse4_2>*) {
  return xsimd::batch<std::int32_t, xsimd::sse4_2>(_mm_cvtepu16_epi32(_mm_loadu_si64(source)));
}
inline void store_halves(std::uint16_t* target, xsimd::batch<std::int32_t, xsimd::sse4_2> halves) {
  _mm_storeu_si64(target, _mm_packus_epi32(halves, halves));
}
#endif
#if XSIMD_WITH_AVX2
inline auto load_halves(const std::uint16_t* source, xsimd::batch<float, xsimd::avx2>*) {
  const __m128i halves = _mm_loadu_si128(reinterpret_cast<const __m128i*>(source));
  return xsimd::batch<std::int32_t, xsimd::avx2>(_mm256_cvtepu16_epi32(halves));
}
inline void store_halves(std::uint16_t* target, xsimd::batch<std::int32_t, xsimd::avx2> halves) {
  const __m128i low = _mm256_castsi256_si128(halves), high = _mm256_extracti128_si256(halves, 1);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(target), _mm_packus_epi32(low, high));
}
#endif
#if XSIMD_WITH_AVX512BW
inline auto load_halves(const std::uint16_t* source, xsimd::batch<float, xsimd::avx512bw>*) {
  const __m256i halves = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(source));
  return xsimd::batch<std::int32_t, xsimd::avx512bw>(_mm512_cvtepu16_epi32(halves));
}
inline void store_halves(std::uint16_t* target,
                         xsimd::batch<std::int32_t, xsimd::avx512bw> halves) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(target), _mm512_cvtepi32_epi16(halves));
}
#endif
#if XSIMD_WITH_NEON64
inline auto load_halves(const std::uint16_t* source, xsimd::batch<float, xsimd::neon64>*) {
  const int32x4_t lanes = vreinterpretq_s32_u32(vmovl_u16(vld1_u16(source)));
  return xsimd::batch<std::int32_t, xsimd::neon64>(lanes);
}
inline void store_halves(std::uint16_t* target, xsimd::batch<std::int32_t, xsimd::neon64> halves) {
  vst1_u16(target, vmovn_u32(vreinterpretq_u32_s32(halves)));
}
#endif
#if XSIMD_WITH_WASM
inline auto load_halves(const std::uint16_t* source, xsimd::batch<float, xsimd::wasm>*) {
  return xsimd::batch<std::int32_t, xsimd::wasm>(wasm_u32x4_load16x4(source));
}
inline void store_halves(std::uint16_t* target, xsimd::batch<std::int32_t, xsimd::wasm> halves) {
  wasm_v128_store64_lane(target, wasm_u16x8_narrow_i32x4(halves, halves), 0);
}
#endif
#endif

}  // namespace
}  // namespace posenc::kernels
