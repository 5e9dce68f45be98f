#include "cli/number.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <span>
#include <string_view>

namespace posenc::cli {
namespace {

/// Digits d1 d2 ... and an exponent: the value is 0.d1d2... * 10^point.
struct Decimal {
  std::string_view digits;
  int point = 0;
};

/// The shortest digits of a finite value above 0. They lie in `buffer`.
template <class Float>
Decimal shortest(Float value, std::span<char> buffer) {
  char* const begin = buffer.data();
  const char* const end =
      std::to_chars(begin, begin + buffer.size(), value, std::chars_format::scientific).ptr;
  // d.ddde-XX or de-XX: moving the first digit over the point makes the digits contiguous.
  const char* const e = std::find<const char*>(begin, end, 'e');
  char* first = begin;
  if (begin[1] == '.') {
    begin[1] = begin[0];
    first = begin + 1;
  }
  Decimal decimal{.digits = std::string_view(first, static_cast<std::size_t>(e - first))};
  std::from_chars(e[1] == '+' ? e + 2 : e + 1, end, decimal.point);
  ++decimal.point;
  return decimal;
}

/// Number::toString of ECMA-262, section 6.1.6.1.20.
void append_javascript(std::string& text, const Decimal& decimal) {
  const auto& [digits, point] = decimal;
  const int count = static_cast<int>(digits.size());
  if (point > 21 || point <= -6) {
    text += digits[0];
    if (count > 1) text.append(".").append(digits.substr(1));
    text += point > 0 ? "e+" : "e-";
    text += std::to_string(std::abs(point - 1));
  } else if (point <= 0) {
    text.append("0.").append(static_cast<std::size_t>(-point), '0').append(digits);
  } else if (point >= count) {
    text.append(digits).append(static_cast<std::size_t>(point - count), '0');
  } else {
    const auto whole = static_cast<std::size_t>(point);
    text.append(digits.substr(0, whole)).append(".").append(digits.substr(whole));
  }
}

template <class Float>
void append(std::string& text, Float value) {
  if (std::isnan(value)) {
    text += "nan";
    return;
  }
  if (std::signbit(value)) text += '-';
  const Float magnitude = std::fabs(value);
  if (std::isinf(magnitude)) {
    text += "inf";
  } else if (magnitude == 0) {
    text += '0';
  } else {
    char buffer[40];
    append_javascript(text, shortest(magnitude, buffer));
  }
}

}  // namespace

void append_number(std::string& text, float value) { append(text, value); }
void append_number(std::string& text, double value) { append(text, value); }
void append_number(std::string& text, std::int64_t value) { text += std::to_string(value); }

}  // namespace posenc::cli
