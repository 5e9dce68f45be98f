#pragma once

#include "posenc/kernels/loops.hpp"

namespace posenc::kernels {
namespace {

template <class Arch>
void add(const float* term, float* x, std::size_t count) noexcept {
  sweep<Arch, kLightSteps>(count, [&]<class F>(F*, std::size_t i) {
    (load<F>(x + i) + load<F>(term + i)).store_unaligned(x + i);
  });
}

}  // namespace
}  // namespace posenc::kernels
