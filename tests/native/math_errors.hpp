#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>

#include "posenc/math/double_double.hpp"

// How far a computed value is from an exact one, given as two doubles.

namespace posenc::math {

/// The distance from `got` to hi + lo, in units of the last of `digits` binary places.
inline double ulps(double got, double hi, double lo, int digits = 53, int lowest = -1074) {
  const int exponent = std::ilogb(hi) + 1 - digits;
  return std::ldexp(std::fabs((got - hi) - lo), -(exponent > lowest ? exponent : lowest));
}

/// log2 of the relative distance from `got` to hi + lo.
inline double relative(DoubleDouble got, double hi, double lo) {
  return std::log2(std::fabs(((got.hi - hi) + (got.lo - lo)) / hi));
}

/// The largest error seen, printed with its bound when it goes.
struct Worst {
  const char* name;
  double bound;
  const char* unit;
  double value = -1e9;

  void take(double error) { value = error > value ? error : value; }
  ~Worst() {
    std::printf("%-32s %9.4f %s (bound %g)\n", name, value, unit, bound);
    EXPECT_LE(value, bound) << name;
  }
};

inline bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

}  // namespace posenc::math
