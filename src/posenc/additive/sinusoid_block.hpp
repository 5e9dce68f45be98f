#pragma once

// Private: the sines and cosines of one position in a row, which every sinusoidal encoding is made
// of, wherever their columns stand.

#include <algorithm>
#include <cstddef>

#include "posenc/core/frequencies.hpp"
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

/// sin and cos of position * frequency for `count` frequencies from `first` on, the block's first
/// function in `values`, the other in `values + kPairTile`.
inline void compute_pairs(const SinusoidBlock& block, const Frequencies& frequencies,
                          double position, std::size_t first, std::size_t count,
                          kernels::Rounding rounding, float* values) noexcept {
  float* const sine = values + (block.cosine_first ? kPairTile : 0);
  float* const cosine = values + (block.cosine_first ? 0 : kPairTile);
  kernels::active().sin_cos(position, kernels::turns_from(frequencies, first), count, block.scale,
                            block.scale, rounding, sine, cosine);
}

/// The same, interleaved.
inline void compute_interleaved(const SinusoidBlock& block, const Frequencies& frequencies,
                                double position, std::size_t first, std::size_t count,
                                kernels::Rounding rounding, float* values) noexcept {
  if (!block.cosine_first && block.scale == 1.0) {
    kernels::active().sin_cos_interleaved(position, kernels::turns_from(frequencies, first), count,
                                          rounding, values);
    return;
  }
  float pairs[2 * kPairTile];
  compute_pairs(block, frequencies, position, first, count, rounding, pairs);
  for (std::size_t i = 0; i < count; ++i) {
    values[2 * i] = pairs[i];
    values[2 * i + 1] = pairs[kPairTile + i];
  }
}

/// Hands the block's values at `position` to `put(column, values, count)`, piece by piece.
/// Precondition: frequencies.size() >= block.firsts.
template <class Put>
void visit_block(const SinusoidBlock& block, const Frequencies& frequencies, double position,
                 kernels::Rounding rounding, const Put& put) noexcept {
  float values[2 * kPairTile];
  for (std::size_t first = 0; first < block.firsts; first += kPairTile) {
    const std::size_t count = std::min(kPairTile, block.firsts - first);
    const std::size_t seconds = block.seconds > first ? std::min(count, block.seconds - first) : 0;
    if (block.interleaved) {
      compute_interleaved(block, frequencies, position, first, count, rounding, values);
      put(block.first_column + 2 * first, values, count + seconds);
    } else {
      compute_pairs(block, frequencies, position, first, count, rounding, values);
      put(block.first_column + first, values, count);
      put(block.second_column + first, values + kPairTile, seconds);
    }
  }
}

/// Hands `count` zeros from `column` on to `put`.
template <class Put>
void visit_zeros(std::size_t column, std::size_t count, const Put& put) noexcept {
  constexpr float kZeros[2 * kPairTile] = {};
  for (std::size_t done = 0; done < count; done += 2 * kPairTile) {
    put(column + done, kZeros, std::min(2 * kPairTile, count - done));
  }
}

}  // namespace posenc::detail
