#pragma once

#include "posenc/kernels/kernels.hpp"
#include "posenc/kernels/pairs.hpp"

namespace posenc::kernels {
namespace {

/// (a, b) -> (a cos - b sin, b cos + a sin), the pair pair_distance elements apart.
template <class Arch>
void rotate_half(const RotateRows& rows) noexcept {
  for (std::size_t row = 0; row < rows.rows; ++row) {
    const float* x = rows.x + row * rows.x_stride;
    float* y = rows.y + row * rows.y_stride;
    const float* cos = rows.cos + row * rows.table_stride;
    const float* sin = rows.sin + row * rows.table_stride;
    const std::size_t distance = rows.pair_distance;
    sweep<Arch>(rows.pairs, [&]<class F>(F*, std::size_t i) {
      const F a = load<F>(x + i), b = load<F>(x + i + distance);
      const F c = load<F>(cos + i), s = load<F>(sin + i);
      (a * c - b * s).store_unaligned(y + i);
      (b * c + a * s).store_unaligned(y + i + distance);
    });
  }
}

/// The same for neighbours, (2i, 2i + 1).
template <class Arch>
void rotate_interleaved(const RotateRows& rows) noexcept {
  for (std::size_t row = 0; row < rows.rows; ++row) {
    const float* x = rows.x + row * rows.x_stride;
    float* y = rows.y + row * rows.y_stride;
    const float* cos = rows.cos + row * rows.table_stride;
    const float* sin = rows.sin + row * rows.table_stride;
    sweep<Arch>(rows.pairs, [&]<class F>(F*, std::size_t i) {
      rotate_adjacent(x + 2 * i, y + 2 * i, load<F>(cos + i), load<F>(sin + i));
    });
  }
}

}  // namespace
}  // namespace posenc::kernels
