#pragma once

// Private: positions that follow one another, which are worth computing together, also where the
// caller lists them.

#include <cstddef>

#include "posenc/core/positions.hpp"

namespace posenc::detail {

/// How many positions from `first` on are whole numbers that follow one another, at most `limit`; 1
/// where the first is not whole: what is computed by counting on from it may be rounded.
/// Precondition: there are 1 <= limit positions from `first` on, none beyond kMaxPosition.
std::size_t run_length(const Positions& positions, std::size_t first, std::size_t limit) noexcept;

/// Whether all `count` are such a run; one fractional position is none.
bool are_consecutive(const Positions& positions, std::size_t first, std::size_t count) noexcept;

/// The same positions, as a range if they are one run.
Positions as_range(const Positions& positions) noexcept;

/// Whether a position has no fraction.
bool is_whole(double position) noexcept;

}  // namespace posenc::detail
