#pragma once

#include "posenc/kernels/loops.hpp"
#include "posenc/kernels/softmax.hpp"

namespace posenc::kernels {
namespace {

/// A lane's share of the sum; 0 where nothing is seen, whatever the gradient holds there.
template <class F>
F weighted_or_zero(F weight, F value) {
  return select(weight > F(0.0f), weight * value, F(0.0f));
}

template <class Arch>
void softmax_backward(const float* weights, float* gradients, std::size_t blocks) noexcept {
  using F = typename Vectors<Arch>::F;
  BlockOf<Arch> sum;
  for (F& lanes : sum.lanes) lanes = F(0.0f);
  for (std::size_t block = 0; block < blocks; ++block) {
    for (std::size_t part = 0; part < BlockOf<Arch>::kVectors; ++part) {
      const std::size_t at = block * kBlock + part * F::size;
      sum.lanes[part] =
          sum.lanes[part] + weighted_or_zero(load<F>(weights + at), load<F>(gradients + at));
    }
  }
  float lanes[kBlock];
  sum.store(lanes);
  const F mean(tree_sum(lanes));
  for (std::size_t i = 0; i < blocks * kBlock; i += F::size) {
    weighted_or_zero(load<F>(weights + i), load<F>(gradients + i) - mean)
        .store_unaligned(gradients + i);
  }
}

template <class Arch>
void product_backward(const float* capped, float cap, float scale, float* gradients,
                      std::size_t count) noexcept {
  sweep<Arch>(count, [&]<class F>(F*, std::size_t i) {
    F gradient = load<F>(gradients + i) * F(scale);
    if (cap != 0.0f) {
      const F share = divide(load<F>(capped + i), F(cap));
      gradient = gradient * (F(1.0f) - share * share);
    }
    gradient.store_unaligned(gradients + i);
  });
}

}  // namespace
}  // namespace posenc::kernels
