#pragma once

#include <algorithm>
#include <cstdint>

#include "cli/options.hpp"
#include "posenc/core/positions.hpp"

namespace posenc::cli {

/// Calls `row(first)` for the first and the last position, or for every explicit one, so that a
/// position that an encoding refuses is reported before anything is written.
template <class Row>
void try_positions(const PositionOptions& positions, const Row& row) {
  const std::uint64_t count = positions.count();
  if (count == 0) return;
  const std::uint64_t step = positions.length ? std::max<std::uint64_t>(count - 1, 1) : 1;
  for (std::uint64_t i = 0; i < count; i += step) row(positions.block(i, 1)).or_throw();
}

}  // namespace posenc::cli
