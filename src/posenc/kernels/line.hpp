#pragma once

#include "posenc/kernels/loops.hpp"
#include "posenc/kernels/rounding.hpp"

namespace posenc::kernels {
namespace {

constexpr double kLaneIndex[8] = {0, 1, 2, 3, 4, 5, 6, 7};

template <class Arch>
void line(double slope, double first, std::size_t count, Rounding rounding, float* out) noexcept {
  sweep<Arch>(count, [&]<class F>(F*, std::size_t i) {
    using D = typename WideOf<F>::D;
    constexpr std::size_t parts = F::size / D::size;
    D values[parts];
    for (std::size_t part = 0; part < parts; ++part) {
      const double start = first + static_cast<double>(i + part * D::size);
      values[part] = D(slope) * (D(start) + load<D>(kLaneIndex));
    }
    to_floats(rounding, values).store_unaligned(out + i);
  });
}

}  // namespace
}  // namespace posenc::kernels
