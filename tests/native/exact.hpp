#pragma once

// Exact values for the tests: numbers of 160 binary digits on integers alone, which share nothing
// with the library's arithmetic and are the same in every build. exact_test.cpp holds them to
// values from mpmath.

#include <array>
#include <cstddef>
#include <cstdint>

namespace posenc::tests {

/// sign * digits * 2^exponent, the highest of the 160 digits not 0 unless the number is.
/// Operations cut off what does not fit: each is within 2^-156 of its result, functions within
/// 2^-150 (of the larger of the result and 1 for `log`).
class Exact {
 public:
  static constexpr std::size_t kLimbs = 5;
  using Limbs = std::array<std::uint32_t, kLimbs>;

  constexpr Exact() noexcept = default;
  Exact(double value) noexcept;
  explicit Exact(std::size_t value) noexcept : Exact(static_cast<double>(value)) {}
  /// digits * 2^exponent, the lowest limb first.
  Exact(const Limbs& digits, int exponent) noexcept;

  /// The nearest double, within a hair of half a unit; subnormals are cut off.
  double value() const noexcept;
  bool is_zero() const noexcept { return digits_[kLimbs - 1] == 0; }
  bool is_negative() const noexcept { return negative_; }

  Exact operator-() const noexcept;
  friend Exact operator+(const Exact& a, const Exact& b) noexcept;
  friend Exact operator-(const Exact& a, const Exact& b) noexcept { return a + -b; }
  friend Exact operator*(const Exact& a, const Exact& b) noexcept;
  friend Exact operator/(const Exact& a, const Exact& b) noexcept;
  friend bool operator<(const Exact& a, const Exact& b) noexcept { return (a - b).negative_; }

  /// times 2^power
  Exact scaled(int power) const noexcept;
  /// The magnitude, which is below 1, in units of 2^-160.
  Limbs fraction() const noexcept;

 private:
  Limbs digits_{};
  int exponent_ = 0;
  bool negative_ = false;
};

Exact abs(const Exact& x) noexcept;
Exact exp(const Exact& x) noexcept;
/// x above 0
Exact log(const Exact& x) noexcept;
/// ln(1 + x), near 0 too
Exact log_one_plus(const Exact& x) noexcept;
/// base above 0
Exact pow(const Exact& base, const Exact& exponent) noexcept;
/// 1 / (1 + e^-x)
Exact sigmoid(const Exact& x) noexcept;
/// ln(1 + e^x)
Exact softplus(const Exact& x) noexcept;

struct SinCosOf {
  Exact sin, cos;
};
/// |angle| below 2^50; near zeros of either too.
SinCosOf sin_cos(const Exact& angle) noexcept;
/// of that many quarter turns, whole ones being exact
SinCosOf sin_cos_quarter_turns(const Exact& turns) noexcept;

Exact exact_pi() noexcept;

/// Sine and cosine of position * frequency, nearest doubles.
struct ExactSinCos {
  double sin, cos;
};
ExactSinCos exact_sin_cos(double position, const Exact& frequency) noexcept;

/// base^(-2 pair / denominator) / factor.
Exact exact_frequency(double base, double denominator, std::size_t pair, double factor = 1);

}  // namespace posenc::tests
