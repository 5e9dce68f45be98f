#pragma once

#include "posenc/kernels/kernels.hpp"
#include "posenc/kernels/loops.hpp"
#include "posenc/kernels/ops.hpp"
#include "posenc/kernels/tile.hpp"

namespace posenc::kernels {
namespace {

/// A lane belongs to one key and sums along head_dim in order, whatever the tile: `vectors` vectors
/// of keys from `lane` on, `rows` rows from `row` on.
template <bool fused, class F, std::size_t rows, std::size_t vectors>
void score_tile(const ScoreRows& call, std::size_t row, std::size_t lane) {
  const float* keys[vectors];
  for (std::size_t v = 0; v < vectors; ++v) {
    const std::size_t at = lane + v * F::size;
    keys[v] = call.packed_keys + at / kBlock * kBlock * call.head_dim + at % kBlock;
  }
  Factors<rows> queries(call.queries + row * call.query_stride, call.query_stride);
  Tile<F, rows, vectors> tile;
  tile.each([](auto, auto, F& sum) __attribute__((always_inline)) { sum = F(0.0f); });
  repeat<kScoreSteps<fused>>(call.head_dim, [&]() __attribute__((always_inline)) {
    F elements[vectors];
    unroll<vectors>([&]<class V>(V) __attribute__((always_inline)) {
      elements[V::value] = load<F>(keys[V::value]);
      keys[V::value] += kBlock;
    });
    tile.template add<fused>(queries, elements);
    queries.advance(1);
  });
  const std::size_t stride = call.out_stride;
  const F scale(call.scale);
  float* out = call.out + row * stride + lane;
  tile.each([&](auto r, auto v, F sum) __attribute__((always_inline)) {
    (sum * scale).store_unaligned(out + r.value * stride + v.value * F::size);
  });
}

template <bool fused, class F, std::size_t vectors>
void score_strip(const ScoreRows& call, std::size_t lane) {
  step_rows<kTileRows<fused>>(call.rows, [&]<class Count>(Count, std::size_t row) {
    score_tile<fused, F, Count::value, vectors>(call, row, lane);
  });
}

/// The keys of a strip stay in the nearest cache while all rows pass.
template <class Arch, bool fused = false>
void scores(const ScoreRows& call) noexcept {
  using F = typename Vectors<Arch>::F;
  constexpr std::size_t strip = kTileVectors * F::size;
  const std::size_t lanes = call.blocks * kBlock;
  std::size_t lane = 0;
  for (; lane + strip <= lanes; lane += strip) score_strip<fused, F, kTileVectors>(call, lane);
  if constexpr (strip > kBlock) {
    for (; lane < lanes; lane += F::size) score_strip<fused, F, 1>(call, lane);
  }
}

}  // namespace
}  // namespace posenc::kernels
