#include "posenc/attention/relative_scores.hpp"

#include <algorithm>
#include <span>

#include "posenc/core/distance_rows.hpp"
#include "posenc/core/elements.hpp"
#include "posenc/core/packed_rows.hpp"

namespace posenc::detail {
namespace {

constexpr std::size_t kBlock = kernels::kBlock;

KeyRange common(const KeyRange& a, const KeyRange& b) noexcept {
  const std::size_t first = std::max(a.first, b.first);
  return {first, std::max(first, std::min(a.end, b.end))};
}

/// The index of the distances from a block's queries to the keys of `keys` that they see: from
/// distance `first` on.
std::span<const std::int32_t> index_of(const AttentionCall& call, const QueryBlock& block,
                                       const KeyRange* seen, const KeyRange& keys,
                                       std::int64_t& first) noexcept {
  std::int64_t end = INT64_MIN;
  first = INT64_MAX;
  for (std::size_t row = 0; row < block.count; ++row) {
    const KeyRange both = common(seen[row], keys);
    if (both.empty()) continue;
    const std::int64_t position = position_of(call, block.first + row);
    first = std::min(first, static_cast<std::int64_t>(both.first) - position);
    end = std::max(end, static_cast<std::int64_t>(both.end) - position);
  }
  if (first >= end) return {};
  const RelativeTerms& relative = call.args.terms.relative;
  return relative.index.subspan(static_cast<std::size_t>(first - relative.first_distance),
                                static_cast<std::size_t>(end - first));
}

/// The rows of the table from the first to the last of an index.
KeyRange rows_in(std::span<const std::int32_t> index) noexcept {
  std::int32_t least = INT32_MAX, most = -1;
  for (const std::int32_t row : index) {
    most = std::max(most, row);
    least = row < 0 ? least : std::min(least, row);
  }
  if (most < 0) return {0, 0};
  return {static_cast<std::size_t>(least), static_cast<std::size_t>(most) + 1};
}

void add_key_rows(const AttentionCall& call, const QueryBlock& block,
                  const KeyRange* seen) noexcept {
  const AttentionShape& shape = call.shape;
  std::int64_t first = 0;
  const auto index = index_of(call, block, seen, {0, shape.keys}, first);
  const KeyRange rows = rows_in(index);
  if (rows.empty()) return;
  const std::size_t stride = rows.blocks() * kBlock, lowest = rows.first_block() * kBlock;
  scores_of(call)({.queries = call.workspace.position_queries,
                   .rows = block.count,
                   .query_stride = shape.head_dim,
                   .packed_keys = call.workspace.packed_rows + lowest * shape.head_dim,
                   .blocks = rows.blocks(),
                   .head_dim = shape.head_dim,
                   .scale = shape.scale,
                   .out = call.workspace.products,
                   .out_stride = stride});
  const DistanceRows distances = distance_rows(index.data(), index.size());
  float values[kTile];
  for (std::size_t row = 0; row < block.count; ++row) {
    const std::int64_t start = position_of(call, block.first + row) + first;
    for (std::size_t key = seen[row].first; key < seen[row].end; key += kTile) {
      const std::size_t count = std::min(kTile, seen[row].end - key);
      spread_rows(distances, static_cast<std::size_t>(static_cast<std::int64_t>(key) - start),
                  count, call.workspace.products + row * stride, static_cast<std::int32_t>(lowest),
                  values);
      kernels::active().add(values, score_row(call, row) + key, count);
    }
  }
}

/// A block of keys and a block of queries have few distances: the products of their rows with the
/// keys, then each score takes the one that is its own. Where distances have more rows than they
/// are, by parts.
void add_query_rows(const AttentionCall& call, const QueryBlock& block, const KeyRange* seen,
                    const float* table, const KeyRange& keys) noexcept {
  const AttentionShape& shape = call.shape;
  const std::size_t dim = shape.head_dim, most = shape.query_block + kBlock - 1;
  std::int64_t distance = 0;
  const auto index = index_of(call, block, seen, keys, distance);
  const KeyRange rows = rows_in(index);
  for (std::size_t first = rows.first; first < rows.end; first += most) {
    const std::size_t count = std::min(most, rows.end - first);
    scores_of(call)({.queries = table + first * dim,
                     .rows = count,
                     .query_stride = dim,
                     .packed_keys = call.workspace.packed_keys + keys.first * dim,
                     .blocks = 1,
                     .head_dim = dim,
                     .scale = shape.scale,
                     .out = call.workspace.key_products,
                     .out_stride = kBlock});
    for (std::size_t row = 0; row < block.count; ++row) {
      const KeyRange both = common(seen[row], keys);
      const std::int64_t start = position_of(call, block.first + row) + distance;
      float* scores = score_row(call, row);
      for (std::size_t key = both.first; key < both.end; ++key) {
        // negative for none: beyond all rows
        const auto slot =
            static_cast<std::size_t>(
                index[static_cast<std::size_t>(static_cast<std::int64_t>(key) - start)]) -
            first;
        if (slot < count)
          scores[key] += call.workspace.key_products[slot * kBlock + key - keys.first];
      }
    }
  }
}

}  // namespace

void prepare_relative(const AttentionCall& call, std::size_t head) noexcept {
  const RelativeTerms& relative = call.args.terms.relative;
  const AttentionWorkspace& workspace = call.workspace;
  const std::size_t rows = relative.row_count, dim = call.shape.head_dim;
  if (!relative.keys.empty()) {
    pack_rows(relative.keys, first_row_of(relative.keys, rows * dim, head), dim, rows, dim,
              workspace.position_queries, workspace.packed_rows);
  }
  if (workspace.query_rows != nullptr) {
    load(relative.queries, first_row_of(relative.queries, rows * dim, head), rows * dim,
         workspace.query_rows);
  }
  if (workspace.value_rows != nullptr) {
    const std::size_t size = rows * call.shape.value_dim;
    load(relative.values, first_row_of(relative.values, size, head), size, workspace.value_rows);
  }
}

void add_relative_scores(const AttentionCall& call, const QueryBlock& block,
                         const KeyRange* seen) noexcept {
  const RelativeTerms& relative = call.args.terms.relative;
  if (!relative.keys.empty()) add_key_rows(call, block, seen);
  if (relative.queries.empty()) return;
  const float* rows = rows_of(relative.queries, relative.row_count * call.shape.head_dim,
                              block.head, call.workspace.query_rows);
  for (std::size_t key = 0; key < call.shape.keys; key += kBlock) {
    add_query_rows(call, block, seen, rows, {key, std::min(key + kBlock, call.shape.keys)});
  }
}

void sum_by_row(const AttentionCall& call, const QueryBlock& block, const float* weights,
                float* sums) noexcept {
  const RelativeTerms& relative = call.args.terms.relative;
  std::fill_n(sums, block.count * relative.row_count, 0.0f);
  for (std::size_t row = 0; row < block.count; ++row) {
    float* own = sums + row * relative.row_count;
    const KeyRange seen = visible_keys(call, block.first + row);
    const std::int64_t position = position_of(call, block.first + row);
    for (std::size_t key = seen.first; key < seen.end; ++key) {
      const std::int64_t at = relative_row(relative, static_cast<std::int64_t>(key) - position);
      if (at >= 0) own[at] += weights[row * call.shape.score_stride() + key];
    }
  }
}

void add_relative_values(const AttentionCall& call, const QueryBlock& block) noexcept {
  const AttentionShape& shape = call.shape;
  const RelativeTerms& relative = call.args.terms.relative;
  if (relative.values.empty()) return;
  const std::size_t rows = relative.row_count;
  sum_by_row(call, block, call.workspace.scores, call.workspace.row_weights);
  weighted_sums_of(call)({.weights = call.workspace.row_weights,
                          .rows = block.count,
                          .weight_row_stride = rows,
                          .weight_term_stride = 1,
                          .values = rows_of(relative.values, rows * shape.value_dim, block.head,
                                            call.workspace.value_rows),
                          .terms = rows,
                          .value_stride = shape.value_dim,
                          .width = shape.value_dim,
                          .out = call.workspace.output,
                          .out_stride = shape.value_dim});
}

}  // namespace posenc::detail
