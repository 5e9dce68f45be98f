#include "posenc/core/sin_cos_rows.hpp"

#include <algorithm>
#include <cmath>

#include "posenc/core/consecutive.hpp"
#include "posenc/kernels/turns.hpp"

namespace posenc::detail {
namespace {

constexpr int kTurns = 3;

bool fit(SinCosRows::Scales scales) noexcept {
  const double scale = std::fabs(scales.sin);
  return scale == std::fabs(scales.cos) && scale >= 0x1p-16 && scale <= 0x1p16;
}

}  // namespace

SinCosRows::SinCosRows(const Frequencies& frequencies, std::size_t first, std::size_t count,
                       const Positions& positions, Scales scales, double* memory) noexcept
    : turns_(kernels::turns_from(frequencies, first)),
      count_(count),
      positions_(positions),
      scales_(scales),
      may_sum_(count >= kernels::kSinCosLeastPairs && fit(scales)),
      limit_(frequencies.position_limit() / 8),
      base_(memory),
      turn_(base_ + 2 * count),
      steps_(turn_ + 2 * count) {}

void SinCosRows::write(std::size_t first, std::size_t rows, kernels::Rounding rounding, float* sin,
                       float* cos, std::size_t stride, bool streamed) noexcept {
  const bool may_sum = may_sum_ && rounding == kernels::Rounding::nearest;
  for (std::size_t done = 0; done < rows; done += kRows) {
    const std::size_t at = first + done, count = std::min(kRows, rows - done);
    float* sines = sin + done * stride;
    float* cosines = cos + done * stride;
    if (may_sum && (has_steps_ || count == kRows) && std::fabs(positions_[at]) <= limit_ &&
        are_consecutive(positions_, at, count)) {
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

void SinCosRows::doubles(double position, Scales scales, double* row) const noexcept {
  kernels::active().sin_cos_doubles(position, turns_, count_, row, row + count_);
  for (std::size_t i = 0; i < count_; ++i) {
    row[i] *= scales.sin;
    row[count_ + i] *= scales.cos;
  }
}

/// What all sums add, once they are worth it: after the first whole rows.
void SinCosRows::make_steps() noexcept {
  has_steps_ = true;
  const double sign = scales_.sin == scales_.cos ? 1.0 : -1.0;
  doubles(kRows, {sign, 1.0}, turn_);
  for (std::size_t step = 0; step < kRows / 2; ++step) {
    doubles(static_cast<double>(step) + 0.5, {sign, 1.0}, steps_ + step * 2 * count_);
  }
}

/// Rows of `position` and those after it.
void SinCosRows::sum(double position, std::size_t rows, float* sin, float* cos, std::size_t stride,
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

}  // namespace posenc::detail
