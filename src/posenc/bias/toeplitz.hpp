#pragma once

// Private: a bias that depends on key - query alone is constant along diagonals, so a row is the
// row above it, moved by one.

#include <algorithm>
#include <cstddef>

#include "posenc/core/check.hpp"
#include "posenc/core/consecutive.hpp"
#include "posenc/core/elements.hpp"
#include "posenc/core/positions.hpp"
#include "posenc/kernels/kernels.hpp"

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

/// Distances of a tile, kept on the stack; queries and keys of a tile are half as many each.
inline constexpr std::size_t kDistances = 4096;

/// Writes head `head` of `out` [heads, queries, keys]. `distances(first, target, at, count)` writes
/// the bias of distances first, first + 1, ... to elements at, at + 1, ... of `target`, which has
/// the type of `out`.
template <class Distances>
void fill_toeplitz(const Positions& query_positions, const Positions& key_positions,
                   std::size_t head, Floats out, const Distances& distances) noexcept {
  const Positions queries = as_range(query_positions), keys = as_range(key_positions);
  const std::size_t size = storage_size(out.type()), start = head * queries.size() * keys.size();
  if (keys.size() == 0) return;  // however many queries there are
  if (!queries.is_range() || !keys.is_range()) {
    for (std::size_t query = 0; query < queries.size(); ++query) {
      std::size_t count = 0;
      for (std::size_t key = 0; key < keys.size(); key += count) {
        // the distances of a fractional query are rounded, each by itself
        count = !is_whole(queries[query])
                    ? 1
                    : run_length(keys, key, std::min(kDistances, keys.size() - key));
        distances(keys[key] - queries[query], out, start + query * keys.size() + key, count);
      }
    }
    return;
  }
  constexpr std::size_t kTileSide = kDistances / 2;
  alignas(kernels::kLineBytes) float tile[kDistances];
  const bool streamed = kernels::streams(out.size() * size);
  for (std::size_t query = 0; query < queries.size(); query += kTileSide) {
    const std::size_t rows = std::min(kTileSide, queries.size() - query);
    for (std::size_t key = 0; key < keys.size(); key += kTileSide) {
      const std::size_t width = std::min(kTileSide, keys.size() - key);
      distances(keys[key] - queries[query + rows - 1], Floats(tile, kDistances, out.type()), 0,
                rows + width - 1);
      kernels::active().copy_rows(
          {.source = reinterpret_cast<const char*>(tile) + (rows - 1) * size,
           .source_step = -static_cast<std::ptrdiff_t>(size),
           .rows = rows,
           .size = width * size,
           .out = static_cast<char*>(out.data()) + (start + query * keys.size() + key) * size,
           .out_stride = keys.size() * size},
          streamed);
    }
  }
}

}  // namespace posenc::detail
