#include <algorithm>

#include "posenc/attention/backward_call.hpp"
#include "posenc/attention/relative_scores.hpp"
#include "posenc/core/elements.hpp"
#include "posenc/core/packed_rows.hpp"

namespace posenc::detail {
namespace {

const RelativeTerms& relative_of(const BackwardCall& call) noexcept {
  return call.forward.args.terms.relative;
}

/// y += factor * x.
void add_scaled_row(const float& factor, const float* x, std::size_t width, float* y) noexcept {
  kernels::active().weighted_sums({.weights = &factor,
                                   .rows = 1,
                                   .weight_row_stride = 0,
                                   .weight_term_stride = 0,
                                   .values = x,
                                   .terms = 1,
                                   .value_stride = width,
                                   .width = width,
                                   .out = y,
                                   .out_stride = width});
}

/// rows[r] += sum over the block's queries of row_sums[query][r] * queries[query].
void add_to_rows(const BackwardCall& call, const QueryBlock& block, const float* queries,
                 std::size_t width, float* rows) noexcept {
  const std::size_t count = relative_of(call).row_count;
  weighted_sums_of(call.forward)({.weights = call.workspace.row_sums,
                                  .rows = count,
                                  .weight_row_stride = 1,
                                  .weight_term_stride = count,
                                  .values = queries,
                                  .terms = block.count,
                                  .value_stride = width,
                                  .width = width,
                                  .out = rows,
                                  .out_stride = width});
}

/// Through (q + position_bias) . keys[row].
void add_key_rows(const BackwardCall& call, const QueryBlock& block) noexcept {
  const AttentionCall& forward = call.forward;
  const RelativeTerms& relative = relative_of(call);
  const std::size_t rows = relative.row_count, dim = forward.shape.head_dim;
  sum_by_row(forward, block, call.workspace.gradients, call.workspace.row_sums);
  kernels::active().product_backward(call.workspace.row_sums, 0.0f, forward.shape.scale,
                                     call.workspace.row_sums, block.count * rows);
  std::fill_n(call.workspace.position_gradients, block.count * dim, 0.0f);
  weighted_sums_of(forward)(
      {.weights = call.workspace.row_sums,
       .rows = block.count,
       .weight_row_stride = rows,
       .weight_term_stride = 1,
       .values = rows_of(relative.keys, rows * dim, block.head, call.workspace.key_table),
       .terms = rows,
       .value_stride = dim,
       .width = dim,
       .out = call.workspace.position_gradients,
       .out_stride = dim});
  if (!call.wanted.relative_keys.empty()) {
    add_to_rows(call, block, forward.workspace.position_queries, dim,
                rows_of_head(call.wanted.relative_keys, rows * dim, block.head));
  }
  if (call.wanted.position_bias.empty()) return;
  for (std::size_t row = 0; row < block.count; ++row) {
    kernels::active().add(call.workspace.position_gradients + row * dim,
                          call.wanted.position_bias.data() + block.head * dim, dim);
  }
}

/// Through k . queries[row].
void add_query_rows(const BackwardCall& call, const QueryBlock& block) noexcept {
  const AttentionCall& forward = call.forward;
  const RelativeTerms& relative = relative_of(call);
  const std::size_t dim = forward.shape.head_dim, size = relative.row_count * dim;
  const float* rows = rows_of(relative.queries, size, block.head, forward.workspace.query_rows);
  float* row_gradients = call.wanted.relative_queries.empty()
                             ? nullptr
                             : rows_of_head(call.wanted.relative_queries, size, block.head);
  for (std::size_t row = 0; row < block.count; ++row) {
    const float* gradients = call.workspace.gradients + row * forward.shape.score_stride();
    const KeyRange seen = visible_keys(forward, block.first + row);
    const std::int64_t position = position_of(forward, block.first + row);
    for (std::size_t key = seen.first; key < seen.end; ++key) {
      const std::int64_t at = relative_row(relative, static_cast<std::int64_t>(key) - position);
      if (at < 0) continue;
      const float factor = gradients[key] * forward.shape.scale;
      const auto start = static_cast<std::size_t>(at) * dim;
      add_scaled_row(factor, rows + start, dim, call.workspace.key_sums + key * dim);
      if (row_gradients == nullptr) continue;
      add_scaled_row(factor, call.keys + key * dim, dim, row_gradients + start);
    }
  }
}

}  // namespace

void prepare_backward_relative(const BackwardCall& call, std::size_t head) noexcept {
  const RelativeTerms& relative = relative_of(call);
  const AttentionShape& shape = call.forward.shape;
  if (call.workspace.key_table != nullptr) {
    const std::size_t size = relative.row_count * shape.head_dim;
    load(relative.keys, first_row_of(relative.keys, size, head), size, call.workspace.key_table);
  }
  if (relative.values.empty()) return;
  const std::size_t width = shape.value_dim, rows = relative.row_count;
  pack_rows(relative.values, first_row_of(relative.values, rows * width, head), width, rows, width,
            call.workspace.tile, call.workspace.packed_value_rows);
}

void add_value_products(const BackwardCall& call, const QueryBlock& block) noexcept {
  const AttentionCall& forward = call.forward;
  const RelativeTerms& relative = relative_of(call);
  if (relative.values.empty()) return;
  const std::size_t stride = packed_size(relative.row_count, 1), width = forward.shape.value_dim;
  scores_of(forward)({.queries = call.workspace.out_gradients,
                      .rows = block.count,
                      .query_stride = width,
                      .packed_keys = call.workspace.packed_value_rows,
                      .blocks = stride / kernels::kBlock,
                      .head_dim = width,
                      .scale = 1.0f,
                      .out = call.workspace.value_products,
                      .out_stride = stride});
  for (std::size_t row = 0; row < block.count; ++row) {
    float* gradients = call.workspace.gradients + row * forward.shape.score_stride();
    const KeyRange seen = visible_keys(forward, block.first + row);
    const std::int64_t position = position_of(forward, block.first + row);
    for (std::size_t key = seen.first; key < seen.end; ++key) {
      const std::int64_t at = relative_row(relative, static_cast<std::int64_t>(key) - position);
      if (at >= 0)
        gradients[key] +=
            call.workspace.value_products[row * stride + static_cast<std::size_t>(at)];
    }
  }
}

void add_value_rows(const BackwardCall& call, const QueryBlock& block) noexcept {
  if (call.wanted.relative_values.empty()) return;
  const AttentionCall& forward = call.forward;
  const std::size_t width = forward.shape.value_dim;
  sum_by_row(forward, block, forward.workspace.scores, call.workspace.row_sums);
  add_to_rows(
      call, block, call.workspace.out_gradients, width,
      rows_of_head(call.wanted.relative_values, relative_of(call).row_count * width, block.head));
}

void add_relative_gradients(const BackwardCall& call, const QueryBlock& block) noexcept {
  if (!relative_of(call).keys.empty()) add_key_rows(call, block);
  if (!relative_of(call).queries.empty()) add_query_rows(call, block);
}

}  // namespace posenc::detail
