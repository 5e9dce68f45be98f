#include "posenc/core/decimal.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace posenc::detail {
namespace {

constexpr int kMantissaBits = 52, kLeastExponent = -1074;
constexpr std::uint64_t kHiddenBit = std::uint64_t{1} << kMantissaBits;
constexpr std::uint64_t kInfinity = std::uint64_t{0x7FF} << kMantissaBits;
constexpr std::uint64_t kSign = std::uint64_t{1} << 63;

/// A finite magnitude as mantissa * 2^exponent.
struct Parts {
  std::uint64_t mantissa;
  int exponent;
};

Parts parts_of(std::uint64_t bits) noexcept {
  const auto biased = static_cast<int>(bits >> kMantissaBits);
  const std::uint64_t fraction = bits & (kHiddenBit - 1);
  if (biased == 0) return {fraction, kLeastExponent};
  return {fraction | kHiddenBit, biased - 1 + kLeastExponent};
}

/// A whole number of digits times a power of ten.
struct Decimal {
  /// The most that mantissa * 2^exponent has, and two more.
  static constexpr int kMost = 800;

  /// Least digit first.
  std::uint8_t digits[kMost];
  int count = 0;
  int tens = 0;
  /// Whether there is more behind the least digit.
  bool more = false;

  /// The decimal exponent of the first digit.
  int leading() const noexcept { return count + tens - 1; }
  /// The digit of 10^place.
  int at(int place) const noexcept {
    const int i = place - tens;
    return i >= 0 && i < count ? digits[i] : 0;
  }
};

/// mantissa * 2^exponent, exactly.
Decimal exact(std::uint64_t mantissa, int exponent) noexcept {
  constexpr std::uint64_t kBase = 1'000'000'000;
  constexpr int kLimbs = Decimal::kMost / 9;
  std::uint64_t limbs[kLimbs];
  int used = 0;
  for (; mantissa != 0; mantissa /= kBase) limbs[used++] = mantissa % kBase;
  // m * 2^-k is m * 5^k * 10^-k.
  const std::uint64_t base = exponent < 0 ? 5 : 2;
  int left = std::abs(exponent);
  while (left > 0) {
    std::uint64_t factor = 1, carry = 0;
    for (; left > 0 && factor < kBase / 2; --left) factor *= base;
    for (int i = 0; i < used; ++i, carry /= kBase) {
      carry += limbs[i] * factor;
      limbs[i] = carry % kBase;
    }
    for (; carry != 0; carry /= kBase) limbs[used++] = carry % kBase;
  }
  Decimal decimal;
  decimal.tens = std::min(exponent, 0);
  for (int i = 0; i < 9 * used; ++i, limbs[(i - 1) / 9] /= 10) {
    decimal.digits[i] = static_cast<std::uint8_t>(limbs[i / 9] % 10);
    if (decimal.digits[i] != 0) decimal.count = i + 1;
  }
  return decimal;
}

/// Below 0, 0 or above 0 as a is below, equal to or above b.
int compare(const Decimal& a, const Decimal& b) noexcept {
  const int least = std::min(a.tens, b.tens);
  for (int place = std::max(a.leading(), b.leading()); place >= least; --place) {
    if (const int difference = a.at(place) - b.at(place); difference != 0) return difference;
  }
  return static_cast<int>(a.more) - static_cast<int>(b.more);
}

/// The middle between a double and the next one.
Decimal middle_above(std::uint64_t bits) noexcept {
  const Parts parts = parts_of(bits);
  return exact(2 * parts.mantissa + 1, parts.exponent - 1);
}

/// The first digits of a decimal, to nearest, ties to even.
Decimal rounded(const Decimal& decimal, int digits) noexcept {
  Decimal result = decimal;
  const int cut = decimal.count - digits;
  if (cut <= 0) return result;
  bool more = false;
  for (int i = 0; i < cut - 1; ++i) more = more || decimal.digits[i] != 0;
  const int next = decimal.digits[cut - 1];
  const bool up = next > 5 || (next == 5 && (more || decimal.digits[cut] % 2 != 0));
  std::fill_n(result.digits, cut, std::uint8_t{0});
  if (!up) return result;
  int i = cut;
  for (; i < result.count && result.digits[i] == 9; ++i) result.digits[i] = 0;
  if (i == result.count) result.digits[result.count++] = 0;
  ++result.digits[i];
  return result;
}

/// The first digits of a double that read back as it, and how many they are.
Decimal shortest(std::uint64_t bits, int& digits) noexcept {
  constexpr int kFewest = 6, kMost = 17;
  const Parts parts = parts_of(bits);
  const Decimal value = exact(parts.mantissa, parts.exponent);
  const Decimal low = middle_above(bits - 1), high = middle_above(bits);
  const int limit = bits % 2 == 0 ? 1 : 0;  // the middles themselves are read as the even one
  for (digits = kFewest; digits < kMost; ++digits) {
    const Decimal tried = rounded(value, digits);
    if (compare(low, tried) < limit && compare(tried, high) < limit) return tried;
  }
  return rounded(value, digits);
}

/// What "%.*g" makes of digits.
char* write_digits(char* text, const Decimal& decimal, int precision) noexcept {
  int least = decimal.tens;
  while (decimal.at(least) == 0) ++least;
  const int leading = decimal.leading();
  const bool scientific = leading < -4 || leading >= precision;
  const int point = scientific ? leading : 0;  // the place before the decimal point
  for (int place = std::max(leading, point); place >= std::min(least, point); --place) {
    *text++ = static_cast<char>('0' + decimal.at(place));
    if (place == point && place > least) *text++ = '.';
  }
  if (!scientific) return text;
  *text++ = 'e';
  *text++ = leading < 0 ? '-' : '+';
  const int magnitude = std::abs(leading);
  if (magnitude >= 100) *text++ = static_cast<char>('0' + magnitude / 100);
  *text++ = static_cast<char>('0' + magnitude / 10 % 10);
  *text++ = static_cast<char>('0' + magnitude % 10);
  return text;
}

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

/// The digits of a text, as many as a middle can have, and the end of the text.
Decimal decimal_of(const char*& text) noexcept {
  constexpr std::int64_t kFarthest = 100'000;  // far beyond any double
  Decimal decimal;
  std::int64_t tens = 0;
  bool fraction = false;
  for (; is_digit(*text) || (*text == '.' && !fraction); ++text) {
    if (*text == '.') {
      fraction = true;
      continue;
    }
    const auto digit = static_cast<std::uint8_t>(*text - '0');
    const bool leads = decimal.count == 0 && digit == 0;
    const bool fits = decimal.count < Decimal::kMost;
    if (!leads && fits) decimal.digits[decimal.count++] = digit;
    if (!fits && digit != 0) decimal.more = true;
    tens += (fits ? 0 : 1) - (fraction ? 1 : 0);
  }
  if (*text == 'e' || *text == 'E') {
    const bool negative = *++text == '-';
    if (*text == '-' || *text == '+') ++text;
    std::int64_t exponent = 0;
    for (; is_digit(*text); ++text) exponent = std::min(10 * exponent + (*text - '0'), kFarthest);
    tens += negative ? -exponent : exponent;
  }
  std::reverse(decimal.digits, decimal.digits + decimal.count);
  decimal.tens = static_cast<int>(std::clamp(tens, -2 * kFarthest, 2 * kFarthest));
  return decimal;
}

/// 10^exponent, exact up to 10^22.
double power_of_ten(int exponent) noexcept {
  double power = 1.0;
  for (; exponent > 0; --exponent) power *= 10.0;
  return power;
}

/// The nearest double's bits.
std::uint64_t nearest(const Decimal& decimal) noexcept {
  constexpr int kExactPower = 22, kExactDigits = 15, kTaken = 19;
  int place = decimal.leading() + 1;
  if (decimal.count == 0 || place < -330) return 0;
  if (place > 310) return kInfinity;
  double guess = 0.0;
  const int taken = std::min(decimal.count, kTaken);
  for (int i = 0; i < taken; ++i) guess = 10.0 * guess + decimal.at(--place);
  const bool is_exact = taken <= kExactDigits && std::abs(place) <= kExactPower;
  for (int step = 0; place > 0; place -= step) {
    step = std::min(place, kExactPower);
    guess *= power_of_ten(step);
  }
  for (int step = 0; place < 0; place += step) {
    step = std::min(-place, kExactPower);
    guess /= power_of_ten(step);
  }
  auto bits = std::bit_cast<std::uint64_t>(guess);
  if (is_exact) return bits;
  // A few steps at most; a middle itself is read as the even neighbour.
  for (bits = std::min(bits, kInfinity - 1); bits < kInfinity; ++bits) {
    const int above = compare(decimal, middle_above(bits));
    if (above < 0 || (above == 0 && bits % 2 == 0)) break;
  }
  for (; bits > 0; --bits) {
    const int above = compare(decimal, middle_above(bits - 1));
    if (above > 0 || (above == 0 && bits % 2 == 0)) break;
  }
  return bits;
}

}  // namespace

void write_decimal(char* text, double value) noexcept {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const std::uint64_t magnitude = bits & ~kSign;
  if (magnitude != bits && magnitude <= kInfinity) *text++ = '-';
  if (magnitude >= kInfinity) {
    std::strcpy(text, magnitude == kInfinity ? "inf" : "nan");
  } else if (magnitude == 0) {
    std::strcpy(text, "0");
  } else {
    int digits = 0;
    const Decimal decimal = shortest(magnitude, digits);
    *write_digits(text, decimal, digits) = '\0';
  }
}

double read_decimal(const char* text, char** end) noexcept {
  const bool negative = *text == '-';
  if (negative) ++text;
  const Decimal decimal = decimal_of(text);
  if (end != nullptr) *end = const_cast<char*>(text);
  return std::bit_cast<double>(nearest(decimal) | (negative ? kSign : 0));
}

}  // namespace posenc::detail
