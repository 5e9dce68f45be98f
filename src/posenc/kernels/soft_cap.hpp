#pragma once

#include "posenc/kernels/bit_ops.hpp"
#include "posenc/kernels/loops.hpp"
#include "posenc/math/float_exp.hpp"
#include "posenc/math/float_tanh.hpp"

namespace posenc::kernels {
namespace {

template <class Arch>
void soft_cap(float cap, float* row, std::size_t count) noexcept {
  sweep<Arch>(count, [&]<class F>(F*, std::size_t i) {
    const F share = math::tanh<BitOps>(divide(load<F>(row + i), F(cap)));
    (F(cap) * share).store_unaligned(row + i);
  });
}

/// A lane of `mask` is 0 or negative.
template <class Arch>
void hide(const float* mask, float* row, std::size_t count) noexcept {
  sweep<Arch, kLightSteps>(count, [&]<class F>(F*, std::size_t i) {
    const F hidden = load<F>(mask + i);
    select(hidden < F(0.0f), hidden, load<F>(row + i)).store_unaligned(row + i);
  });
}

}  // namespace
}  // namespace posenc::kernels
