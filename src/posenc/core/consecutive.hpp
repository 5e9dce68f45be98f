#pragma once

// Private: positions that follow one another, which are worth computing together, also where the
// caller lists them.

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "posenc/core/positions.hpp"

namespace posenc::detail {

/// Whether position `first` + i is that of `first` plus i, for all i < count.
inline bool are_consecutive(const Positions& positions, std::size_t first,
                            std::size_t count) noexcept {
  for (std::size_t i = 1; i < count && !positions.is_range(); ++i) {
    if (positions[first + i] != positions[first] + static_cast<double>(i)) return false;
  }
  return true;
}

/// The same positions, as a range if they are consecutive whole numbers. Precondition: none is
/// beyond kMaxPosition.
inline Positions as_range(const Positions& positions) noexcept {
  const std::size_t size = positions.size();
  if (size == 0 || positions.is_range() || !are_consecutive(positions, 0, size)) return positions;
  const double first = positions[0];
  if (first != std::floor(first)) return positions;
  return Positions::from(static_cast<std::int64_t>(first), size);
}

}  // namespace posenc::detail
