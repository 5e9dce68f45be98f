#pragma once

// Private: a bias that depends on key - query alone is constant along diagonals, so a row is the
// row above it, moved by one.

#include <algorithm>
#include <cstddef>

#include "posenc/core/positions.hpp"

namespace posenc::detail {

/// Writes `out` [queries, keys] of one head. `distances(first, count, out)` writes the bias of
/// distances first, first + 1, ...
template <class Distances>
void fill_toeplitz(const Positions& queries, const Positions& keys, float* out,
                   const Distances& distances) noexcept {
  const std::size_t count = keys.size();
  if (count == 0) return;
  for (std::size_t query = 0; query < queries.size(); ++query) {
    float* row = out + query * count;
    if (!queries.is_range() || !keys.is_range()) {
      for (std::size_t key = 0; key < count; ++key) {
        distances(keys[key] - queries[query], 1, row + key);
      }
    } else if (query == 0) {
      distances(keys[0] - queries[0], count, row);
    } else {
      distances(keys[0] - queries[query], 1, row);
      std::copy_n(row - count, count - 1, row + 1);
    }
  }
}

}  // namespace posenc::detail
