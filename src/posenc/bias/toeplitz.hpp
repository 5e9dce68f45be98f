#pragma once

// Private: a bias that depends on key - query alone is constant along diagonals, so a row is the
// row above it, moved by one.

#include <cstddef>

#include "posenc/core/check.hpp"
#include "posenc/core/elements.hpp"
#include "posenc/core/positions.hpp"

namespace posenc::detail {

/// SHAPE, SIZE_LIMIT or POSITION_RANGE unless `size` is heads * queries * keys, of real positions.
inline Status check_bias(const char* encoding, const char* field, std::size_t size,
                         std::size_t heads, const Positions& queries,
                         const Positions& keys) noexcept {
  POSENC_RETURN_IF_FAILED(check_shape(encoding, field, size, "heads * queries * keys",
                                      {heads, queries.size(), keys.size()}));
  POSENC_RETURN_IF_FAILED(check_positions(encoding, "queries", queries));
  return check_positions(encoding, "keys", keys);
}

/// Calls `visit(distance, gradient)` for every query and key of a head, in order; the distance is
/// key - query, the gradient an element of [heads, queries, keys].
template <class Visit>
void visit_bias(const Positions& queries, const Positions& keys, std::size_t head,
                ConstFloats gradient, const Visit& visit) noexcept {
  if (keys.size() == 0) return;  // however many queries there are
  for (std::size_t query = 0; query < queries.size(); ++query) {
    for (std::size_t key = 0; key < keys.size(); ++key) {
      const std::size_t at = (head * queries.size() + query) * keys.size() + key;
      float value = 0.0f;
      visit(keys[key] - queries[query], static_cast<double>(*read(gradient, at, 1, &value)));
    }
  }
}

/// Writes head `head` of `out` [heads, queries, keys]. `distances(first, count, at)` writes the
/// bias of distances first, first + 1, ... to elements at, at + 1, ... of `out`.
template <class Distances>
void fill_toeplitz(const Positions& queries, const Positions& keys, std::size_t head, Floats out,
                   const Distances& distances) noexcept {
  const std::size_t count = keys.size();
  if (count == 0) return;
  for (std::size_t query = 0; query < queries.size(); ++query) {
    const std::size_t row = (head * queries.size() + query) * count;
    if (!queries.is_range() || !keys.is_range()) {
      for (std::size_t key = 0; key < count; ++key) {
        distances(keys[key] - queries[query], 1, row + key);
      }
    } else if (query == 0) {
      distances(keys[0] - queries[0], count, row);
    } else {
      distances(keys[0] - queries[query], 1, row);
      copy(out, row - count, out, row + 1, count - 1);
    }
  }
}

}  // namespace posenc::detail
