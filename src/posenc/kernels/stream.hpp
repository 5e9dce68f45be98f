#pragma once

// Stores that go around the caches, for output that is larger than they are: the processor then
// does not read a line before it writes it. ARM and WebAssembly have none; theirs are plain stores.

#include "posenc/kernels/ops.hpp"

namespace posenc::kernels {
namespace {

template <class F>
inline constexpr bool kStreams = false;

/// Writes to an address that is a multiple of the vector's size.
template <class F>
void stream(float* target, F lanes) {
  lanes.store_unaligned(target);
}

#if defined(POSENC_KERNEL_XSIMD)
#if XSIMD_WITH_SSE4_2
template <>
inline constexpr bool kStreams<xsimd::batch<float, xsimd::sse4_2>> = true;
inline void stream(float* target, xsimd::batch<float, xsimd::sse4_2> lanes) {
  _mm_stream_ps(target, lanes);
}
#endif
#if XSIMD_WITH_AVX2
template <>
inline constexpr bool kStreams<xsimd::batch<float, xsimd::avx2>> = true;
inline void stream(float* target, xsimd::batch<float, xsimd::avx2> lanes) {
  _mm256_stream_ps(target, lanes);
}
#endif
#if XSIMD_WITH_AVX512BW
template <>
inline constexpr bool kStreams<xsimd::batch<float, xsimd::avx512bw>> = true;
inline void stream(float* target, xsimd::batch<float, xsimd::avx512bw> lanes) {
  _mm512_stream_ps(target, lanes);
}
#endif
#endif

/// Puts streamed stores in order with plain ones, for other threads.
inline void finish_streaming() {
#if defined(POSENC_KERNEL_XSIMD) && XSIMD_WITH_SSE4_2
  _mm_sfence();
#endif
}

}  // namespace
}  // namespace posenc::kernels
