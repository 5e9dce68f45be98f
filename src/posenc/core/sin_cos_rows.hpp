#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "posenc/core/positions.hpp"
#include "posenc/kernels/kernels.hpp"
#include "posenc/kernels/turns.hpp"

namespace posenc::detail {

/// Sines and cosines of many positions for at most kSinCosPairs frequencies. Those of consecutive
/// positions are sums of two angles, 32 by 32, when they are rounded to nearest; the bits are the
/// same.
class SinCosRows {
 public:
  /// Rows that are worth computing in one call.
  static constexpr std::size_t kRows = 32;

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
    for (std::size_t step = 0; summed_ && step < kRows; ++step) {
      doubles(static_cast<double>(step), steps_ + step * kRowSize);
    }
  }

  /// Rows [first, first + rows) of the positions, row r to sin + r * stride and cos + r * stride;
  /// interleaved where one begins just after the other.
  void write(std::size_t first, std::size_t rows, kernels::Rounding rounding, float* sin,
             float* cos, std::size_t stride) const noexcept {
    if (!summed_ || rounding != kernels::Rounding::nearest) {
      for (std::size_t row = 0; row < rows; ++row) {
        kernels::active().sin_cos(positions_[first + row], turns_, count_, scales_.sin, scales_.cos,
                                  rounding, sin + row * stride, cos + row * stride);
      }
      return;
    }
    alignas(64) double base[kRowSize];
    for (std::size_t done = 0; done < rows; done += kRows) {
      const double position = positions_[first + done];
      doubles(position, base);
      kernels::active().sin_cos_sums({.position = position,
                                      .turns = turns_,
                                      .pairs = count_,
                                      .rows = std::min(kRows, rows - done),
                                      .base = base,
                                      .steps = steps_,
                                      .sin_scale = scales_.sin,
                                      .cos_scale = scales_.cos,
                                      .sin = sin + done * stride,
                                      .cos = cos + done * stride,
                                      .stride = stride});
    }
  }

  /// All rows as floats, as `write` places them; `streamed` where the whole output is so large that
  /// it goes around the caches.
  void write_all(float* sin, float* cos, std::size_t stride, bool streamed) const noexcept {
    for (std::size_t first = 0; first < positions_.size(); first += kRows) {
      const std::size_t rows = std::min(kRows, positions_.size() - first), at = first * stride;
      if (streamed) {
        stream(first, rows, sin + at, cos + at, stride);
      } else {
        write(first, rows, kernels::Rounding::nearest, sin + at, cos + at, stride);
      }
    }
  }

 private:
  static constexpr std::size_t kRowSize = 2 * kernels::kSinCosPairs;

  static bool fits(double scale) noexcept {
    return std::fabs(scale) >= 0x1p-60 && std::fabs(scale) <= 0x1p60;
  }

  void doubles(double position, double* row) const noexcept {
    kernels::active().sin_cos_doubles(position, turns_, count_, row, row + kernels::kSinCosPairs);
  }

  /// By way of a tile, since whole lines go around the caches alone.
  void stream(std::size_t first, std::size_t rows, float* sin, float* cos,
              std::size_t stride) const noexcept {
    alignas(64) float tile[kRows * kRowSize];
    if (cos == sin + 1 || sin == cos + 1) {
      float* target = std::min(sin, cos);
      const std::size_t width = 2 * count_;
      write(first, rows, kernels::Rounding::nearest, tile + (sin - target), tile + (cos - target),
            width);
      copy(tile, width, rows, target, stride);
    } else {
      float* const other = tile + kRows * kernels::kSinCosPairs;
      write(first, rows, kernels::Rounding::nearest, tile, other, count_);
      copy(tile, count_, rows, sin, stride);
      copy(other, count_, rows, cos, stride);
    }
  }

  static void copy(const float* tile, std::size_t width, std::size_t rows, float* out,
                   std::size_t stride) noexcept {
    const std::size_t joined = stride == width ? rows : 1;  // rows without a gap are one
    kernels::active().copy_rows({.source = reinterpret_cast<const char*>(tile),
                                 .source_step = static_cast<std::ptrdiff_t>(width * sizeof(float)),
                                 .rows = rows / joined,
                                 .size = joined * width * sizeof(float),
                                 .out = reinterpret_cast<char*>(out),
                                 .out_stride = stride * sizeof(float)},
                                true);
  }

  kernels::Turns turns_;
  std::size_t count_;
  Positions positions_;
  Scales scales_;
  bool summed_;
  alignas(64) double steps_[kRows * kRowSize];
};

}  // namespace posenc::detail
