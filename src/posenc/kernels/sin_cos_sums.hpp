#pragma once

#include "posenc/kernels/copy_rows.hpp"
#include "posenc/kernels/sin_cos.hpp"
#include "posenc/kernels/stream.hpp"

namespace posenc::kernels {
namespace {

/// Sines and cosines as `sin_cos` has them, to [2, F::size]. Rare, and so apart from the loop.
template <class F>
[[gnu::noinline]] void exact_floats(const SinCosSums& call, std::size_t row, std::size_t i,
                                    float* values) {
  const OnePosition position{call.position + static_cast<double>(row), call.turns};
  F sine, cosine;
  sin_cos_floats(position, {call.sin_scale, call.cos_scale, nullptr}, Rounding::nearest, i, sine,
                 cosine);
  sine.store_unaligned(values);
  cosine.store_unaligned(values + F::size);
}

/// The sums of angles a + b by the addition theorem, in double: within 2^-48.4 of those that
/// `sin_cos` rounds (SinCosRows). Where both ends of an interval of 2^-48 on either side round
/// alike, that is the value; where they do not, once in some thousand vectors, it is computed as
/// `sin_cos` does. Scales of 1 are not multiplied with, unless `scaled`.
template <bool scaled, class F>
POSENC_ALWAYS_INLINE void sum_floats(const SinCosSums& call, std::size_t row, std::size_t i,
                                     F& sine, F& cosine) {
  using D = typename WideOf<F>::D;
  constexpr std::size_t parts = F::size / D::size;
  const double* step = call.steps + row * 2 * kSinCosPairs;
  const D sin_slack(scaled ? __builtin_fabs(call.sin_scale) * 0x1p-48 : 0x1p-48);
  const D cos_slack(scaled ? __builtin_fabs(call.cos_scale) * 0x1p-48 : 0x1p-48);
  D s_low[parts], s_high[parts], c_low[parts], c_high[parts];
  for (std::size_t part = 0; part < parts; ++part) {
    const std::size_t lane = i + part * D::size;
    const D sin_a = load<D>(call.base + lane), cos_a = load<D>(call.base + kSinCosPairs + lane);
    const D sin_b = load<D>(step + lane), cos_b = load<D>(step + kSinCosPairs + lane);
    D s = sin_a * cos_b + cos_a * sin_b;
    D c = cos_a * cos_b - sin_a * sin_b;
    if constexpr (scaled) {
      s = s * D(call.sin_scale);
      c = c * D(call.cos_scale);
    }
    s_low[part] = s - sin_slack;
    s_high[part] = s + sin_slack;
    c_low[part] = c - cos_slack;
    c_high[part] = c + cos_slack;
  }
  sine = narrow(s_low);
  cosine = narrow(c_low);
  const auto sine_differs = sine != narrow(s_high);
  if (any(sine_differs | (cosine != narrow(c_high)))) {
    float exact[2 * F::size];
    exact_floats<F>(call, row, i, exact);
    sine = load<F>(exact);
    cosine = load<F>(exact + F::size);
  }
}

/// Pairs i to i + F::size of a row.
template <bool scaled, class F>
POSENC_ALWAYS_INLINE void sum_vector(const SinCosSums& call, std::size_t row, std::size_t i,
                                     float* sin, float* cos) {
  F sine, cosine;
  sum_floats<scaled>(call, row, i, sine, cosine);
  store_pairs(sine, cosine, i, sin, cos);
}

/// Rows [first, first + rows), row r to sin + r * stride and cos + r * stride. The last vector of a
/// row overlaps the one before it, where it would not be full.
template <class Arch, bool scaled>
void sum_rows(const SinCosSums& call, std::size_t first, std::size_t rows, float* sin, float* cos,
              std::size_t stride) {
  using F = typename Vectors<Arch>::F;
  for (std::size_t row = first; row < first + rows; ++row) {
    std::size_t i = 0;
    for (; i + F::size <= call.pairs; i += F::size) {
      sum_vector<scaled, F>(call, row, i, sin, cos);
    }
    if (i != 0 && i < call.pairs) {
      sum_vector<scaled, F>(call, row, call.pairs - F::size, sin, cos);
    } else {
      for (; i < call.pairs; ++i) sum_vector<scaled, Lane<float>>(call, row, i, sin, cos);
    }
    sin += stride;
    cos += stride;
  }
}

/// By way of a tile, since whole lines go around the caches alone: of one row, so that it leaves
/// while the next is computed, or of all where there is no gap between them.
template <class Arch, bool scaled>
void stream_rows(const SinCosSums& call) {
  using F = typename Vectors<Arch>::F;
  alignas(64) float tile[2 * kSinCosPairs * kSinCosRows];
  const bool interleaved = call.cos == call.sin + 1 || call.sin == call.cos + 1;
  const std::size_t width = (interleaved ? 2 : 1) * call.pairs;
  const std::size_t rows = call.stride == width ? call.rows : 1;
  const auto send = [&](const float* values, float* out) {
    copy_bytes<F, kStreams<F>>(reinterpret_cast<const char*>(values), reinterpret_cast<char*>(out),
                               rows * width * sizeof(float));
  };
  for (std::size_t row = 0; row < call.rows; row += rows) {
    float* sin = call.sin + row * call.stride;
    float* cos = call.cos + row * call.stride;
    if (interleaved) {
      float* begin = cos == sin + 1 ? sin : cos;
      sum_rows<Arch, scaled>(call, row, rows, tile + (sin - begin), tile + (cos - begin), width);
      send(tile, begin);
    } else {
      float* other = tile + kSinCosPairs * kSinCosRows;
      sum_rows<Arch, scaled>(call, row, rows, tile, other, width);
      send(tile, sin);
      send(other, cos);
    }
  }
}

template <class Arch, bool scaled>
void sums(const SinCosSums& call) {
  if constexpr (kStreams<typename Vectors<Arch>::F>) {
    if (call.streamed) return stream_rows<Arch, scaled>(call);
  }
  sum_rows<Arch, scaled>(call, 0, call.rows, call.sin, call.cos, call.stride);
}

template <class Arch>
void sin_cos_sums(const SinCosSums& call) noexcept {
  if (call.sin_scale == 1.0 && call.cos_scale == 1.0) return sums<Arch, false>(call);
  sums<Arch, true>(call);
}

inline void finish_streams() noexcept { finish_streaming(); }

}  // namespace
}  // namespace posenc::kernels
