#pragma once

// The operations that kernels are written in, for vectors of every architecture and for one lane.
// This file, pairs.hpp, ties.hpp, halves.hpp and stream.hpp alone name operations of xsimd or of an
// architecture; where one differs by architecture it is mended there, so that a kernel's bits do
// not depend on where it runs.
//
// Everything in kernel headers has internal linkage (the anonymous namespaces): each architecture's
// translation unit keeps its own copy, compiled with its own flags. Shared inline functions would
// let the linker pick an AVX-512 copy for a processor that has none. For the same reason kernel
// files use nothing of namespace std but integer types.

#include <cstddef>
#include <cstdint>

#include "posenc/kernels/kernels.hpp"

#if defined(POSENC_KERNEL_XSIMD)
#include <xsimd/xsimd.hpp>
#endif

/// For what stands in the innermost loops: vectors that are passed to a function go through memory.
#define POSENC_ALWAYS_INLINE [[gnu::always_inline]] inline

namespace posenc::kernels {
namespace {

/// One lane with the interface of a vector: the scalar kernels, and the tails of all others.
template <class T>
struct Lane {
  using value_type = T;
  static constexpr std::size_t size = 1;
  static constexpr bool kIsInteger = static_cast<T>(0.5) == T{0};

  T value;

  Lane() = default;
  Lane(T scalar) : value(scalar) {}
  static Lane load_unaligned(const T* source) { return *source; }
  void store_unaligned(T* target) const { *target = value; }

  // integers wrap around, as those of vectors do
  friend Lane operator+(Lane a, Lane b) {
    if constexpr (kIsInteger) {
      __builtin_add_overflow(a.value, b.value, &a.value);
      return a;
    } else {
      return a.value + b.value;
    }
  }
  friend Lane operator-(Lane a, Lane b) {
    if constexpr (kIsInteger) {
      __builtin_sub_overflow(a.value, b.value, &a.value);
      return a;
    } else {
      return a.value - b.value;
    }
  }
  friend Lane operator*(Lane a, Lane b) { return a.value * b.value; }
  friend Lane operator&(Lane a, Lane b) { return a.value & b.value; }
  friend Lane operator|(Lane a, Lane b) { return a.value | b.value; }
  friend Lane operator^(Lane a, Lane b) { return a.value ^ b.value; }
  friend Lane operator<<(Lane a, int count) { return static_cast<T>(a.value << count); }
  friend Lane operator>>(Lane a, int count) { return static_cast<T>(a.value >> count); }
  friend bool operator<(Lane a, Lane b) { return a.value < b.value; }
  friend bool operator>(Lane a, Lane b) { return a.value > b.value; }
  friend bool operator<=(Lane a, Lane b) { return a.value <= b.value; }
  friend bool operator>=(Lane a, Lane b) { return a.value >= b.value; }
  friend bool operator==(Lane a, Lane b) { return a.value == b.value; }
  friend bool operator!=(Lane a, Lane b) { return a.value != b.value; }
};

template <class T>
Lane<T> select(bool condition, Lane<T> yes, Lane<T> no) {
  return condition ? yes : no;
}
inline Lane<float> zero_where(bool condition, Lane<float> x) { return condition ? 0.0f : x; }
inline bool any(int condition) { return condition != 0; }
inline Lane<std::int32_t> bits(Lane<float> x) { return __builtin_bit_cast(std::int32_t, x.value); }
inline Lane<std::int64_t> bits(Lane<double> x) { return __builtin_bit_cast(std::int64_t, x.value); }
inline Lane<float> from_bits(Lane<std::int32_t> x) { return __builtin_bit_cast(float, x.value); }
inline Lane<double> from_bits(Lane<std::int64_t> x) { return __builtin_bit_cast(double, x.value); }
inline Lane<std::int32_t> smaller(Lane<std::int32_t> a, Lane<std::int32_t> b) {
  return a < b ? a : b;
}
inline Lane<float> larger(Lane<float> a, Lane<float> b) { return a > b ? a : b; }
inline Lane<float> divide(Lane<float> a, Lane<float> b) { return a.value / b.value; }
inline Lane<float> multiply_add(Lane<float> a, Lane<float> b, Lane<float> c) { return c + a * b; }
inline Lane<float> narrow(const Lane<double> (&x)[1]) { return static_cast<float>(x[0].value); }
inline void widen(Lane<float> x, Lane<double> (&y)[1]) { y[0] = static_cast<double>(x.value); }

/// The scalar "architecture": reference, fallback and baseline of the benchmarks.
struct Scalar {};

/// The vectors of an architecture: F of floats, and the D of doubles of which `kParts` make one F.
template <class Arch>
struct Vectors;
template <>
struct Vectors<Scalar> {
  using F = Lane<float>;
  using D = Lane<double>;
};

#if defined(POSENC_KERNEL_XSIMD)

template <class Arch>
struct Vectors {
  using F = xsimd::batch<float, Arch>;
  using D = xsimd::batch<double, Arch>;
};

using xsimd::any;
using xsimd::select;

template <class Arch>
xsimd::batch<std::int32_t, Arch> bits(xsimd::batch<float, Arch> x) {
  return xsimd::bitwise_cast<std::int32_t>(x);
}
template <class Arch>
xsimd::batch<std::int64_t, Arch> bits(xsimd::batch<double, Arch> x) {
  return xsimd::bitwise_cast<std::int64_t>(x);
}
template <class Arch>
xsimd::batch<float, Arch> from_bits(xsimd::batch<std::int32_t, Arch> x) {
  return xsimd::bitwise_cast<float>(x);
}
template <class Arch>
xsimd::batch<double, Arch> from_bits(xsimd::batch<std::int64_t, Arch> x) {
  return xsimd::bitwise_cast<double>(x);
}

/// -x, for zeros as well: xsimd negates as 0 - x on AVX-512, which leaves +0 as it is. (A lane has
/// no negation, so that no kernel writes one.)
template <class Arch>
xsimd::batch<float, Arch> negate(xsimd::batch<float, Arch> x) {
  return from_bits(bits(x) ^ xsimd::batch<std::int32_t, Arch>(INT32_MIN));
}

template <class Arch>
xsimd::batch<std::int32_t, Arch> smaller(xsimd::batch<std::int32_t, Arch> a,
                                         xsimd::batch<std::int32_t, Arch> b) {
  return xsimd::min(a, b);
}

/// a > b ? a : b, which is b where either is NaN: of xsimd's max that holds on some architectures.
template <class Arch>
xsimd::batch<float, Arch> larger(xsimd::batch<float, Arch> a, xsimd::batch<float, Arch> b) {
#if defined(__wasm__)
  return wasm_f32x4_pmax(b, a);
#elif defined(__x86_64__)
  return xsimd::max(a, b);
#else
  return select(a > b, a, b);
#endif
}

/// 0 where the comparison held, else x: one operation where a choice takes more.
template <class Arch>
xsimd::batch<float, Arch> zero_where(xsimd::batch_bool<float, Arch> mask,
                                     xsimd::batch<float, Arch> x) {
#if (defined(__x86_64__) && !defined(__AVX512F__)) || defined(__wasm__)
  return xsimd::bitwise_andnot(x, xsimd::batch<float, Arch>(mask.data));
#else
  return select(mask, xsimd::batch<float, Arch>(0.0f), x);  // masks are of another type there
#endif
}

/// a / b, correctly rounded.
template <class Arch>
xsimd::batch<float, Arch> divide(xsimd::batch<float, Arch> a, xsimd::batch<float, Arch> b) {
  return a / b;
}

/// a * b + c, in one rounding where `kFuses` (of relaxed SIMD: where the processor can).
template <class Arch>
xsimd::batch<float, Arch> multiply_add(xsimd::batch<float, Arch> a, xsimd::batch<float, Arch> b,
                                       xsimd::batch<float, Arch> c) {
#if defined(__AVX512F__)
  return _mm512_fmadd_ps(a, b, c);
#elif defined(__FMA__)
  return _mm256_fmadd_ps(a, b, c);
#elif defined(__aarch64__)
  return vfmaq_f32(c, a, b);
#elif defined(__wasm_relaxed_simd__)
  return wasm_f32x4_relaxed_madd(a, b, c);
#else
  return c + a * b;
#endif
}

// Rounds two vectors of doubles to one of floats, and widens one of floats to two: xsimd has no
// operation for either that is one instruction everywhere.
#if XSIMD_WITH_SSE4_2
inline auto narrow(const xsimd::batch<double, xsimd::sse4_2> (&x)[2]) {
  return xsimd::batch<float, xsimd::sse4_2>(_mm_movelh_ps(_mm_cvtpd_ps(x[0]), _mm_cvtpd_ps(x[1])));
}
inline void widen(xsimd::batch<float, xsimd::sse4_2> x,
                  xsimd::batch<double, xsimd::sse4_2> (&y)[2]) {
  y[0] = _mm_cvtps_pd(x);
  y[1] = _mm_cvtps_pd(_mm_movehl_ps(x, x));
}
#endif
#if XSIMD_WITH_AVX2
inline auto narrow(const xsimd::batch<double, xsimd::avx2> (&x)[2]) {
  return xsimd::batch<float, xsimd::avx2>(
      _mm256_set_m128(_mm256_cvtpd_ps(x[1]), _mm256_cvtpd_ps(x[0])));
}
inline void widen(xsimd::batch<float, xsimd::avx2> x, xsimd::batch<double, xsimd::avx2> (&y)[2]) {
  y[0] = _mm256_cvtps_pd(_mm256_castps256_ps128(x));
  y[1] = _mm256_cvtps_pd(_mm256_extractf128_ps(x, 1));
}
#endif
#if XSIMD_WITH_AVX512BW
inline auto narrow(const xsimd::batch<double, xsimd::avx512bw> (&x)[2]) {
  const __m512 low = _mm512_castps256_ps512(_mm512_cvtpd_ps(x[0]));
  return xsimd::batch<float, xsimd::avx512bw>(_mm512_insertf32x8(low, _mm512_cvtpd_ps(x[1]), 1));
}
inline void widen(xsimd::batch<float, xsimd::avx512bw> x,
                  xsimd::batch<double, xsimd::avx512bw> (&y)[2]) {
  y[0] = _mm512_cvtps_pd(_mm512_castps512_ps256(x));
  y[1] = _mm512_cvtps_pd(_mm512_extractf32x8_ps(x, 1));
}
#endif
#if XSIMD_WITH_NEON64
inline auto narrow(const xsimd::batch<double, xsimd::neon64> (&x)[2]) {
  return xsimd::batch<float, xsimd::neon64>(vcombine_f32(vcvt_f32_f64(x[0]), vcvt_f32_f64(x[1])));
}
inline void widen(xsimd::batch<float, xsimd::neon64> x,
                  xsimd::batch<double, xsimd::neon64> (&y)[2]) {
  y[0] = vcvt_f64_f32(vget_low_f32(x));
  y[1] = vcvt_f64_f32(vget_high_f32(x));
}
// xsimd divides by a Newton approximation here, which is not correctly rounded.
inline auto divide(xsimd::batch<float, xsimd::neon64> a, xsimd::batch<float, xsimd::neon64> b) {
  return xsimd::batch<float, xsimd::neon64>(vdivq_f32(a, b));
}
#endif
#if XSIMD_WITH_WASM
inline auto narrow(const xsimd::batch<double, xsimd::wasm> (&x)[2]) {
  return xsimd::batch<float, xsimd::wasm>(wasm_i32x4_shuffle(
      wasm_f32x4_demote_f64x2_zero(x[0]), wasm_f32x4_demote_f64x2_zero(x[1]), 0, 1, 4, 5));
}
inline void widen(xsimd::batch<float, xsimd::wasm> x, xsimd::batch<double, xsimd::wasm> (&y)[2]) {
  y[0] = wasm_f64x2_promote_low_f32x4(x);
  y[1] = wasm_f64x2_promote_low_f32x4(wasm_i32x4_shuffle(x, x, 2, 3, 2, 3));
}
#endif

#endif  // POSENC_KERNEL_XSIMD

/// Whether `multiply_add` of vectors is an operation of its own.
#if defined(__FMA__) || defined(__AVX512F__) || defined(__aarch64__) || \
    defined(__wasm_relaxed_simd__)
inline constexpr bool kFuses = true;
#else
inline constexpr bool kFuses = false;
#endif

/// The doubles that belong to a vector of floats.
template <class F>
struct WideOf;
template <>
struct WideOf<Lane<float>> {
  using D = Lane<double>;
};
#if defined(POSENC_KERNEL_XSIMD)
template <class Arch>
struct WideOf<xsimd::batch<float, Arch>> {
  using D = xsimd::batch<double, Arch>;
};
#endif

template <class V>
V load(const typename V::value_type* source) {
  return V::load_unaligned(source);
}

/// A named constant in every lane, for what stands in loops. V8 makes a constant of WebAssembly
/// anew wherever it is used, by three instructions of which two go through the port of shuffles;
/// this is a load, whose address hides the value from compilers.
template <class V>
POSENC_ALWAYS_INLINE V constant(const typename V::value_type& value) {
#if defined(__wasm__)
  if constexpr (V::size > 1) {
    const typename V::value_type* address = &value;
    asm("" : "+r"(address));
    if constexpr (sizeof value == 4) return V(wasm_v128_load32_splat(address));
    if constexpr (sizeof value == 8) return V(wasm_v128_load64_splat(address));
  }
#endif
  return V(value);
}
template <class V>
V constant(const typename V::value_type&& value) = delete;

}  // namespace
}  // namespace posenc::kernels
