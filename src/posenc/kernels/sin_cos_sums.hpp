#pragma once

#include "posenc/kernels/sin_cos.hpp"

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

/// The sums of angles a + b by the addition theorem, in double: within 2^-50 of those that
/// `sin_cos` rounds. Where both ends of an interval of 2^-48 on either side round alike, that is
/// the value; where they do not, once in some thousand vectors, it is computed as `sin_cos` does.
template <class F>
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

template <class Arch>
void sin_cos_sums(const SinCosSums& call) noexcept {
  const std::size_t pairs = call.pairs;
  for (std::size_t row = 0; row < call.rows; ++row) {
    float* sin = call.sin + row * call.stride;
    float* cos = call.cos + row * call.stride;
    sweep<Arch>(pairs,
                [&, sin, cos, row]<class F>(F*, std::size_t i) __attribute__((always_inline)) {
                  F sine, cosine;
                  sum_floats(call, row, i, sine, cosine);
                  store_pairs(sine, cosine, i, sin, cos);
                });
  }
}

}  // namespace
}  // namespace posenc::kernels
