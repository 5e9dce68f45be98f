#pragma once

#include "posenc/kernels/bit_ops.hpp"
#include "posenc/kernels/kernels.hpp"
#include "posenc/kernels/loops.hpp"
#include "posenc/math/float_exp.hpp"

namespace posenc::kernels {
namespace {

/// kBlock lanes as vectors of the architecture; lane l of the block is the same on all of them.
template <class Arch>
struct BlockOf {
  using F = typename Vectors<Arch>::F;
  static constexpr std::size_t kVectors = kBlock / F::size;
  F lanes[kVectors];

  POSENC_ALWAYS_INLINE void store(float* target) const {
    for (std::size_t part = 0; part < kVectors; ++part) {
      lanes[part].store_unaligned(target + part * F::size);
    }
  }
};

/// Sums kBlock lanes in a fixed tree: l and l + 8, then + 4, + 2, + 1.
inline float tree_sum(float (&lanes)[kBlock]) {
  for (std::size_t half = kBlock / 2; half > 0; half /= 2) {
    for (std::size_t lane = 0; lane < half; ++lane) lanes[lane] = lanes[lane] + lanes[lane + half];
  }
  return lanes[0];
}

/// In four chains, so that no comparison waits for the one before it.
template <class Arch>
float row_maximum(const float* row, std::size_t blocks) {
  using F = typename Vectors<Arch>::F;
  constexpr std::size_t chains = 4;
  F maxima[chains];
  for (F& maximum : maxima) maximum = F(-__builtin_inff());
  const std::size_t count = blocks * kBlock;
  std::size_t i = 0;
  for (; i + chains * F::size <= count; i += chains * F::size) {
    for (std::size_t chain = 0; chain < chains; ++chain) {
      maxima[chain] = larger(load<F>(row + i + chain * F::size), maxima[chain]);
    }
  }
  for (; i < count; i += F::size) maxima[0] = larger(load<F>(row + i), maxima[0]);
  for (std::size_t chain = 1; chain < chains; ++chain) {
    maxima[0] = larger(maxima[chain], maxima[0]);
  }
  float lanes[F::size];
  maxima[0].store_unaligned(lanes);
  for (float lane : lanes) lanes[0] = lane > lanes[0] ? lane : lanes[0];
  return lanes[0];
}

template <class Arch, bool fused = false>
float softmax_weights(float* row, std::size_t blocks) noexcept {
  using F = typename Vectors<Arch>::F;
  const float maximum = row_maximum<Arch>(row, blocks);
  if (maximum == -__builtin_inff()) {
    // nothing is visible, unless a NaN hides it: x - x is 0 for no finite score, NaN for NaN
    for (std::size_t i = 0; i < blocks * kBlock; ++i) row[i] = row[i] == maximum ? 0.0f : row[i];
    return 1.0f;
  }
  BlockOf<Arch> sum;
  for (F& lanes : sum.lanes) lanes = F(0.0f);
  for (std::size_t block = 0; block < blocks; ++block) {
    for (std::size_t part = 0; part < BlockOf<Arch>::kVectors; ++part) {
      float* scores = row + block * kBlock + part * F::size;
      // a sum, one operand of which may be in memory
      const F weight = math::weight_exp<BasicBitOps<fused>>(F(-maximum) + load<F>(scores));
      weight.store_unaligned(scores);
      sum.lanes[part] = sum.lanes[part] + weight;
    }
  }
  float lanes[kBlock];
  sum.store(lanes);
  return tree_sum(lanes);
}

template <class Arch>
void divide_row(float divisor, float* row, std::size_t count) noexcept {
  sweep<Arch, kLightSteps>(count, [&]<class F>(F*, std::size_t i) {
    divide(load<F>(row + i), F(divisor)).store_unaligned(row + i);
  });
}

}  // namespace
}  // namespace posenc::kernels
