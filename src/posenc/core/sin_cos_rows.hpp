#pragma once

#include <cstddef>

#include "posenc/core/frequencies.hpp"
#include "posenc/core/positions.hpp"
#include "posenc/kernels/kernels.hpp"

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
             const Positions& positions, Scales scales) noexcept;

  /// Rows [first, first + rows) of the positions, row r to sin + r * stride and cos + r * stride;
  /// interleaved where one begins just after the other. `streamed` where the whole output is so
  /// large that it goes around the caches.
  void write(std::size_t first, std::size_t rows, kernels::Rounding rounding, float* sin,
             float* cos, std::size_t stride, bool streamed = false) noexcept;

 private:
  static constexpr std::size_t kRowSize = 2 * kernels::kSinCosPairs;

  void doubles(double position, Scales scales, double* row) const noexcept;
  void make_steps() noexcept;
  void sum(double position, std::size_t rows, float* sin, float* cos, std::size_t stride,
           bool streamed) noexcept;

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
