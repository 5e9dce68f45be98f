// Doubles to decimal text and back, against the C library.

#include "posenc/core/decimal.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace posenc {
namespace {

/// What "%.*g" prints with the fewest digits, six or more, that read back.
std::string shortest(double value) {
  char text[40];
  for (int digits = 6; digits <= 17; ++digits) {
    std::snprintf(text, sizeof text, "%.*g", digits, value);
    if (std::strtod(text, nullptr) == value) break;
  }
  return text;
}

std::string written(double value) {
  char text[32];
  detail::write_decimal(text, value);
  return text;
}

/// Powers of two and their neighbours, subnormals, and random bits.
std::vector<double> values() {
  std::vector<double> list{0.0,
                           0.1,
                           4.35,
                           100000.5,
                           123456.0,
                           1234567.0,
                           1e5,
                           1e6,
                           1e-4,
                           1e-5,
                           1e22,
                           1e23,
                           9.999999999999999e22,
                           -2.5,
                           5e-324};
  const double infinity = std::numeric_limits<double>::infinity();
  for (int exponent = -1074; exponent < 1024; exponent += 7) {
    const double power = std::ldexp(1.0, exponent);
    for (const double each : {power, std::nextafter(power, 0.0), std::nextafter(power, infinity)}) {
      list.push_back(each);
    }
  }
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000; ++i) {
    const double any = std::bit_cast<double>(random());
    if (std::isfinite(any)) list.push_back(any);
    list.push_back(static_cast<double>(random() >> 11) * 0x1p-60);
  }
  return list;
}

void expect_read(const std::string& text) {
  char* end = nullptr;
  const double got = detail::read_decimal(text.c_str(), &end);
  EXPECT_EQ(*end, '\0') << text;
  EXPECT_EQ(std::bit_cast<std::uint64_t>(got),
            std::bit_cast<std::uint64_t>(std::strtod(text.c_str(), nullptr)))
      << text;
}

TEST(Decimal, WritesTheFewestDigitsThatReadBack) {
  for (const double value : values()) {
    if (value == 0.0) continue;
    EXPECT_EQ(written(value), shortest(value));
  }
  EXPECT_EQ(written(0.0), "0");
  EXPECT_EQ(written(-0.0), "-0");
  EXPECT_EQ(written(-std::numeric_limits<double>::infinity()), "-inf");
  EXPECT_EQ(written(-std::numeric_limits<double>::quiet_NaN()), "nan");
}

TEST(Decimal, ReadsTheNearestDouble) {
  char text[64];
  for (const double value : values()) {
    for (const int decimals : {2, 8, 14, 15, 16, 17, 18, 19, 24, 40}) {
      std::snprintf(text, sizeof text, "%.*e", decimals, value);
      expect_read(text);
    }
  }
}

TEST(Decimal, ReadsTextsAtTheEdges) {
  for (const char* text :
       {"0", "-0", "0.0", "-1E+2", "1e400", "1e-400", "0e999999999999", "1e99999999999",
        "9007199254740993", "9007199254740992.9999999999999999999999999", "1e22", "1e23",
        "1.7976931348623158e308", "1.7976931348623159e308", "2.4703282292062327e-324",
        "2.4703282292062328e-324", "123456789012345678901234567890"}) {
    expect_read(text);
  }
  // Half way between two doubles, then a digit behind thousands of zeros.
  const std::string middle = "9007199254740993." + std::string(5000, '0');
  expect_read(middle);
  expect_read(middle + "1");
  expect_read("0." + std::string(400, '0') + "123e405");
}

}  // namespace
}  // namespace posenc
