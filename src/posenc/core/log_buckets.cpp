#include "posenc/core/log_buckets.hpp"

#include <cmath>
#include <numeric>

#include "posenc/math/double_double.hpp"
#include "posenc/math/elementary.hpp"

namespace posenc::detail {
namespace {

/// base with base^exponent == value, or 0 when there is none. exponent >= 1, value < 2^31.
std::uint64_t exact_root(std::uint64_t value, std::uint64_t exponent) noexcept {
  if (exponent == 1) return value;
  for (std::uint64_t base = 1; base <= value; ++base) {
    std::uint64_t power = 1;
    for (std::uint64_t i = 0; i < exponent && power <= value; ++i) power *= base;
    if (power == value) return base;
    if (power > value) break;
  }
  return 0;
}

/// base^exponent, or 0 when it is 2^31 or more.
std::uint64_t small_power(std::uint64_t base, std::uint64_t exponent) noexcept {
  std::uint64_t result = 1;
  for (std::uint64_t i = 0; i < exponent; ++i) {
    result *= base;
    if (result >= std::uint64_t{1} << 31) return 0;
    if (base == 1) return 1;
  }
  return result;
}

math::DoubleDouble exact(std::uint64_t value) noexcept { return {static_cast<double>(value)}; }

}  // namespace

IntegerPart geometric_step(std::int64_t first, std::int64_t last, std::size_t step,
                           std::size_t steps) noexcept {
  const std::size_t common = std::gcd(step, steps);
  step /= common;
  steps /= common;
  const auto start = static_cast<std::uint64_t>(first), end = static_cast<std::uint64_t>(last);
  const std::uint64_t divisor = std::gcd(start, end);
  // A number below 2^31 is no perfect power with a larger exponent.
  const std::uint64_t top_root = steps < 32 ? exact_root(end / divisor, steps) : 0;
  const std::uint64_t bottom_root = steps < 32 ? exact_root(start / divisor, steps) : 0;
  const bool rational = top_root != 0 && bottom_root != 0;
  if (rational) {
    const std::uint64_t top = small_power(top_root, step), bottom = small_power(bottom_root, step);
    if (top != 0 && bottom != 0) {
      return {static_cast<std::int64_t>(start * top / bottom), start * top % bottom == 0};
    }
  }
  const math::DoubleDouble exponent = exact(step) / exact(steps);
  const math::DoubleDouble value = math::pow(exact(end) / exact(start), exponent) * exact(start);
  if (!(value.hi < 4.0e18)) return {std::int64_t{1} << 62, false};
  const double nearest = std::nearbyint(value.hi);
  const double beyond = (value.hi - nearest) + value.lo;
  // A rational value too large for the integers above: equal to an integer to 15 more digits.
  if (rational && std::fabs(beyond) < 1e-15 * nearest) {
    return {static_cast<std::int64_t>(nearest), true};
  }
  return {static_cast<std::int64_t>(nearest) - (beyond < 0.0 ? 1 : 0), false};
}

}  // namespace posenc::detail
