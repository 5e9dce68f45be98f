#pragma once

// Private: the terms of attention that depend on content and distance.

#include "posenc/attention/attention_call.hpp"
#include "posenc/attention/attention_rows.hpp"

namespace posenc::detail {

/// The row of the relative tables for a distance key - query, negative for none; also for distances
/// that the index does not cover, which no query sees.
inline std::int64_t relative_row(const RelativeTerms& relative, std::int64_t distance) noexcept {
  const std::int64_t at = distance - relative.first_distance;
  if (at < 0 || at >= static_cast<std::int64_t>(relative.index.size())) return -1;
  return relative.index[static_cast<std::size_t>(at)];
}

/// Where a head's rows begin in a table that is shared or has rows for each head.
inline std::size_t first_row_of(ConstFloats rows, std::size_t size, std::size_t head) noexcept {
  return rows.size() == size ? 0 : head * size;
}

inline std::int64_t position_of(const AttentionCall& call, std::size_t query) noexcept {
  return call.shape.query_offset + static_cast<std::int64_t>(query);
}

/// The table of a head as floats: in place, or where it was widened to.
inline const float* rows_of(ConstFloats rows, std::size_t size, std::size_t head,
                            const float* wide) noexcept {
  if (rows.type() != StorageType::float32) return wide;
  return static_cast<const float*>(rows.data()) + first_row_of(rows, size, head);
}

/// Sums weights [query_block, blocks * kBlock] of the keys that a query sees by relative row, to
/// [query_block, row_count].
void sum_by_row(const AttentionCall& call, const QueryBlock& block, const float* weights,
                float* sums) noexcept;

/// Packs or widens the tables of a head.
void prepare_relative(const AttentionCall& call, std::size_t head) noexcept;

/// Adds the products of queries with relative keys, then of keys with relative queries, to the
/// scores of what is seen.
void add_relative_scores(const AttentionCall& call, const QueryBlock& block,
                         const KeyRange* seen) noexcept;

/// Adds sum over keys of probability * values[row] to the rows of `output`.
void add_relative_values(const AttentionCall& call, const QueryBlock& block) noexcept;

}  // namespace posenc::detail
