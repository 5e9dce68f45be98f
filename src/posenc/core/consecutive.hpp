#pragma once

// Private: positions that follow one another, which are worth computing together, also where the
// caller lists them.

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "posenc/core/positions.hpp"

namespace posenc::detail {

/// How many positions from `first` on are whole numbers that follow one another, at most `limit`; 1
/// where the first is not whole. (Of others, sums and differences with a count may be rounded.)
/// Precondition: there are 1 <= limit positions from `first` on, none beyond kMaxPosition.
inline std::size_t run_length(const Positions& positions, std::size_t first,
                              std::size_t limit) noexcept {
  if (positions.is_range()) return limit;
  const double begin = positions[first];
  std::size_t count = 1;
  while (begin == std::floor(begin) && count < limit &&
         positions[first + count] == begin + static_cast<double>(count)) {
    ++count;
  }
  return count;
}

inline bool are_consecutive(const Positions& positions, std::size_t first,
                            std::size_t count) noexcept {
  return run_length(positions, first, count) == count;
}

/// The same positions, as a range if they are consecutive whole numbers.
inline Positions as_range(const Positions& positions) noexcept {
  const std::size_t size = positions.size();
  if (size == 0 || positions.is_range() || positions[0] != std::floor(positions[0]) ||
      !are_consecutive(positions, 0, size)) {
    return positions;
  }
  return Positions::from(static_cast<std::int64_t>(positions[0]), size);
}

}  // namespace posenc::detail
