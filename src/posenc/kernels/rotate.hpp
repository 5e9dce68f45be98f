#pragma once

#include "posenc/kernels/kernels.hpp"
#include "posenc/kernels/loops.hpp"
#include "posenc/kernels/pairs.hpp"
#include "posenc/kernels/tile.hpp"

namespace posenc::kernels {
namespace {

/// Four heads at a time, which loads the tables once for all of them and keeps as many streams of
/// memory busy: `turn(cos, sin, i, x, y)` for the vector of pairs at `i` of each row.
template <class Arch, class Turn>
void rotate_heads(const RotateRows& call, const Turn& turn) {
  step_rows<4>(call.heads, [&]<std::size_t heads>(Number<heads>, std::size_t head) {
    for (std::size_t row = 0; row < call.rows; ++row) {
      const float* cos = call.cos + row * call.table_stride;
      const float* sin = call.sin + row * call.table_stride;
      const std::size_t start = head * call.head_stride + row * call.stride;
      sweep<Arch>(call.pairs, [&, start]<class F>(F*, std::size_t i) {
        const F c = load<F>(cos + i), s = load<F>(sin + i);
        for (std::size_t h = 0; h < heads; ++h) {
          const std::size_t at = start + h * call.head_stride;
          turn(c, s, i, call.x + at, call.y + at);
        }
      });
    }
  });
}

/// (a, b) -> (a cos - b sin, b cos + a sin), the pair pair_distance elements apart.
template <class Arch>
void rotate_half(const RotateRows& call) noexcept {
  const std::size_t distance = call.pair_distance;
  rotate_heads<Arch>(call, [=]<class F>(F c, F s, std::size_t i, const float* x, float* y) {
    const F a = load<F>(x + i), b = load<F>(x + i + distance);
    (a * c - b * s).store_unaligned(y + i);
    (b * c + a * s).store_unaligned(y + i + distance);
  });
}

/// The same for neighbours, (2i, 2i + 1).
template <class Arch>
void rotate_interleaved(const RotateRows& call) noexcept {
  rotate_heads<Arch>(call, []<class F>(F c, F s, std::size_t i, const float* x, float* y) {
    rotate_adjacent(x + 2 * i, y + 2 * i, c, s);
  });
}

}  // namespace
}  // namespace posenc::kernels
