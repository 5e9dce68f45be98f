#pragma once

// Private: the sines and cosines of one position in a row, which every sinusoidal encoding is made
// of, wherever their columns stand.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "posenc/core/frequencies.hpp"
#include "posenc/core/sin_cos_rows.hpp"
#include "posenc/kernels/kernels.hpp"
#include "posenc/kernels/turns.hpp"

namespace posenc::detail {

/// Which columns of a row one position fills. The function that comes first (the sine unless
/// `cosine_first`) has `firsts` columns, the other `seconds`, as many or one less.
struct SinusoidBlock {
  std::size_t firsts = 0;
  std::size_t seconds = 0;
  /// Column of frequency 0 of either; frequency i stands i columns on, 2i when interleaved.
  std::size_t first_column = 0;
  std::size_t second_column = 0;
  bool interleaved = false;
  bool cosine_first = false;
  /// What every value is multiplied with before it is rounded.
  double scale = 1.0;
};

/// Pairs that are computed at a time.
inline constexpr std::size_t kPairTile = 128;

/// Where the sines and the cosines of a block go when its first function's begin at `first` and the
/// other's at `second`.
struct SinusoidPlaces {
  float* sin;
  float* cos;

  SinusoidPlaces(const SinusoidBlock& block, float* first, float* second) noexcept
      : sin(block.cosine_first ? second : first), cos(block.cosine_first ? first : second) {}
};

/// Hands the block's values at `position` to `put(column, values, count)`, piece by piece.
/// Precondition: frequencies.size() >= block.firsts.
template <class Put>
void visit_block(const SinusoidBlock& block, const Frequencies& frequencies, double position,
                 kernels::Rounding rounding, const Put& put) noexcept {
  float values[2 * kPairTile];
  for (std::size_t first = 0; first < block.firsts; first += kPairTile) {
    const std::size_t count = std::min(kPairTile, block.firsts - first);
    const std::size_t seconds = block.seconds > first ? std::min(count, block.seconds - first) : 0;
    const SinusoidPlaces at(block, values, values + (block.interleaved ? 1 : kPairTile));
    kernels::active().sin_cos(position, kernels::turns_from(frequencies, first), count, block.scale,
                              block.scale, rounding, at.sin, at.cos);
    if (block.interleaved) {
      put(block.first_column + 2 * first, values, count + seconds);
    } else {
      put(block.first_column + first, values, count);
      put(block.second_column + first, values + kPairTile, seconds);
    }
  }
}

/// The same for many positions: `put(row, column, values, count)`, in any order.
template <class Put>
void visit_block(const SinusoidBlock& block, const Frequencies& frequencies,
                 const Positions& positions, kernels::Rounding rounding, const Put& put) noexcept {
  constexpr std::size_t kWidth = 2 * kPairTile;
  alignas(kernels::kLineBytes) float values[SinCosRows::kRows * kWidth];
  SinCosRows::Memory<kPairTile> memory;
  for (std::size_t first = 0; first < block.firsts; first += kPairTile) {
    const std::size_t count = std::min(kPairTile, block.firsts - first);
    const std::size_t seconds = block.seconds > first ? std::min(count, block.seconds - first) : 0;
    const SinusoidPlaces at(block, values, values + (block.interleaved ? 1 : kPairTile));
    SinCosRows turning(frequencies, first, count, positions, {block.scale, block.scale}, memory);
    for (std::size_t done = 0; done < positions.size(); done += SinCosRows::kRows) {
      const std::size_t rows = std::min(SinCosRows::kRows, positions.size() - done);
      turning.write(done, rows, rounding, at.sin, at.cos, kWidth);
      for (std::size_t i = 0; i < rows; ++i) {
        const float* row = values + i * kWidth;
        if (block.interleaved) {
          put(done + i, block.first_column + 2 * first, row, count + seconds);
        } else {
          put(done + i, block.first_column + first, row, count);
          put(done + i, block.second_column + first, row + kPairTile, seconds);
        }
      }
    }
  }
}

/// Pairs from `row` on that end with a line of the cache, and kSinCosPairs or a little less.
inline std::size_t pairs_to_line(const float* row, bool interleaved) noexcept {
  const std::size_t past =
      reinterpret_cast<std::uintptr_t>(row) % kernels::kLineBytes / sizeof(float);
  return kernels::kSinCosPairs - (interleaved ? past / 2 : past);
}

/// The same to rows of floats, `stride` apart. Precondition: as many firsts as seconds.
inline void write_block(const SinusoidBlock& block, const Frequencies& frequencies,
                        const Positions& positions, float* rows, std::size_t stride) noexcept {
  const bool streamed = kernels::streams(positions.size() * stride * sizeof(float));
  std::size_t count = streamed ? pairs_to_line(rows + block.first_column, block.interleaved)
                               : kernels::kSinCosPairs;
  SinCosRows::Memory<kernels::kSinCosPairs> memory;
  for (std::size_t first = 0; first < block.firsts; first += count) {
    if (first != 0) count = kernels::kSinCosPairs;
    count = std::min(count, block.firsts - first);
    const std::size_t column = block.interleaved ? 2 * first : first;
    const SinusoidPlaces at(block, rows + block.first_column + column,
                            rows + block.second_column + column);
    SinCosRows turning(frequencies, first, count, positions, {block.scale, block.scale}, memory);
    turning.write(0, positions.size(), kernels::Rounding::nearest, at.sin, at.cos, stride,
                  streamed);
  }
}

inline constexpr float kZeros[2 * kPairTile] = {};

/// Hands `count` zeros from `column` on to `put`.
template <class Put>
void visit_zeros(std::size_t column, std::size_t count, const Put& put) noexcept {
  for (std::size_t done = 0; done < count; done += 2 * kPairTile) {
    put(column + done, kZeros, std::min(2 * kPairTile, count - done));
  }
}

}  // namespace posenc::detail
