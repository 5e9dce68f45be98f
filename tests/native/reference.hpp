#pragma once

// The rules themselves, written for reading and computed in more digits than any verb has.

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "posenc/math/elementary.hpp"

namespace posenc::tests {

/// base^(-2 pair / denominator) / factor.
inline math::DoubleDouble exact_frequency(double base, double denominator, std::size_t pair,
                                          double factor = 1) {
  const math::DoubleDouble exponent =
      math::DoubleDouble{-2.0 * static_cast<double>(pair)} / denominator;
  return math::pow(math::DoubleDouble{base}, exponent) / factor;
}

struct ExactSinCos {
  double sin, cos;
};

/// Sine and cosine of position * frequency, right to the last place of double.
inline ExactSinCos exact_sin_cos(double position, math::DoubleDouble frequency) {
  const math::SinCos exact = math::sin_cos(frequency * position);
  return {exact.sin.hi, exact.cos.hi};
}

}  // namespace posenc::tests
