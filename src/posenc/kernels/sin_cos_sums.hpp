#pragma once

#include "posenc/kernels/copy_rows.hpp"
#include "posenc/kernels/kernels.hpp"
#include "posenc/kernels/sin_cos.hpp"
#include "posenc/kernels/stream.hpp"
#include "posenc/kernels/ties.hpp"

namespace posenc::kernels {
namespace {

/// Where row r goes: to sin + r * stride and cos + r * stride.
struct SinCosPlaces {
  SinCosPlace first;
  std::size_t stride;

  SinCosPlace row(std::size_t r) const { return {first.sin + r * stride, first.cos + r * stride}; }
};

/// Sines and cosines as `sin_cos` has them. Rare, and so apart from the loop.
template <class F>
[[gnu::noinline]] void exact_pairs(const SinCosSums& call, std::size_t row, std::size_t i,
                                   const SinCosPlace& place) {
  const OnePosition position{call.position + static_cast<double>(row), call.turns};
  F sine, cosine;
  sin_cos_floats(position, {call.sin_scale, call.cos_scale, nullptr}, Rounding::nearest, i, sine,
                 cosine);
  place.store(i, sine, cosine);
}

/// In ulps, above 2^16.3 and what rounding a product adds.
constexpr std::int32_t kSinCosReach = 81000;
constexpr std::int32_t kSinCosTied = INT32_MIN + 16 * kSinCosReach;

/// Two rows as far from the middle of the call, the `step`th after it and before it: by the
/// addition theorem, sines and cosines of a + b and a - b are sums of the same four products. They
/// are within 2^-48.7 of the scale of what `sin_cos` computes (SinCosRows). Where the magnitude is
/// at least 2^-12 of the scale, an ulp is 2^-65 of it or more, so that is less than kSinCosReach
/// ulps; vectors with a smaller magnitude, or one that near a tie, once in some hundreds, are
/// computed as `sin_cos` does. The last vector overlaps the one before it, where it would not be
/// full.
template <class Arch, bool interleaved>
void sum_rows(const SinCosSums& call, std::size_t step, const SinCosPlace after,
              const SinCosPlace before) {
  using F = typename Vectors<Arch>::F;
  using D = typename Vectors<Arch>::D;
  using I = decltype(bits(F()));
  constexpr std::size_t parts = F::size / D::size;
  static_assert(F::size <= kSinCosLeastPairs && kSinCosPairs <= 256);
  const std::size_t pairs = call.pairs, last = pairs - F::size;
  const double* base = call.base;
  const double* angles = call.steps + step * 2 * pairs;
  const double scale = call.sin_scale * call.cos_scale;
  const I least(bits(Lane<float>(static_cast<float>(0x1p-24 * scale * scale))).value);
  std::uint8_t doubts[kSinCosPairs];  // where their vectors begin
  std::size_t doubt_count = 0;
  for (std::size_t i = 0; i < pairs; i = i < pairs ? last : i) {
    for (; i <= last; i += F::size) {
      D sin_after[parts], cos_after[parts], sin_before[parts], cos_before[parts];
      for (std::size_t part = 0; part < parts; ++part) {
        const std::size_t lane = i + part * D::size;
        const D sin_a = load<D>(base + lane), cos_a = load<D>(base + pairs + lane);
        const D sin_b = load<D>(angles + lane), cos_b = load<D>(angles + pairs + lane);
        const D sin_cos = sin_a * cos_b, cos_sin = cos_a * sin_b;
        const D cos_cos = cos_a * cos_b, sin_sin = sin_a * sin_b;
        sin_after[part] = sin_cos + cos_sin;
        sin_before[part] = sin_cos - cos_sin;
        cos_after[part] = cos_cos - sin_sin;
        cos_before[part] = cos_cos + sin_sin;
      }
      const F sine_after = narrow(sin_after), cosine_after = narrow(cos_after);
      const F sine_before = narrow(sin_before), cosine_before = narrow(cos_before);
      after.store<interleaved>(i, sine_after, cosine_after);
      before.store<interleaved>(i, sine_before, cosine_before);
      const F after_product = sine_after * cosine_after;
      const F before_product = sine_before * cosine_before;
      const I product =
          smaller(bits(after_product * after_product), bits(before_product * before_product));
      const I near = smaller(
          smaller(beyond_tie(sin_after, kSinCosReach), beyond_tie(cos_after, kSinCosReach)),
          smaller(beyond_tie(sin_before, kSinCosReach), beyond_tie(cos_before, kSinCosReach)));
      const auto tied = near < constant<I>(kSinCosTied);
      const auto small = product < least;
      doubts[doubt_count] = static_cast<std::uint8_t>(i);
      doubt_count += any(tied | small) ? 1 : 0;
    }
  }
  for (std::size_t doubt = 0; doubt < doubt_count; ++doubt) {
    exact_pairs<F>(call, kSinCosRows / 2 + step, doubts[doubt], after);
    exact_pairs<F>(call, kSinCosRows / 2 - 1 - step, doubts[doubt], before);
  }
}

/// Has the call's base be that of the rows after it.
inline void turn_base(const SinCosSums& call) {
  double* __restrict sines = call.base;
  double* __restrict cosines = sines + call.pairs;
  const double* __restrict sin_turn = call.turn;
  const double* __restrict cos_turn = sin_turn + call.pairs;
  for (std::size_t i = 0; i < call.pairs; ++i) {
    const double sin = sines[i], cos = cosines[i];
    sines[i] = sin * cos_turn[i] + cos * sin_turn[i];
    cosines[i] = cos * cos_turn[i] - sin * sin_turn[i];
  }
}

/// The rows of a call, two by two from its middle on: `place(row)` is where a row goes, `sent(row)`
/// comes after it.
template <class Arch, class Place, class Sent>
POSENC_ALWAYS_INLINE void sum_all(const SinCosSums& call, const Place& place, const Sent& sent) {
  constexpr std::size_t half = kSinCosRows / 2;
  alignas(kLineBytes) float unused[2 * kSinCosPairs];  // by what would come after the last row
  const SinCosPlace beyond = place(0).in(unused, kSinCosPairs);
  for (std::size_t step = 0; step < half; ++step) {
    const std::size_t after = half + step, before = half - 1 - step;
    if (before >= call.rows) continue;
    const bool both = after < call.rows;
    if (beyond.interleaved()) {
      sum_rows<Arch, true>(call, step, both ? place(after) : beyond, place(before));
    } else {
      sum_rows<Arch, false>(call, step, both ? place(after) : beyond, place(before));
    }
    sent(before);
    if (both) sent(after);
  }
}

/// By way of a tile, since whole lines go around the caches alone: of two rows, which leave while
/// the next are computed, or of all where they are short and there is no gap between them.
template <class Arch>
void stream_rows(const SinCosSums& call, const SinCosPlaces& out) {
  using F = typename Vectors<Arch>::F;
  constexpr std::size_t half = kSinCosRows / 2, size = 2048;
  static_assert(size >= 4 * kSinCosPairs);
  alignas(kLineBytes) float tile[2 * size];
  const bool interleaved = out.first.interleaved();
  const std::size_t width = (interleaved ? 2 : 1) * call.pairs;
  const bool whole = call.stride == width && kSinCosRows * width <= size;
  const SinCosPlaces tiles{out.first.in(tile, size), width};
  const auto place = [&](std::size_t row) { return tiles.row(whole ? row : row / half); };
  const auto copy = [](const float* from, float* to, std::size_t count) {
    copy_bytes<F, kStreams<F>>(reinterpret_cast<const char*>(from), reinterpret_cast<char*>(to),
                               count * sizeof(float));
  };
  const auto send = [&](const SinCosPlace& from, const SinCosPlace& to, std::size_t count) {
    if (from.sin < from.cos || !interleaved) copy(from.sin, to.sin, count);
    if (from.cos < from.sin || !interleaved) copy(from.cos, to.cos, count);
  };
  sum_all<Arch>(call, place, [&](std::size_t row) {
    if (!whole) send(place(row), out.row(row), width);
  });
  if (whole) send(tiles.first, out.first, call.rows * width);
}

template <class Arch>
void sin_cos_sums(const SinCosSums& call) noexcept {
  const SinCosPlaces out{{call.sin, call.cos}, call.stride};
  if (kStreams<typename Vectors<Arch>::F> && call.streamed) {
    stream_rows<Arch>(call, out);
  } else {
    sum_all<Arch>(call, [&](std::size_t row) { return out.row(row); }, [](std::size_t) {});
  }
  if (call.turn != nullptr) turn_base(call);
}

inline void finish_streams() noexcept { finish_streaming(); }

}  // namespace
}  // namespace posenc::kernels
