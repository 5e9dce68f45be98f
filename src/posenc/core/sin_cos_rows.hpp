#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "posenc/core/positions.hpp"
#include "posenc/kernels/kernels.hpp"
#include "posenc/kernels/turns.hpp"

namespace posenc::detail {

/// Sines and cosines of many positions for at most kSinCosPairs frequencies, in order. Those of
/// consecutive positions are sums of two angles, 32 by 32, when they are rounded to nearest; the
/// bits are the same.
///
/// The first angle is that of every 32nd position: computed every eighth time, and turned on by 32
/// positions in between. With errors of 2^-54 in every sine, cosine, product and sum, a turn adds
/// at most 2^-51.5 to the distance between the vector (sine, cosine) and the true one: after seven
/// turns and the last sum it is below 2^-48.4.
class SinCosRows {
 public:
  /// Rows that are worth computing in one call.
  static constexpr std::size_t kRows = kernels::kSinCosRows;

  struct Scales {
    double sin = 1.0;
    double cos = 1.0;
  };

  /// Pairs [first, first + count) of `frequencies`, for any of `positions`; all of it must outlive
  /// this.
  SinCosRows(const Frequencies& frequencies, std::size_t first, std::size_t count,
             const Positions& positions, Scales scales) noexcept
      : turns_(kernels::turns_from(frequencies, first)),
        count_(count),
        positions_(positions),
        scales_(scales),
        summed_(positions.is_range() && positions.size() >= 2 * kRows && fits(scales.sin) &&
                fits(scales.cos)) {
    for (std::size_t step = 0; summed_ && step <= kRows; ++step) {
      doubles(static_cast<double>(step), steps_ + step * kRowSize);
    }
  }

  /// Rows [first, first + rows) of the positions, row r to sin + r * stride and cos + r * stride;
  /// interleaved where one begins just after the other.
  void write(std::size_t first, std::size_t rows, kernels::Rounding rounding, float* sin,
             float* cos, std::size_t stride) noexcept {
    if (!summed_ || rounding != kernels::Rounding::nearest) {
      for (std::size_t row = 0; row < rows; ++row) {
        kernels::active().sin_cos(positions_[first + row], turns_, count_, scales_.sin, scales_.cos,
                                  rounding, sin + row * stride, cos + row * stride);
      }
      return;
    }
    sum(first, rows, sin, cos, stride, false);
  }

  /// All rows as floats, as `write` places them; `streamed` where the whole output is so large that
  /// it goes around the caches.
  void write_all(float* sin, float* cos, std::size_t stride, bool streamed) noexcept {
    if (!summed_) return write(0, positions_.size(), kernels::Rounding::nearest, sin, cos, stride);
    sum(0, positions_.size(), sin, cos, stride, streamed);
    if (streamed) kernels::active().finish_streams();
  }

 private:
  static constexpr std::size_t kRowSize = 2 * kernels::kSinCosPairs;
  static constexpr int kTurns = 7;

  static bool fits(double scale) noexcept {
    return std::fabs(scale) >= 0x1p-60 && std::fabs(scale) <= 0x1p60;
  }

  void doubles(double position, double* row) const noexcept {
    kernels::active().sin_cos_doubles(position, turns_, count_, row, row + kernels::kSinCosPairs);
  }

  void sum(std::size_t first, std::size_t rows, float* sin, float* cos, std::size_t stride,
           bool streamed) noexcept {
    for (std::size_t done = 0; done < rows; done += kRows) {
      move_base(positions_[first + done]);
      kernels::active().sin_cos_sums({.position = base_position_,
                                      .turns = turns_,
                                      .pairs = count_,
                                      .rows = std::min(kRows, rows - done),
                                      .base = base_,
                                      .steps = steps_,
                                      .sin_scale = scales_.sin,
                                      .cos_scale = scales_.cos,
                                      .sin = sin + done * stride,
                                      .cos = cos + done * stride,
                                      .stride = stride,
                                      .streamed = streamed});
    }
  }

  /// Has `base_` hold the angles of the position.
  void move_base(double position) noexcept {
    const bool next = turns_left_ > 0 && position == base_position_ + kRows;
    base_position_ = position;
    if (!next) {
      turns_left_ = kTurns;
      return doubles(position, base_);
    }
    --turns_left_;
    constexpr std::size_t pairs = kernels::kSinCosPairs;
    const double* step = steps_ + kRows * kRowSize;
    for (std::size_t i = 0; i < count_; ++i) {
      const double sin = base_[i], cos = base_[pairs + i];
      base_[i] = sin * step[pairs + i] + cos * step[i];
      base_[pairs + i] = cos * step[pairs + i] - sin * step[i];
    }
  }

  kernels::Turns turns_;
  std::size_t count_;
  Positions positions_;
  Scales scales_;
  bool summed_;
  int turns_left_ = 0;
  double base_position_ = 0.0;
  alignas(64) double base_[kRowSize];
  alignas(64) double steps_[(kRows + 1) * kRowSize];
};

}  // namespace posenc::detail
