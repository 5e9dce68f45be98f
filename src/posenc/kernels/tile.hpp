#pragma once

#include "posenc/kernels/loops.hpp"

namespace posenc::kernels {
namespace {

// Products of matrices keep a tile of kTileRows rows and kTileVectors vectors of sums in registers:
// as many as there are without spilling, beside the vectors that are read and one product. A sum
// that is fused with its product needs no room for that, and takes longer: more rows.
#if defined(__AVX512F__)
inline constexpr std::size_t kTileVectors = 2, kPlainRows = 8, kFusedRows = 12;
#elif defined(__aarch64__)
inline constexpr std::size_t kTileVectors = 4, kPlainRows = 4, kFusedRows = 6;
#elif defined(__wasm__)
inline constexpr std::size_t kTileVectors = 2, kPlainRows = 3, kFusedRows = 6;  // more spill in V8
#else
inline constexpr std::size_t kTileVectors = 2, kPlainRows = 4, kFusedRows = 6;
#endif
template <bool fused>
inline constexpr std::size_t kTileRows = fused ? kFusedRows : kPlainRows;

// Steps of a sum that are written out together: where two threads share a core's front end,
// counting and moving pointers is what a tile waits for. More of them gain nothing or
// spill, in V8 already two.
#if defined(__wasm__)
template <bool fused>
inline constexpr std::size_t kScoreSteps = 1;
inline constexpr std::size_t kSumSteps = 1;
#else
template <bool fused>
inline constexpr std::size_t kScoreSteps = fused ? 4 : 2;
inline constexpr std::size_t kSumSteps = 2;
#endif

/// Where the factors of `rows` rows stand, at equal distances: one pointer for four rows, which
/// leaves registers for all of them.
template <std::size_t rows>
struct Factors {
  const float* first[(rows + 3) / 4];
  std::size_t stride;

  POSENC_ALWAYS_INLINE Factors(const float* at, std::size_t row_stride) : stride(row_stride) {
    unroll<(rows + 3) / 4>([&]<class Four>(Four) __attribute__((always_inline)) {
      first[Four::value] = at + 4 * Four::value * row_stride;
    });
  }
  template <std::size_t row>
  POSENC_ALWAYS_INLINE float get() const {
    return first[row / 4][row % 4 * stride];
  }
  POSENC_ALWAYS_INLINE void advance(std::size_t step) {
    unroll<(rows + 3) / 4>([&]<class Four>(Four)
                               __attribute__((always_inline)) { first[Four::value] += step; });
  }
};

/// Sums in registers: `rows` rows of `vectors` vectors.
template <class F, std::size_t rows, std::size_t vectors>
struct Tile {
  F sums[rows][vectors];

  /// run(row, vector, sum) for every sum, row and vector as numbers.
  template <class Run>
  POSENC_ALWAYS_INLINE void each(const Run& run) {
    unroll<rows * vectors>([&]<class At>(At) __attribute__((always_inline)) {
      constexpr std::size_t row = At::value / vectors, vector = At::value % vectors;
      run(Number<row>{}, Number<vector>{}, sums[row][vector]);
    });
  }

  /// sum = sum + factor of its row * value of its column; `fused` in one rounding, where the
  /// processor can.
  template <bool fused>
  POSENC_ALWAYS_INLINE void add(const Factors<rows>& factors, const F (&values)[vectors]) {
    unroll<rows>([&]<class Row>(Row) __attribute__((always_inline)) {
      const F factor(factors.template get<Row::value>());
      unroll<vectors>([&]<class Vector>(Vector) __attribute__((always_inline)) {
        F& sum = sums[Row::value][Vector::value];
        const F value = values[Vector::value];
        sum = fused ? multiply_add(factor, value, sum) : sum + factor * value;
      });
    });
  }
};

/// Runs `step(rows, first)` over [first, count) in steps of `rows` rows, then of half as many, and
/// so on. `rows` is a Number.
template <std::size_t rows, class Step>
void step_rows(std::size_t count, const Step& step, std::size_t first = 0) {
  for (; first + rows <= count; first += rows) step(Number<rows>{}, first);
  if constexpr (rows > 1) step_rows<rows / 2>(count, step, first);
}

}  // namespace
}  // namespace posenc::kernels
