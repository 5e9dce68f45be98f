#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace posenc {

namespace math {
struct DoubleDouble;
}

/// The angular frequencies of a sinusoidal or rotary encoding, in radians per position and, for the
/// kernels, in quarter turns per position. A part of the encodings that hold it, not an API of its
/// own.
///
/// The angle of a far position needs more than a double: at 2^24 a double's rounding of the
/// frequency alone moves a value near a zero crossing by thousands of ulp. So a frequency is kept
/// as a double-double, and in quarter turns, where the range reduction of position * frequency is a
/// subtraction of the nearest integer and therefore exact.
class Frequencies {
 public:
  Frequencies() = default;
  /// `count` frequencies, all 0, to be set.
  explicit Frequencies(std::size_t count);

  /// The geometric frequencies base^(-2i / denominator) / divisor, i = 0 .. count - 1.
  static Frequencies geometric(std::size_t count, double base, double denominator,
                               double divisor = 1.0);
  /// factor * ratio^(-2i / denominator), i = 0 .. count - 1, for parameters that are no doubles
  /// themselves: quotients of timescales.
  static Frequencies powers(std::size_t count, const math::DoubleDouble& ratio, double denominator,
                            const math::DoubleDouble& factor);

  std::size_t size() const noexcept { return radians_.size(); }
  /// Radians per position, nearest double (error at most 0.51 ulp).
  std::span<const double> radians() const noexcept { return radians_; }
  void set(std::size_t index, const math::DoubleDouble& radians) noexcept;
  /// The same for a frequency that is a rational number of turns, so that its zeros are exact.
  void set_quarter_turns(std::size_t index, const math::DoubleDouble& turns) noexcept;

  /// The largest |position| whose angle the kernels can take, alone or summed with those of up to
  /// seven more axes: kMaxPosition, less when a frequency is above a radian per position.
  double position_limit() const noexcept;

  /// Quarter turns per position: high part, the high part's upper 26 bits, and low part.
  const double* turns_high() const noexcept { return turns_.data(); }
  const double* turns_split() const noexcept { return turns_.data() + size(); }
  const double* turns_low() const noexcept { return turns_.data() + 2 * size(); }

 private:
  void store(std::size_t index, const math::DoubleDouble& radians,
             const math::DoubleDouble& turns) noexcept;

  std::vector<double> radians_;
  std::vector<double> turns_;
};

}  // namespace posenc
