#pragma once

#include "posenc/kernels/ops.hpp"

namespace posenc::kernels {
namespace {

// Products of matrices keep a tile of `kTileRows` rows and `kTileVectors` vectors of sums in
// registers: as many as there are without spilling, beside the vectors that are read and, where no
// sum is fused with its product, one product.
#if defined(__AVX512F__)
inline constexpr std::size_t kTileRows = 8, kTileVectors = 2;
#elif defined(__aarch64__)
inline constexpr std::size_t kTileRows = 4, kTileVectors = 4;
#elif defined(__wasm_relaxed_simd__)
inline constexpr std::size_t kTileRows = 6, kTileVectors = 2;
#elif defined(__wasm__)
inline constexpr std::size_t kTileRows = 3, kTileVectors = 2;  // more spill in V8
#else
inline constexpr std::size_t kTileRows = 4, kTileVectors = 2;
#endif

/// Sums in registers: `rows` rows of `vectors` vectors.
template <class F, std::size_t rows, std::size_t vectors>
struct Tile {
  F sums[rows][vectors];

  void clear() {
    for (auto& row : sums) {
      for (F& sum : row) sum = F(0.0f);
    }
  }

  /// sums[row] += factor * values; `fused` in one rounding, where the processor can
  template <bool fused>
  POSENC_ALWAYS_INLINE void add(std::size_t row, F factor, const F (&values)[vectors]) {
    for (std::size_t v = 0; v < vectors; ++v) {
      F& sum = sums[row][v];
      sum = fused ? multiply_add(factor, values[v], sum) : sum + factor * values[v];
    }
  }
};

/// Runs `step(rows, first)` over [first, count) in steps of the tile's rows, then of half as many,
/// and so on. `rows` has the number as its `value`.
template <std::size_t count>
struct Rows {
  static constexpr std::size_t value = count;
};
template <std::size_t rows = kTileRows, class Step>
void step_rows(std::size_t count, const Step& step, std::size_t first = 0) {
  for (; first + rows <= count; first += rows) step(Rows<rows>{}, first);
  if constexpr (rows > 1) step_rows<rows / 2>(count, step, first);
}

}  // namespace
}  // namespace posenc::kernels
