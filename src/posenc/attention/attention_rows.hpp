#pragma once

// Private: the scores of a block of queries, which attention, its scores and its gradient share.

#include <cstddef>
#include <cstdint>

#include "posenc/attention/attention_call.hpp"

namespace posenc::detail {

/// Keys [first, end) that a query sees by its place; none when first == end.
struct KeyRange {
  std::size_t first, end;

  bool empty() const noexcept { return first == end; }
  std::size_t size() const noexcept { return end - first; }
  std::size_t first_block() const noexcept { return first / kernels::kBlock; }
  std::size_t end_block() const noexcept { return (end + kernels::kBlock - 1) / kernels::kBlock; }
  std::size_t blocks() const noexcept { return empty() ? 0 : end_block() - first_block(); }
};

/// `scores`, `weighted_sums` and `softmax_weights` in the call's numerics.
inline auto scores_of(const AttentionCall& call) noexcept {
  const kernels::Kernels& kernels = kernels::active();
  return call.args.numerics == Numerics::fast ? kernels.fast_scores : kernels.scores;
}
inline auto weighted_sums_of(const AttentionCall& call) noexcept {
  const kernels::Kernels& kernels = kernels::active();
  return call.args.numerics == Numerics::fast ? kernels.fast_weighted_sums : kernels.weighted_sums;
}
inline auto softmax_weights_of(const AttentionCall& call) noexcept {
  const kernels::Kernels& kernels = kernels::active();
  return call.args.numerics == Numerics::fast ? kernels.fast_softmax_weights
                                              : kernels.softmax_weights;
}

/// What a query sees: keys up to its own position when causal, those of its window.
KeyRange visible_keys(const AttentionCall& call, std::size_t query) noexcept;

/// Some queries of a head, at most `query_block`.
struct QueryBlock {
  std::size_t head, first, count;

  /// The row of query `first` in [heads, queries, ...].
  std::size_t line(const AttentionShape& shape) const noexcept {
    return head * shape.queries + first;
  }
};

/// All keys that any query of a block sees; those between may be seen by none.
KeyRange visible_keys(const AttentionCall& call, const QueryBlock& block) noexcept;

/// For each query of a block, its weights being a row of the scores' length: out[row] = sum over
/// the keys that the query sees, in order, of weights[row][key] * rows[key], `width` columns. What
/// a query does not see is not multiplied with 0 either, for it may be NaN.
void sum_seen(const AttentionCall& call, const QueryBlock& block, const float* weights,
              const float* rows, std::size_t width, float* out) noexcept;

/// Rotates a row in place by row `at` of the tables.
void rotate_row(const RotaryTables& rotary, std::span<const float> cos, std::span<const float> sin,
                std::size_t at, float* row) noexcept;

/// Packs the rotated keys of a key-value head and fills the mask; `tile` has room for a row.
void prepare_keys(const AttentionCall& call, std::size_t kv_head, float* tile) noexcept;

/// The values of a key-value head as floats, zeros where the mask hides the key.
const float* prepare_values(const AttentionCall& call, std::size_t kv_head) noexcept;

/// Loads the queries of a block, rotated and with their biases.
void load_queries(const AttentionCall& call, const QueryBlock& block) noexcept;

/// Scaled products, capped, and the terms that depend on content, to the rows of `scores`: of the
/// keys that each query sees.
void fill_products(const AttentionCall& call, const QueryBlock& block) noexcept;

/// Makes of a row of products what softmax reads: adds the other terms, and puts -infinity where
/// the query does not see a key of the blocks that are read. Row by row with what comes after it,
/// while the row is in the nearest cache.
void finish_scores(const AttentionCall& call, const QueryBlock& block, std::size_t row) noexcept;

/// Turns a row of scores into the weights of softmax, over the blocks that hold what is seen, and
/// returns what they are to be divided by.
float weigh_scores(const AttentionCall& call, float* row, KeyRange seen) noexcept;
void divide_weights(float* row, KeyRange seen, float total) noexcept;

/// The row of scores of query `block.first + row`.
inline float* score_row(const AttentionCall& call, std::size_t row) noexcept {
  return call.workspace.scores + row * call.shape.score_stride();
}

}  // namespace posenc::detail
