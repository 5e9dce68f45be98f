#include "posenc/core/consecutive.hpp"

#include <cmath>
#include <cstdint>

namespace posenc::detail {

std::size_t run_length(const Positions& positions, std::size_t first, std::size_t limit) noexcept {
  if (positions.is_range()) return limit;
  const double begin = positions[first];
  std::size_t count = 1;
  while (begin == std::floor(begin) && count < limit &&
         positions[first + count] == begin + static_cast<double>(count)) {
    ++count;
  }
  return count;
}

Positions as_range(const Positions& positions) noexcept {
  const std::size_t size = positions.size();
  if (size == 0 || positions.is_range() || positions[0] != std::floor(positions[0]) ||
      !are_consecutive(positions, 0, size)) {
    return positions;
  }
  return Positions::from(static_cast<std::int64_t>(positions[0]), size);
}

}  // namespace posenc::detail
