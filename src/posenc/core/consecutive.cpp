#include "posenc/core/consecutive.hpp"

#include <cmath>
#include <cstdint>

namespace posenc::detail {

bool is_whole(double position) noexcept { return position == std::floor(position); }

std::size_t run_length(const Positions& positions, std::size_t first, std::size_t limit) noexcept {
  if (positions.is_range()) return limit;
  const double begin = positions[first];
  if (!is_whole(begin)) return 1;
  std::size_t count = 1;
  while (count < limit && positions[first + count] == begin + static_cast<double>(count)) {
    ++count;
  }
  return count;
}

bool are_consecutive(const Positions& positions, std::size_t first, std::size_t count) noexcept {
  return positions.is_range() ||
         (is_whole(positions[first]) && run_length(positions, first, count) == count);
}

Positions as_range(const Positions& positions) noexcept {
  const std::size_t size = positions.size();
  if (size == 0 || positions.is_range() || !are_consecutive(positions, 0, size)) return positions;
  return Positions::from(static_cast<std::int64_t>(positions[0]), size);
}

}  // namespace posenc::detail
