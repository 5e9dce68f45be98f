#pragma once

// Private: which rows of a table consecutive distances have, and values of these rows in the order
// of the distances.

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace posenc::detail {

/// Rows of `count` consecutive distances, negative for none. Where encodings clip, the first
/// distances have one row and the last have one; where each distance has its own, rows count up or
/// down.
struct DistanceRows {
  const std::int32_t* rows;
  std::size_t count;
  /// All before `head` have the same row, and all from `tail` on.
  std::size_t head, tail;
  /// The longest stretch in which rows go by `step`, 1 or -1.
  std::size_t begin, end;
  std::int32_t step;
};

DistanceRows distance_rows(const std::int32_t* rows, std::size_t count) noexcept;

/// out[i] = values[row of distance first + i - lowest], i < count; where there is no row -0, which
/// changes nothing that it is added to.
void spread_rows(const DistanceRows& distances, std::size_t first, std::size_t count,
                 const float* values, std::int32_t lowest, float* out) noexcept;

}  // namespace posenc::detail
