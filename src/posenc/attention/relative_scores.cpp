#include "posenc/attention/relative_scores.hpp"

#include <algorithm>

#include "posenc/core/elements.hpp"
#include "posenc/core/packed_rows.hpp"

namespace posenc::detail {
namespace {

constexpr std::size_t kBlock = kernels::kBlock;

void add_key_rows(const AttentionCall& call, const QueryBlock& block,
                  const KeyRange* seen) noexcept {
  const AttentionShape& shape = call.shape;
  const RelativeTerms& relative = call.args.terms.relative;
  const std::size_t stride = packed_size(relative.row_count, 1);
  kernels::active().scores({.queries = call.workspace.position_queries,
                            .rows = block.count,
                            .query_stride = shape.head_dim,
                            .packed_keys = call.workspace.packed_rows,
                            .blocks = stride / kBlock,
                            .head_dim = shape.head_dim,
                            .scale = shape.scale,
                            .out = call.workspace.products,
                            .out_stride = stride});
  for (std::size_t row = 0; row < block.count; ++row) {
    const float* products = call.workspace.products + row * stride;
    float* scores = score_row(call, row);
    const std::int64_t position = position_of(call, block.first + row);
    for (std::size_t key = seen[row].first; key < seen[row].end; ++key) {
      const std::int64_t at = relative_row(relative, static_cast<std::int64_t>(key) - position);
      if (at >= 0) scores[key] += products[at];
    }
  }
}

/// A block of keys and a block of queries have few distances: the rows of all of them, then their
/// products with the keys, then each score takes the one that is its own.
void add_query_rows(const AttentionCall& call, const QueryBlock& block, const KeyRange* seen,
                    const float* rows, std::size_t key_block) noexcept {
  const AttentionShape& shape = call.shape;
  const RelativeTerms& relative = call.args.terms.relative;
  const std::size_t dim = shape.head_dim, first_key = key_block * kBlock;
  const std::int64_t last = position_of(call, block.first + block.count - 1);
  std::size_t slots[kQueryBlock + kBlock - 1], count = 0;
  std::int64_t before = -1;
  for (std::size_t i = 0; i < block.count + kBlock - 1; ++i) {
    const std::int64_t distance =
        static_cast<std::int64_t>(first_key) - last + static_cast<std::int64_t>(i);
    const std::int64_t at = relative_row(relative, distance);
    if (at >= 0 && at != before) {
      std::copy_n(rows + static_cast<std::size_t>(at) * dim, dim,
                  call.workspace.gathered + count++ * dim);
    }
    if (at >= 0) before = at;
    slots[i] = at >= 0 ? count - 1 : SIZE_MAX;
  }
  kernels::active().scores({.queries = call.workspace.gathered,
                            .rows = count,
                            .query_stride = dim,
                            .packed_keys = call.workspace.packed_keys + first_key * dim,
                            .blocks = 1,
                            .head_dim = dim,
                            .scale = shape.scale,
                            .out = call.workspace.key_products,
                            .out_stride = kBlock});
  for (std::size_t row = 0; row < block.count; ++row) {
    const std::size_t first = std::max(seen[row].first, first_key);
    const std::size_t end = std::min(seen[row].end, first_key + kBlock);
    for (std::size_t key = first; key < end; ++key) {
      const std::size_t slot = slots[block.count - 1 - row + key - first_key];
      if (slot == SIZE_MAX) continue;
      score_row(call, row)[key] += call.workspace.key_products[slot * kBlock + key - first_key];
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
    load_row(relative.queries, first_row_of(relative.queries, rows * dim, head), rows * dim,
             workspace.query_rows);
  }
  if (workspace.value_rows != nullptr) {
    const std::size_t size = rows * call.shape.value_dim;
    load_row(relative.values, first_row_of(relative.values, size, head), size,
             workspace.value_rows);
  }
}

void add_relative_scores(const AttentionCall& call, const QueryBlock& block,
                         const KeyRange* seen) noexcept {
  const RelativeTerms& relative = call.args.terms.relative;
  if (!relative.keys.empty()) add_key_rows(call, block, seen);
  if (relative.queries.empty()) return;
  const float* rows = rows_of(relative.queries, relative.row_count * call.shape.head_dim,
                              block.head, call.workspace.query_rows);
  for (std::size_t key_block = 0; key_block < call.shape.blocks; ++key_block) {
    const bool is_seen = std::any_of(seen, seen + block.count, [&](const KeyRange& range) {
      return !range.empty() && range.first_block() <= key_block && key_block < range.end_block();
    });
    if (is_seen) add_query_rows(call, block, seen, rows, key_block);
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
      if (at >= 0) own[at] += weights[row * call.shape.row_stride() + key];
    }
  }
}

void add_relative_values(const AttentionCall& call, const QueryBlock& block) noexcept {
  const AttentionShape& shape = call.shape;
  const RelativeTerms& relative = call.args.terms.relative;
  if (relative.values.empty()) return;
  const std::size_t rows = relative.row_count;
  sum_by_row(call, block, call.workspace.scores, call.workspace.row_weights);
  kernels::active().weighted_sums({.weights = call.workspace.row_weights,
                                   .rows = block.count,
                                   .weight_row_stride = rows,
                                   .weight_term_stride = 1,
                                   .values = rows_of(relative.values, rows * shape.value_dim,
                                                     block.head, call.workspace.value_rows),
                                   .terms = rows,
                                   .value_stride = shape.value_dim,
                                   .width = shape.value_dim,
                                   .out = call.workspace.output,
                                   .out_stride = shape.value_dim});
}

}  // namespace posenc::detail
