#pragma once

#include <cstddef>

#include "posenc/core/frequencies.hpp"
#include "posenc/core/positions.hpp"
#include "posenc/kernels/kernels.hpp"

namespace posenc::detail {

/// Sines and cosines of many positions for at most kSinCosPairs frequencies, in order. Where 32 of
/// them follow one another they are sums of two angles, if there are pairs enough and they are
/// rounded to nearest; the bits are the same.
///
/// The first angle is that of the middle of 32 positions: computed every fourth time, and turned on
/// by 32 positions in between. How far the vectors (sine, cosine) of double are from the true ones,
/// in units of 2^-54: 2.9 as they are computed (0.8 ulp of either, and the rounding of the angle),
/// 1.4 more where they are scaled; a turn or a sum adds 2.9 of the other angle and 4.3 of its own
/// products and sums. After three turns and the last sum that is 34, and with the error of what
/// `sin_cos` computes, 3.4, below 2^-48.7 of the scale. For far positions the angle is rounded
/// more: these are computed one by one.
class SinCosRows {
 public:
  /// Rows that are worth computing in one call.
  static constexpr std::size_t kRows = kernels::kSinCosRows;

  struct Scales {
    double sin = 1.0;
    double cos = 1.0;
  };

  /// Memory for `pairs` pairs.
  template <std::size_t pairs>
  struct Memory {
    alignas(kernels::kLineBytes) double angles[2 * (kRows / 2 + 2) * pairs];
  };

  /// Pairs [first, first + count) of `frequencies`, for any of `positions`; all of it must outlive
  /// this, and count is at most `pairs`.
  template <std::size_t pairs>
  SinCosRows(const Frequencies& frequencies, std::size_t first, std::size_t count,
             const Positions& positions, Scales scales, Memory<pairs>& memory) noexcept
      : SinCosRows(frequencies, first, count, positions, scales, memory.angles) {
    static_assert(pairs <= kernels::kSinCosPairs);
  }

  /// Rows [first, first + rows) of the positions, row r to sin + r * stride and cos + r * stride;
  /// interleaved where one begins just after the other. `streamed` where the whole output is so
  /// large that it goes around the caches.
  void write(std::size_t first, std::size_t rows, kernels::Rounding rounding, float* sin,
             float* cos, std::size_t stride, bool streamed = false) noexcept;

 private:
  SinCosRows(const Frequencies& frequencies, std::size_t first, std::size_t count,
             const Positions& positions, Scales scales, double* memory) noexcept;

  void doubles(double position, Scales scales, double* row) const noexcept;
  void make_steps() noexcept;
  void sum(double position, std::size_t rows, float* sin, float* cos, std::size_t stride,
           bool streamed) noexcept;

  kernels::Turns turns_;
  std::size_t count_;
  Positions positions_;
  Scales scales_;
  bool may_sum_;
  /// Positions up to here are summed.
  double limit_;
  bool has_steps_ = false;
  /// The base is that of the rows from position `next_` on, while turns are left.
  int turns_left_ = 0;
  double next_ = 0.0;
  /// What the kernel reads.
  double* base_;
  double* turn_;
  double* steps_;
};

}  // namespace posenc::detail
