#pragma once

// The loops of limits.hpp for the vectors that the including file is compiled for. Everything here
// is in an unnamed namespace: no inline function of one architecture may serve another.

#include <cstddef>

#include "limits.hpp"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace posenc::bench {
namespace {

#if defined(__AVX512F__)
struct Vector {
  using Type = __m512;
  static constexpr std::size_t kLanes = 16, kChains = 24;
  static Type all(float x) { return _mm512_set1_ps(x); }
  static Type load(const float* x) { return _mm512_load_ps(x); }
  static void store(float* x, Type v) { _mm512_store_ps(x, v); }
  static void stream(float* x, Type v) { _mm512_stream_ps(x, v); }
  static Type fused(Type a, Type b, Type c) { return _mm512_fmadd_ps(a, b, c); }
};
#elif defined(__AVX2__)
struct Vector {
  using Type = __m256;
  static constexpr std::size_t kLanes = 8, kChains = 12;
  static Type all(float x) { return _mm256_set1_ps(x); }
  static Type load(const float* x) { return _mm256_load_ps(x); }
  static void store(float* x, Type v) { _mm256_store_ps(x, v); }
  static void stream(float* x, Type v) { _mm256_stream_ps(x, v); }
  static Type fused(Type a, Type b, Type c) { return _mm256_fmadd_ps(a, b, c); }
};
#else
struct Vector {
  using Type [[gnu::vector_size(16)]] = float;
  static constexpr std::size_t kLanes = 4, kChains = 12;
  static Type all(float x) { return Type{x, x, x, x}; }
  static Type load(const float* x) { return Type{x[0], x[1], x[2], x[3]}; }
  static void store(float* x, Type v) {
    for (std::size_t i = 0; i < kLanes; ++i) x[i] = v[i];
  }
};
#endif

#if defined(__AVX2__)
constexpr bool kStreams = true;
#else
constexpr bool kStreams = false;
#endif

template <bool stream>
void put(float* x, Vector::Type v) {
#if defined(__AVX2__)
  if constexpr (stream) return Vector::stream(x, v);
#endif
  Vector::store(x, v);
}

template <bool stream>
void end_streams() {
#if defined(__AVX2__)
  if constexpr (stream) _mm_sfence();
#endif
}

template <bool stream>
void fill_loop(float* out, std::size_t count) {
  const Vector::Type value = Vector::all(1.0f);
  for (std::size_t i = 0; i < count; i += 4 * Vector::kLanes)
    for (std::size_t j = 0; j < 4; ++j) put<stream>(out + i + j * Vector::kLanes, value);
  end_streams<stream>();
}

template <bool stream>
void copy_loop(const float* x, float* out, std::size_t count) {
  for (std::size_t i = 0; i < count; i += 4 * Vector::kLanes)
    for (std::size_t j = 0; j < 4; ++j) {
      const std::size_t at = i + j * Vector::kLanes;
      put<stream>(out + at, Vector::load(x + at));
    }
  end_streams<stream>();
}

template <bool stream>
void modify_loop(float* x, std::size_t count) {
  const Vector::Type factor = Vector::all(-1.0f);
  for (std::size_t i = 0; i < count; i += 4 * Vector::kLanes)
    for (std::size_t j = 0; j < 4; ++j) {
      float* at = x + i + j * Vector::kLanes;
      put<stream>(at, Vector::load(at) * factor);
    }
  end_streams<stream>();
}

/// Independent chains that stay in registers: chain = chain * factor + term.
template <bool fused>
float multiply_add_loop(std::size_t count) {
  // volatile: what is known when compiling is computed when compiling.
  volatile float factor_value = 0.5f, term_value = 0.25f;
  const Vector::Type factor = Vector::all(factor_value), term = Vector::all(term_value);
  Vector::Type chains[Vector::kChains];
  for (std::size_t j = 0; j < Vector::kChains; ++j) chains[j] = Vector::all(static_cast<float>(j));
  for (std::size_t i = 0; i < count; ++i) {
#pragma GCC unroll 24
    for (std::size_t j = 0; j < Vector::kChains; ++j) {
#if defined(__AVX2__)
      if constexpr (fused) chains[j] = Vector::fused(chains[j], factor, term);
#endif
      if constexpr (!fused) chains[j] = chains[j] * factor + term;
    }
  }
  Vector::Type sum = chains[0];
  for (std::size_t j = 1; j < Vector::kChains; ++j) sum = sum + chains[j];
  return sum[0];
}

Limits limits_here() {
  return {.fill = fill_loop<false>,
          .copy = copy_loop<false>,
          .modify = modify_loop<false>,
          .stream_fill = kStreams ? fill_loop<true> : nullptr,
          .stream_copy = kStreams ? copy_loop<true> : nullptr,
          .stream_modify = kStreams ? modify_loop<true> : nullptr,
          .multiply_add = multiply_add_loop<false>,
          .fused_multiply_add = kStreams ? multiply_add_loop<true> : nullptr,
          .multiply_adds = Vector::kChains * Vector::kLanes};
}

}  // namespace
}  // namespace posenc::bench
