#pragma once

// What the accuracy tests share: where they sweep, and the table that a run prints at its end.

#include <cmath>
#include <cstddef>
#include <string>

#include "exact.hpp"
#include "helpers.hpp"

namespace posenc::tests {

/// The largest error of one table, slope or bias over a sweep: a row of the printed table, held to
/// its limit when it goes.
class Sweep {
 public:
  /// `unit` is of the error and of its limit, which is 1.
  Sweep(std::string encoding, std::string swept, const char* unit = "ulp");
  Sweep(const Sweep&) = delete;
  Sweep& operator=(const Sweep&) = delete;
  ~Sweep();

  /// In units in the last place of float32 at the exact value.
  void see(float actual, const Exact& exact, double at, std::size_t column = 0) {
    take(ulp_error(actual, exact.value()), at, column);
  }
  /// In units of the bound that the declaration states.
  void see_bounded(float actual, const Exact& exact, double bound, double at,
                   std::size_t column = 0) {
    take(std::fabs((Exact(static_cast<double>(actual)) - exact).value()) / bound, at, column);
  }
  void take(double error, double at, std::size_t column) {
    ++count_;
    if (error <= largest_) return;
    largest_ = error;
    at_ = at;
    column_ = column;
  }

 private:
  std::string encoding_, swept_;
  const char* unit_;
  std::size_t row_;
  std::size_t count_ = 0, column_ = 0;
  double largest_ = -1, at_ = 0;
};

/// Positions of every kind within `limit`: whole ones, fractions, small ones, negative ones, the
/// ends, and every other one as near as can be to a zero of the sine or cosine of
/// position * frequency.
inline double swept_position(Random& random, std::size_t index, double frequency,
                             double limit = 0x1p24) {
  const double any = random.uniform(-limit, limit);
  const double small = any / std::ldexp(1.0, static_cast<int>(random.integer(0, 90)));
  if (index < 3) return index == 0 ? 0 : index == 1 ? limit : -limit;
  if (index % 4 == 0) return std::floor(any);
  if (index % 4 == 2 || frequency == 0) return index % 8 == 2 ? any : small;
  const double quarter = 1.5707963267948966 / frequency;
  const double crossing = std::round(any / quarter) * quarter;
  const double at = index % 8 == 1 ? std::round(crossing) : crossing;
  return std::fabs(at) <= limit ? at : small;
}

inline double swept_position(Random& random, std::size_t index, const Exact& frequency,
                             double limit = 0x1p24) {
  return swept_position(random, index, frequency.value(), limit);
}

}  // namespace posenc::tests
