#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "posenc/core/consecutive.hpp"
#include "posenc/core/positions.hpp"
#include "posenc/kernels/kernels.hpp"
#include "posenc/kernels/turns.hpp"

namespace posenc::detail {

/// Sines and cosines of many positions for at most kSinCosPairs frequencies, in order. Those of 32
/// consecutive ones are sums of two angles, when they are rounded to nearest; the bits are the
/// same.
///
/// The first angle is that of the middle of 32 positions: computed every fourth time, and turned on
/// by 32 positions in between. With errors of 2^-54 in every sine, cosine, product and sum, a turn
/// adds at most 2^-51.8 to the distance between the vector (sine, cosine) and the true one: after
/// three turns and the last sum it is below 2^-49.5.
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
        may_sum_(count >= kernels::kSinCosLeastPairs && fits(scales)) {}

  /// Rows [first, first + rows) of the positions, row r to sin + r * stride and cos + r * stride;
  /// interleaved where one begins just after the other. `streamed` where the whole output is so
  /// large that it goes around the caches.
  void write(std::size_t first, std::size_t rows, kernels::Rounding rounding, float* sin,
             float* cos, std::size_t stride, bool streamed = false) noexcept {
    const bool may_sum = may_sum_ && rounding == kernels::Rounding::nearest;
    for (std::size_t done = 0; done < rows; done += kRows) {
      const std::size_t at = first + done, count = std::min(kRows, rows - done);
      float* sines = sin + done * stride;
      float* cosines = cos + done * stride;
      if (may_sum && (has_steps_ || count == kRows) && are_consecutive(positions_, at, count)) {
        sum(positions_[at], count, sines, cosines, stride, streamed);
        continue;
      }
      for (std::size_t row = 0; row < count; ++row) {
        kernels::active().sin_cos(positions_[at + row], turns_, count_, scales_.sin, scales_.cos,
                                  rounding, sines + row * stride, cosines + row * stride);
      }
    }
    if (streamed) kernels::active().finish_streams();
  }

 private:
  static constexpr std::size_t kRowSize = 2 * kernels::kSinCosPairs;
  static constexpr int kTurns = 3;

  static bool fits(Scales scales) noexcept {
    const double scale = std::fabs(scales.sin);
    return scale == std::fabs(scales.cos) && scale >= 0x1p-16 && scale <= 0x1p16;
  }

  void doubles(double position, Scales scales, double* row) const noexcept {
    kernels::active().sin_cos_doubles(position, turns_, count_, row, row + count_);
    for (std::size_t i = 0; i < count_; ++i) {
      row[i] *= scales.sin;
      row[count_ + i] *= scales.cos;
    }
  }

  /// What all sums add, once they are worth it: after the first whole rows.
  void make_steps() noexcept {
    has_steps_ = true;
    const double sign = scales_.sin == scales_.cos ? 1.0 : -1.0;
    doubles(kRows, {sign, 1.0}, turn_);
    for (std::size_t step = 0; step < kRows / 2; ++step) {
      doubles(static_cast<double>(step) + 0.5, {sign, 1.0}, steps_ + step * 2 * count_);
    }
  }

  /// Rows of `position` and those after it.
  void sum(double position, std::size_t rows, float* sin, float* cos, std::size_t stride,
           bool streamed) noexcept {
    if (!has_steps_) make_steps();
    if (turns_left_ == 0 || position != next_) {
      turns_left_ = kTurns + 1;
      doubles(position + 0.5 * (kRows - 1), scales_, base_);
    }
    --turns_left_;
    next_ = position + kRows;
    kernels::active().sin_cos_sums({.position = position,
                                    .turns = turns_,
                                    .pairs = count_,
                                    .rows = rows,
                                    .sin_scale = scales_.sin,
                                    .cos_scale = scales_.cos,
                                    .base = base_,
                                    .turn = turns_left_ == 0 ? nullptr : turn_,
                                    .steps = steps_,
                                    .sin = sin,
                                    .cos = cos,
                                    .stride = stride,
                                    .streamed = streamed});
  }

  kernels::Turns turns_;
  std::size_t count_;
  Positions positions_;
  Scales scales_;
  bool may_sum_;
  bool has_steps_ = false;
  /// The base is that of the rows from position `next_` on, while turns are left.
  int turns_left_ = 0;
  double next_ = 0.0;
  alignas(64) double base_[kRowSize];
  alignas(64) double turn_[kRowSize];
  alignas(64) double steps_[kRows / 2 * kRowSize];
};

}  // namespace posenc::detail
