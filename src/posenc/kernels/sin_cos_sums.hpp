#pragma once

#include "posenc/kernels/sin_cos.hpp"

namespace posenc::kernels {
namespace {

/// Rare, and so apart from the loop.
template <Rounding rounding, class F>
[[gnu::noinline]] void exact_floats(const SinCosSums& call, std::size_t row, std::size_t i, F& sine,
                                    F& cosine) {
  const OnePosition position{call.position + static_cast<double>(row), call.turns};
  sin_cos_floats<rounding>(position, {call.sin_scale, call.cos_scale, nullptr}, i, sine, cosine);
}

/// The sums of angles a + b by the addition theorem, in double: within 2^-50 of those that
/// `sin_cos` rounds. Where both ends of an interval of 2^-48 on either side round alike, that is
/// the value; where they do not, once in some thousand vectors, it is computed as `sin_cos` does.
template <Rounding rounding, class F>
POSENC_ALWAYS_INLINE void sum_floats(const SinCosSums& call, std::size_t row, std::size_t i,
                                     F& sine, F& cosine) {
  using D = typename WideOf<F>::D;
  constexpr std::size_t parts = F::size / D::size;
  const double* step = call.steps + row * 2 * kSinCosPairs;
  const D sin_slack(__builtin_fabs(call.sin_scale) * 0x1p-48);
  const D cos_slack(__builtin_fabs(call.cos_scale) * 0x1p-48);
  D s_low[parts], s_high[parts], c_low[parts], c_high[parts];
  for (std::size_t part = 0; part < parts; ++part) {
    const std::size_t lane = i + part * D::size;
    const D sin_a = load<D>(call.base + lane), cos_a = load<D>(call.base + kSinCosPairs + lane);
    const D sin_b = load<D>(step + lane), cos_b = load<D>(step + kSinCosPairs + lane);
    const D s = (sin_a * cos_b + cos_a * sin_b) * D(call.sin_scale);
    const D c = (cos_a * cos_b - sin_a * sin_b) * D(call.cos_scale);
    s_low[part] = s - sin_slack;
    s_high[part] = s + sin_slack;
    c_low[part] = c - cos_slack;
    c_high[part] = c + cos_slack;
  }
  sine = to_floats<rounding>(s_low);
  cosine = to_floats<rounding>(c_low);
  const auto sine_differs = sine != to_floats<rounding>(s_high);
  if (any(sine_differs | (cosine != to_floats<rounding>(c_high)))) {
    F exact_sine, exact_cosine;
    exact_floats<rounding>(call, row, i, exact_sine, exact_cosine);
    sine = exact_sine;
    cosine = exact_cosine;
  }
}

template <class Arch, Rounding rounding>
void sum_rows(const SinCosSums& call) {
  const std::size_t pairs = call.pairs;
  for (std::size_t row = 0; row < call.rows; ++row) {
    float* sin = call.sin + row * call.stride;
    float* cos = call.cos + row * call.stride;
    sweep<Arch>(pairs,
                [&, sin, cos, row]<class F>(F*, std::size_t i) __attribute__((always_inline)) {
                  F sine, cosine;
                  sum_floats<rounding>(call, row, i, sine, cosine);
                  store_pairs(sine, cosine, i, sin, cos);
                });
  }
}

template <class Arch>
void sin_cos_sums(const SinCosSums& call) noexcept {
  const auto run = call.rounding == Rounding::nearest ? sum_rows<Arch, Rounding::nearest>
                                                      : sum_rows<Arch, Rounding::odd>;
  run(call);
}

}  // namespace
}  // namespace posenc::kernels
