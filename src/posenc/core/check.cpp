#include "posenc/core/check.hpp"

#include <bit>
#include <cinttypes>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>

#include "posenc/math/double_double.hpp"

namespace posenc::detail {
namespace {

constexpr std::size_t kMaxFloats =
    static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max()) / sizeof(float);

bool multiply(std::initializer_list<std::size_t> dimensions, std::size_t& product) noexcept {
  product = 1;
  bool fits = true;
  for (std::size_t dimension : dimensions) {
    if (dimension == 0) {
      product = 0;
      return true;
    }
    if (product > kMaxFloats / dimension) fits = false;
    if (fits) product *= dimension;
  }
  return fits;
}

/// 10^exponent, exponent >= 0.
math::DoubleDouble power_of_ten(int exponent) noexcept {
  math::DoubleDouble power{1.0};
  for (int i = 0; i < exponent; ++i) power = power * math::DoubleDouble{10.0};
  return power;
}

/// Whether what "%.*e" prints of `value` reads back as it; not when that is in doubt. (strtod takes
/// 6 KB of WebAssembly after brotli, this less than one.)
bool reads_back(const char* text, double value) noexcept {
  math::DoubleDouble digits{0.0};
  int decimals = -1;
  const char* at = text;
  for (; *at != 'e'; ++at) {
    if (*at < '0' || *at > '9') continue;  // the sign and the decimal point
    digits = digits * math::DoubleDouble{10.0} + math::DoubleDouble{static_cast<double>(*at - '0')};
    ++decimals;
  }
  const int tens = std::atoi(at + 1) - decimals;
  // Value and decimal are both divided by a power of two that makes the value 1 to 2, the decimal
  // between its two halves of ten, so that no step leaves the range of doubles.
  const double magnitude = std::fabs(value);
  const int twos = std::ilogb(magnitude), half = std::abs(tens) / 2;
  const math::DoubleDouble halves[] = {power_of_ten(half), power_of_ten(std::abs(tens) - half)};
  math::DoubleDouble decimal = tens < 0 ? digits / halves[0] : digits * halves[0];
  decimal = {std::ldexp(decimal.hi, -twos), std::ldexp(decimal.lo, -twos)};
  decimal = tens < 0 ? decimal / halves[1] : decimal * halves[1];
  const double off = (decimal.hi - std::ldexp(magnitude, -twos)) + decimal.lo;
  const auto bits = std::bit_cast<std::uint64_t>(magnitude);
  const double gap = std::ldexp(magnitude - std::bit_cast<double>(bits - 1), -twos);
  // Half way between two values the even one is read; only whole numbers lie there, and exactly.
  if (std::fabs(off) == 0.5 * gap) return bits % 2 == 0 && tens >= 0 && tens <= 22;
  return std::fabs(off) < 0.499999 * gap;
}

Status outside(const char* encoding, const char* field, double position, double limit) noexcept {
  return Status::failure(Code::position_range, field,
                         "%s: %s must be finite and at most %s in magnitude, got %s", encoding,
                         field, NumberText(limit).c_str(), NumberText(position).c_str());
}

}  // namespace

NumberText::NumberText(double value) noexcept {
  // A NaN without its sign, which some processors set and printf shows.
  const double shown = std::isnan(value) ? std::fabs(value) : value;
  constexpr int kFewest = 6, kMost = 17;
  int digits = kFewest;
  if (std::isfinite(shown) && shown != 0.0) {
    for (; digits < kMost; ++digits) {
      std::snprintf(text_, sizeof text_, "%.*e", digits - 1, shown);
      if (reads_back(text_, shown)) break;
    }
  }
  std::snprintf(text_, sizeof text_, "%.*g", digits, shown);
}

Status check_width(const char* encoding, const char* field, std::size_t value) noexcept {
  return check_count(encoding, field, value, 1, kMaxWidth);
}

Status check_count(const char* encoding, const char* field, std::size_t value, std::size_t low,
                   std::size_t high) noexcept {
  if (value >= low && value <= high) return {};
  return Status::failure(Code::value_range, field, "%s: %s must be %zu to %zu, got %zu", encoding,
                         field, low, high, value);
}

Status check_number(const char* encoding, const char* field, double value, double low,
                    double high) noexcept {
  if (value >= low && value <= high) return {};
  return Status::failure(Code::value_range, field, "%s: %s must be %s to %s, got %s", encoding,
                         field, NumberText(low).c_str(), NumberText(high).c_str(),
                         NumberText(value).c_str());
}

Status multiply(const char* encoding, const char* field,
                std::initializer_list<std::size_t> dimensions, std::size_t& product) noexcept {
  if (multiply(dimensions, product)) return {};
  return Status::failure(Code::size_limit, field,
                         "%s: %s would have more than %zu elements; split the call", encoding,
                         field, kMaxFloats);
}

Status check_shape(const char* encoding, const char* field, std::size_t size, const char* shape,
                   std::initializer_list<std::size_t> dimensions) noexcept {
  std::size_t expected = 0;
  POSENC_RETURN_IF_FAILED(multiply(encoding, field, dimensions, expected));
  if (size == expected) return {};
  char numbers[96] = "";
  std::size_t used = 0;
  for (std::size_t dimension : dimensions) {
    const char* separator = used == 0 ? "" : " * ";
    const int written =
        std::snprintf(numbers + used, sizeof numbers - used, "%s%zu", separator, dimension);
    if (written < 0 || static_cast<std::size_t>(written) >= sizeof numbers - used) break;
    used += static_cast<std::size_t>(written);
  }
  return Status::failure(Code::shape, field, "%s: %s must have %s = %s = %zu elements, got %zu",
                         encoding, field, shape, numbers, expected, size);
}

Status check_positions(const char* encoding, const char* field, const Positions& positions,
                       double limit) noexcept {
  if (positions.size() == 0) return {};
  if (positions.is_range()) {
    const double first = positions[0];
    const double last = first + static_cast<double>(positions.size() - 1);
    if (!(std::fabs(first) <= limit)) return outside(encoding, field, first, limit);
    if (!(std::fabs(last) <= limit)) return outside(encoding, field, last, limit);
    return {};
  }
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (!(std::fabs(positions[i]) <= limit)) return outside(encoding, field, positions[i], limit);
  }
  return {};
}

Status check_whole_positions(const char* encoding, const char* field,
                             const Positions& positions) noexcept {
  POSENC_RETURN_IF_FAILED(check_positions(encoding, field, positions));
  if (positions.is_range()) return {};
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (positions[i] == static_cast<double>(static_cast<std::int64_t>(positions[i]))) continue;
    return Status::failure(Code::position_range, field, "%s: %s must be whole numbers, got %s",
                           encoding, field, NumberText(positions[i]).c_str());
  }
  return {};
}

Status check_apart(const char* encoding, const char* field, ConstFloats a, const char* other,
                   ConstFloats b) noexcept {
  return check_apart(encoding, field, a, other,
                     std::span(static_cast<const std::byte*>(b.data()), b.size_bytes()));
}

Status check_apart(const char* encoding, const char* field, ConstFloats a, const char* other,
                   std::span<const std::byte> b) noexcept {
  const std::less<const std::byte*> before;
  const auto* a_first = static_cast<const std::byte*>(a.data());
  const bool apart = a.empty() || b.empty() || !before(a_first, b.data() + b.size()) ||
                     !before(b.data(), a_first + a.size_bytes());
  if (apart) return {};
  return Status::failure(Code::overlap, field, "%s: %s must not overlap %s", encoding, field,
                         other);
}

Status check_apart(const char* encoding, const char* field, ConstFloats a,
                   std::initializer_list<NamedFloats> others) noexcept {
  for (const NamedFloats& other : others) {
    POSENC_RETURN_IF_FAILED(check_apart(encoding, field, a, other.name, other.values));
  }
  return {};
}

}  // namespace posenc::detail
