#pragma once

#include "posenc/kernels/kernels.hpp"
#include "posenc/kernels/ops.hpp"

namespace posenc::kernels {
namespace {

/// A lane belongs to one key and sums along head_dim in order, whatever the vector's width.
template <class Arch>
void scores(const float* q, const float* packed_keys, std::size_t blocks, std::size_t head_dim,
            float scale, float* out) noexcept {
  using F = typename Vectors<Arch>::F;
  constexpr std::size_t vectors = kBlock / F::size;
  for (std::size_t block = 0; block < blocks; ++block) {
    F sum[vectors];
    for (F& lanes : sum) lanes = F(0.0f);
    for (std::size_t i = 0; i < head_dim; ++i) {
      const F element(q[i]);
      for (std::size_t part = 0; part < vectors; ++part) {
        sum[part] = sum[part] + element * load<F>(packed_keys + part * F::size);
      }
      packed_keys += kBlock;
    }
    for (std::size_t part = 0; part < vectors; ++part) {
      (sum[part] * F(scale)).store_unaligned(out + block * kBlock + part * F::size);
    }
  }
}

/// A lane belongs to one column of the values and sums over the keys in order.
template <class Arch>
void weighted_sum(const float* weight, const float* values, std::size_t keys, std::size_t stride,
                  std::size_t width, float* out) noexcept {
  sweep<Arch>(width, [&]<class F>(F*, std::size_t column) {
    F sum(0.0f);
    for (std::size_t key = 0; key < keys; ++key) {
      sum = sum + F(weight[key]) * load<F>(values + key * stride + column);
    }
    sum.store_unaligned(out + column);
  });
}

}  // namespace
}  // namespace posenc::kernels
