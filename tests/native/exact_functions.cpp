#include <array>
#include <cmath>

#include "exact.hpp"

namespace posenc::tests {
namespace {

constexpr int kBits = 32 * static_cast<int>(Exact::kLimbs);

std::uint32_t low_half(std::uint64_t value) noexcept { return static_cast<std::uint32_t>(value); }

const Exact kPi({0x29024e08, 0x80dc1cd1, 0xc4c6628b, 0x2168c234, 0xc90fdaa2}, 2 - kBits);
/// pi in two parts, the first short enough for exact products with whole numbers.
const Exact kPiHigh({0, 0, 0xc4c6628b, 0x2168c234, 0xc90fdaa2}, 2 - kBits);
const Exact kPiLow({0x3b139b22, 0x020bbea6, 0x8a67cc74, 0x29024e08, 0x80dc1cd1}, -94 - kBits);
const Exact kLn2({0x40f34326, 0x03f2f6af, 0xc9e3b398, 0xd1cf79ab, 0xb17217f7}, -kBits);

/// Fractions of 160 digits, for the series, whose sums stay between 0 and 1.
using Fraction = Exact::Limbs;
constexpr std::uint32_t kTerms = 40;

/// 1 / n!, n = 2, 3, ...
std::array<Fraction, kTerms> inverse_factorials() noexcept {
  std::array<Fraction, kTerms> all{};
  all[2].back() = 0x80000000;
  for (std::uint32_t n = 3; n < kTerms; ++n) {
    std::uint64_t rest = 0;
    for (std::size_t i = Exact::kLimbs; i-- > 0;) {
      rest = rest << 32 | all[n - 1][i];
      all[n][i] = low_half(rest / n);
      rest %= n;
    }
  }
  return all;
}
const std::array<Fraction, kTerms> kInverseFactorials = inverse_factorials();

/// a * b, cut off (by a few units of the last place).
Fraction product(const Fraction& a, const Fraction& b) noexcept {
  // column by column from the last one that matters
  Fraction high{};
  std::uint64_t low = 0, carry = 0;
  for (std::size_t column = Exact::kLimbs - 2; column < 2 * Exact::kLimbs; ++column) {
    const std::size_t first = column < Exact::kLimbs ? 0 : column - Exact::kLimbs + 1;
    for (std::size_t i = first; i < Exact::kLimbs && i <= column; ++i) {
      const std::uint64_t part = std::uint64_t{a[i]} * b[column - i];
      low += low_half(part);
      carry += part >> 32;
    }
    if (column >= Exact::kLimbs) high[column - Exact::kLimbs] = low_half(low);
    low = carry + (low >> 32);
    carry = 0;
  }
  return high;
}

/// 1/first! + x/(first + step)! + x^2/(first + 2 step)! + ..., x being at most
/// 0.7 in magnitude, of any sign.
Exact series(const Exact& x, std::uint32_t first, std::uint32_t step) noexcept {
  const Fraction size = x.fraction();
  std::uint32_t last = first;
  while (last + step < kTerms) last += step;
  Fraction sum = kInverseFactorials[last];
  for (std::uint32_t n = last; n > first;) {
    n -= step;
    const Fraction more = product(size, sum);
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < Exact::kLimbs; ++i) {
      const std::uint64_t here = kInverseFactorials[n][i];
      const std::uint64_t next = x.is_negative() ? here - more[i] - carry : here + more[i] + carry;
      sum[i] = low_half(next);
      carry = x.is_negative() ? next >> 63 : next >> 32;
    }
  }
  return Exact(sum, -kBits);
}

/// `rest`, at most pi / 4, is what `quarters` quarter turns leave of an angle.
SinCosOf turned(const Exact& rest, double quarters) noexcept {
  const Exact square = -(rest * rest);
  const Exact sine = rest + rest * square * series(square, 3, 2);
  const Exact cosine = Exact(1.0) + square * series(square, 2, 2);
  switch (static_cast<int>(quarters - 4 * std::floor(quarters / 4))) {
    case 0:
      return {sine, cosine};
    case 1:
      return {cosine, -sine};
    case 2:
      return {-sine, -cosine};
    default:
      return {-cosine, sine};
  }
}

}  // namespace

Exact exact_pi() noexcept { return kPi; }

Exact abs(const Exact& x) noexcept { return x.is_negative() ? -x : x; }

Exact exp(const Exact& x) noexcept {
  const double power = std::round(x.value() / kLn2.value());
  const Exact rest = x - kLn2 * power;
  const Exact result = Exact(1.0) + rest * (Exact(1.0) + rest * series(rest, 2, 1));
  return result.scaled(static_cast<int>(power));
}

Exact log(const Exact& x) noexcept {
  const int power = std::ilogb(x.value());
  const Exact size = x.scaled(-power);
  Exact near = std::log(size.value());
  for (int i = 0; i < 2; ++i) {
    const Exact reached = exp(near);
    near = near + ((size - reached) / (size + reached)).scaled(1);
  }
  return power == 0 ? near : near + kLn2 * static_cast<double>(power);
}

Exact log_one_plus(const Exact& x) noexcept {
  if (std::fabs(x.value()) > 0x1p-60) return log(Exact(1.0) + x);
  return x - x * x.scaled(-1) + x * x * x / 3.0;
}

Exact pow(const Exact& base, const Exact& exponent) noexcept { return exp(exponent * log(base)); }

Exact sigmoid(const Exact& x) noexcept { return Exact(1.0) / (Exact(1.0) + exp(-x)); }

Exact softplus(const Exact& x) noexcept {
  const Exact rest = log_one_plus(exp(-abs(x)));
  return x.is_negative() ? rest : x + rest;
}

SinCosOf sin_cos(const Exact& angle) noexcept {
  const double quarters = std::round((angle / kPi).value() * 2);
  const Exact near = angle - kPiHigh.scaled(-1) * quarters;
  return turned(near - kPiLow.scaled(-1) * quarters, quarters);
}

SinCosOf sin_cos_quarter_turns(const Exact& turns) noexcept {
  const double quarters = std::round(turns.value());
  return turned((turns - quarters) * kPi.scaled(-1), quarters);
}

ExactSinCos exact_sin_cos(double position, const Exact& frequency) noexcept {
  const SinCosOf exact = sin_cos(frequency * position);
  return {exact.sin.value(), exact.cos.value()};
}

Exact exact_frequency(double base, double denominator, std::size_t pair, double factor) {
  return pow(base, Exact(-2.0 * static_cast<double>(pair)) / denominator) / factor;
}

}  // namespace posenc::tests
