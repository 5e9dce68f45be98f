#include "exact.hpp"

#include <bit>
#include <cmath>
#include <span>

namespace posenc::tests {
namespace {

constexpr int kBits = 32 * static_cast<int>(Exact::kLimbs);

/// Digits with one limb more below, for sums.
using Wide = std::array<std::uint32_t, Exact::kLimbs + 1>;

std::uint32_t low_half(std::uint64_t value) noexcept { return static_cast<std::uint32_t>(value); }

Wide widened(const Exact::Limbs& digits, int right) noexcept {
  Wide wide{};
  const int limbs = right / 32, bits = right % 32;
  for (int i = 0; i < static_cast<int>(wide.size()); ++i) {
    const auto source = [&](int at) -> std::uint64_t {  // of the digits, moved up by one limb
      return at >= 1 && at <= static_cast<int>(Exact::kLimbs)
                 ? digits[static_cast<std::size_t>(at - 1)]
                 : 0;
    };
    const std::uint64_t both = source(i + limbs) | source(i + limbs + 1) << 32;
    wide[static_cast<std::size_t>(i)] = low_half(both >> bits);
  }
  return wide;
}

/// Moves digits left until the highest is not 0; by how many places, or -1 when all are 0.
int move_left(std::span<std::uint32_t> digits) noexcept {
  int moved = 0;
  std::size_t zeros = 0;
  while (zeros < digits.size() && digits[digits.size() - 1 - zeros] == 0) ++zeros;
  if (zeros == digits.size()) return -1;
  if (zeros != 0) {
    for (std::size_t i = digits.size(); i-- > 0;) digits[i] = i >= zeros ? digits[i - zeros] : 0;
    moved = 32 * static_cast<int>(zeros);
  }
  const int bits = std::countl_zero(digits.back());
  if (bits == 0) return moved;
  for (std::size_t i = digits.size(); i-- > 0;) {
    digits[i] = digits[i] << bits | (i > 0 ? digits[i - 1] >> (32 - bits) : 0);
  }
  return moved + bits;
}

bool is_less(const Wide& a, const Wide& b) noexcept {
  for (std::size_t i = a.size(); i-- > 0;) {
    if (a[i] != b[i]) return a[i] < b[i];
  }
  return false;
}

}  // namespace

Exact::Exact(double value) noexcept {
  if (value == 0) return;
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(value), &exponent);
  const auto digits = static_cast<std::uint64_t>(std::ldexp(fraction, 64));
  digits_[kLimbs - 2] = low_half(digits);
  digits_[kLimbs - 1] = low_half(digits >> 32);
  exponent_ = exponent - kBits;
  negative_ = value < 0;
}

Exact::Exact(const Limbs& digits, int exponent) noexcept : digits_(digits), exponent_(exponent) {
  const int moved = move_left(digits_);
  exponent_ = moved < 0 ? 0 : exponent_ - moved;
}

double Exact::value() const noexcept {
  double sum = 0;
  for (const std::uint32_t limb : digits_) sum = sum * 0x1p-32 + static_cast<double>(limb);
  const double size = std::ldexp(sum, exponent_ + kBits - 32);
  return negative_ ? -size : size;
}

Exact Exact::operator-() const noexcept {
  Exact result = *this;
  result.negative_ = !negative_;
  return result;
}

Exact Exact::scaled(int power) const noexcept {
  Exact result = *this;
  result.exponent_ += power;
  return result;
}

Exact operator+(const Exact& a, const Exact& b) noexcept {
  if (a.is_zero()) return b;
  if (b.is_zero()) return a;
  const Exact& big = a.exponent_ >= b.exponent_ ? a : b;
  const Exact& small = a.exponent_ >= b.exponent_ ? b : a;
  if (big.exponent_ - small.exponent_ > kBits + 32) return big;
  Wide x = widened(big.digits_, 0), y = widened(small.digits_, big.exponent_ - small.exponent_);
  Exact sum;
  sum.exponent_ = big.exponent_;
  sum.negative_ = big.negative_;
  std::uint64_t carry = 0;
  if (a.negative_ == b.negative_) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      carry += std::uint64_t{x[i]} + y[i];
      x[i] = low_half(carry);
      carry >>= 32;
    }
  } else {
    if (is_less(x, y)) {
      std::swap(x, y);
      sum.negative_ = small.negative_;
    }
    for (std::size_t i = 0; i < x.size(); ++i) {
      const std::uint64_t taken = std::uint64_t{x[i]} - y[i] - carry;
      x[i] = low_half(taken);
      carry = taken >> 63;
    }
    carry = 0;
  }
  if (carry != 0) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = x[i] >> 1 | (i + 1 < x.size() ? x[i + 1] << 31 : 0x80000000u);
    }
    ++sum.exponent_;
  } else {
    const int moved = move_left(x);
    if (moved < 0) return {};
    sum.exponent_ -= moved;
  }
  for (std::size_t i = 0; i < Exact::kLimbs; ++i) sum.digits_[i] = x[i + 1];
  return sum;
}

Exact operator*(const Exact& a, const Exact& b) noexcept {
  std::array<std::uint32_t, 2 * Exact::kLimbs> product{};
  for (std::size_t i = 0; i < Exact::kLimbs; ++i) {
    std::uint64_t carry = 0;
    for (std::size_t j = 0; j < Exact::kLimbs; ++j) {
      carry += std::uint64_t{a.digits_[i]} * b.digits_[j] + product[i + j];
      product[i + j] = low_half(carry);
      carry >>= 32;
    }
    product[i + Exact::kLimbs] = low_half(carry);
  }
  const int moved = move_left(product);
  if (moved < 0) return {};
  Exact result;
  for (std::size_t i = 0; i < Exact::kLimbs; ++i) result.digits_[i] = product[i + Exact::kLimbs];
  result.exponent_ = a.exponent_ + b.exponent_ + kBits - moved;
  result.negative_ = a.negative_ != b.negative_;
  return result;
}

Exact operator/(const Exact& a, const Exact& b) noexcept {
  Exact size = b;
  size.exponent_ = -kBits;  // 1/2 to 1
  size.negative_ = false;
  Exact inverse = 1.0 / size.value();
  for (int i = 0; i < 2; ++i) inverse = inverse + inverse * (Exact(1.0) - size * inverse);
  inverse = inverse.scaled(-kBits - b.exponent_);
  return a * (b.negative_ ? -inverse : inverse);
}

Exact::Limbs Exact::fraction() const noexcept {
  const Wide wide = widened(digits_, -kBits - exponent_);
  Limbs limbs{};
  for (std::size_t i = 0; i < kLimbs; ++i) limbs[i] = wide[i + 1];
  return limbs;
}

}  // namespace posenc::tests
