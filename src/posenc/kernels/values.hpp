#pragma once

#include "posenc/kernels/kernels.hpp"
#include "posenc/kernels/loops.hpp"
#include "posenc/kernels/ops.hpp"
#include "posenc/kernels/tile.hpp"

namespace posenc::kernels {
namespace {

/// A lane belongs to one column and sums over the terms in order, from what `out` holds on:
/// `vectors` vectors of columns from `column` on, `rows` rows from `row` on. Where the
/// weights of a row are `adjacent`, a distance known to the compiler, two steps take no more
/// registers than one.
template <bool fused, bool adjacent, class F, std::size_t rows, std::size_t vectors>
void sum_tile(const WeightedRows& call, std::size_t row, std::size_t column) {
  const std::size_t stride = call.out_stride;
  float* out = call.out + row * stride + column;
  const float* values = call.values + column;
  Factors<rows> weights(call.weights + row * call.weight_row_stride, call.weight_row_stride);
  Tile<F, rows, vectors> tile;
  tile.each([&](auto r, auto v, F& sum) __attribute__((always_inline)) {
    sum = load<F>(out + r.value * stride + v.value * F::size);
  });
  repeat<adjacent ? kSumSteps : 1>(call.terms, [&]() __attribute__((always_inline)) {
    F elements[vectors];
    unroll<vectors>([&]<class V>(V) __attribute__((always_inline)) {
      elements[V::value] = load<F>(values + V::value * F::size);
    });
    tile.template add<fused>(weights, elements);
    values += call.value_stride;
    weights.advance(adjacent ? 1 : call.weight_term_stride);
  });
  tile.each([&](auto r, auto v, F sum) __attribute__((always_inline)) {
    sum.store_unaligned(out + r.value * stride + v.value * F::size);
  });
}

template <bool fused, bool adjacent, class F, std::size_t vectors>
void sum_strip(const WeightedRows& call, std::size_t column) {
  step_rows<kTileRows<fused>>(call.rows, [&]<class Count>(Count, std::size_t row) {
    sum_tile<fused, adjacent, F, Count::value, vectors>(call, row, column);
  });
}

/// Terms in parts whose values stay in the nearest cache while all rows pass; sums wait in `out`.
template <class F, bool fused, bool adjacent>
void sum_parts(const WeightedRows& call) {
  constexpr std::size_t part = 128, strip = kTileVectors * F::size;
  WeightedRows some = call;
  for (std::size_t first = 0; first < call.terms; first += part) {
    some.terms = call.terms - first < part ? call.terms - first : part;
    some.weights = call.weights + first * call.weight_term_stride;
    some.values = call.values + first * call.value_stride;
    std::size_t column = 0;
    for (; column + strip <= call.width; column += strip)
      sum_strip<fused, adjacent, F, kTileVectors>(some, column);
    for (; column + F::size <= call.width; column += F::size)
      sum_strip<fused, adjacent, F, 1>(some, column);
    if constexpr (F::size > 1) {
      for (; column < call.width; ++column)
        sum_strip<fused, adjacent, Lane<float>, 1>(some, column);
    }
  }
}

template <class Arch, bool fused = false>
void weighted_sums(const WeightedRows& call) noexcept {
  using F = typename Vectors<Arch>::F;
  if constexpr (kSumSteps > 1) {
    if (call.weight_term_stride == 1) return sum_parts<F, fused, true>(call);
  }
  sum_parts<F, fused, false>(call);
}

}  // namespace
}  // namespace posenc::kernels
