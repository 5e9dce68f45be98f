#pragma once

#include "posenc/kernels/kernels.hpp"
#include "posenc/kernels/ops.hpp"
#include "posenc/kernels/tile.hpp"

namespace posenc::kernels {
namespace {

/// A lane belongs to one column and sums over the terms in order, from what `out` holds on:
/// `vectors` vectors of columns from `column` on, `rows` rows from `row` on.
template <bool fused, class F, std::size_t rows, std::size_t vectors>
void sum_tile(const WeightedRows& call, std::size_t row, std::size_t column) {
  float* out = call.out + row * call.out_stride + column;
  const float* weights = call.weights + row * call.weight_row_stride;
  const float* values = call.values + column;
  Tile<F, rows, vectors> tile;
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t v = 0; v < vectors; ++v) {
      tile.sums[r][v] = load<F>(out + r * call.out_stride + v * F::size);
    }
  }
  for (std::size_t term = 0; term < call.terms; ++term) {
    F elements[vectors];
    for (std::size_t v = 0; v < vectors; ++v) elements[v] = load<F>(values + v * F::size);
    for (std::size_t r = 0; r < rows; ++r) {
      tile.template add<fused>(r, F(weights[r * call.weight_row_stride]), elements);
    }
    values += call.value_stride;
    weights += call.weight_term_stride;
  }
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t v = 0; v < vectors; ++v) {
      tile.sums[r][v].store_unaligned(out + r * call.out_stride + v * F::size);
    }
  }
}

template <bool fused, class F, std::size_t vectors>
void sum_strip(const WeightedRows& call, std::size_t column) {
  step_rows(call.rows, [&]<class Count>(Count, std::size_t row) {
    sum_tile<fused, F, Count::value, vectors>(call, row, column);
  });
}

/// Terms in parts whose values stay in the nearest cache while all rows pass; sums wait in `out`.
template <class Arch, bool fused = false>
void weighted_sums(const WeightedRows& call) noexcept {
  using F = typename Vectors<Arch>::F;
  constexpr std::size_t part = 128, strip = kTileVectors * F::size;
  WeightedRows some = call;
  for (std::size_t first = 0; first < call.terms; first += part) {
    some.terms = call.terms - first < part ? call.terms - first : part;
    some.weights = call.weights + first * call.weight_term_stride;
    some.values = call.values + first * call.value_stride;
    std::size_t column = 0;
    for (; column + strip <= call.width; column += strip)
      sum_strip<fused, F, kTileVectors>(some, column);
    for (; column + F::size <= call.width; column += F::size) sum_strip<fused, F, 1>(some, column);
    if constexpr (F::size > 1) {
      for (; column < call.width; ++column) sum_strip<fused, Lane<float>, 1>(some, column);
    }
  }
}

}  // namespace
}  // namespace posenc::kernels
