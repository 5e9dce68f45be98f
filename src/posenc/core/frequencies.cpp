#include "posenc/core/frequencies.hpp"

#include <algorithm>
#include <cmath>

#include "posenc/core/positions.hpp"
#include "posenc/math/constants.hpp"
#include "posenc/math/double_double.hpp"
#include "posenc/math/elementary.hpp"

namespace posenc {

Frequencies::Frequencies(std::size_t count) : radians_(count), turns_(3 * count) {}

Frequencies Frequencies::geometric(std::size_t count, double base, double denominator,
                                   double divisor) {
  Frequencies frequencies(count);
  const math::DoubleDouble log_base = math::log(math::DoubleDouble{base});
  for (std::size_t i = 0; i < count; ++i) {
    const math::DoubleDouble exponent =
        math::DoubleDouble{-2.0 * static_cast<double>(i)} / math::DoubleDouble{denominator};
    frequencies.set(i, math::exp(log_base * exponent) / math::DoubleDouble{divisor});
  }
  return frequencies;
}

Frequencies Frequencies::powers(std::size_t count, const math::DoubleDouble& ratio,
                                double denominator, const math::DoubleDouble& factor) {
  Frequencies frequencies(count);
  const math::DoubleDouble log_ratio = math::log(ratio);
  for (std::size_t i = 0; i < count; ++i) {
    const math::DoubleDouble exponent =
        math::DoubleDouble{-2.0 * static_cast<double>(i)} / math::DoubleDouble{denominator};
    frequencies.set(i, math::exp(log_ratio * exponent) * factor);
  }
  return frequencies;
}

void Frequencies::set(std::size_t index, const math::DoubleDouble& radians) noexcept {
  store(index, radians, radians * math::kTwoOverPi);
}

void Frequencies::set_quarter_turns(std::size_t index, const math::DoubleDouble& turns) noexcept {
  store(index, turns * math::kPi * 0.5, turns);
}

void Frequencies::store(std::size_t index, const math::DoubleDouble& radians,
                        const math::DoubleDouble& turns) noexcept {
  radians_[index] = radians.hi;
  turns_[index] = turns.hi;
  turns_[size() + index] = math::split(turns.hi).hi;
  turns_[2 * size() + index] = turns.lo;
}

double Frequencies::position_limit() const noexcept {
  double largest = 1.0;
  for (double frequency : radians_) largest = std::max(largest, std::fabs(frequency));
  return std::floor(static_cast<double>(kMaxPosition) / largest);
}

}  // namespace posenc
