#pragma once

// Private: the exact places where buckets of logarithmic width begin.

#include <cstddef>
#include <cstdint>

namespace posenc::detail {

/// A positive real number as its integer part and whether that is all of it.
struct IntegerPart {
  std::int64_t whole;
  bool exact;
};

/// first * (last / first)^(step / steps), for 1 <= first < last < 2^31 and steps >= 1; results
/// above 2^62 saturate.
///
/// With step/steps in lowest terms the value is rational only if both parts of last/first in lowest
/// terms are perfect powers; then it is computed in integers, and a tie is a tie. Else it is
/// irrational, and double-double arithmetic (30 digits) tells on which side of an integer it lies.
/// (Formulas in float64 fail at such ties: T5's distance 64 lands in bucket 13 instead of 14.)
IntegerPart geometric_step(std::int64_t first, std::int64_t last, std::size_t step,
                           std::size_t steps) noexcept;

}  // namespace posenc::detail
