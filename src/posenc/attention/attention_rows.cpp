#include "posenc/attention/attention_rows.hpp"

#include <algorithm>
#include <limits>

#include "posenc/attention/relative_scores.hpp"
#include "posenc/core/elements.hpp"

namespace posenc::detail {
namespace {

constexpr std::size_t kBlock = kernels::kBlock;
constexpr float kHidden = -std::numeric_limits<float>::infinity();

bool is_hidden(const AttentionCall& call, std::size_t key) noexcept {
  return !call.args.key_mask.empty() && call.args.key_mask[key] == 0;
}

/// Adds the terms that are the same for every content, and hides what the query does not see.
void finish_seen(const AttentionCall& call, std::size_t head, std::size_t query, KeyRange seen,
                 float* row) noexcept {
  const AttentionShape& shape = call.shape;
  const ScoreTerms& terms = call.args.terms;
  const kernels::Kernels& kernels = kernels::active();
  float* scores = row + seen.first;
  if (!terms.distances.empty()) {
    const std::size_t count = terms.distances.size() / shape.heads;
    const std::int64_t distance = static_cast<std::int64_t>(seen.first) - shape.query_offset -
                                  static_cast<std::int64_t>(query);
    const auto start = static_cast<std::size_t>(distance - terms.first_distance);
    kernels.add(terms.distances.data() + head * count + start, scores, seen.size());
  }
  if (!terms.bias.empty()) {
    const std::size_t line = head * shape.queries + query;
    kernels.add(terms.bias.data() + line * shape.keys + seen.first, scores, seen.size());
  }
  if (!terms.key_bias.empty()) {
    kernels.add(terms.key_bias.data() + head * shape.keys + seen.first, scores, seen.size());
  }
  if (!call.args.key_mask.empty()) {
    kernels.hide(call.workspace.mask + seen.first, scores, seen.size());
  }
  std::fill(row + seen.first_block() * kBlock, scores, kHidden);
  std::fill(row + seen.end, row + seen.end_block() * kBlock, kHidden);
}

/// Adds what keys [seen.first, seen.end) give to `count` rows from `row` on.
void sum_some(const AttentionCall& call, const float* weights, const float* rows, std::size_t width,
              std::size_t row, std::size_t count, KeyRange seen, float* out) noexcept {
  const std::size_t stride = call.shape.score_stride();
  weighted_sums_of(call)({.weights = weights + row * stride + seen.first,
                          .rows = count,
                          .weight_row_stride = stride,
                          .weight_term_stride = 1,
                          .values = rows + seen.first * width,
                          .terms = seen.size(),
                          .value_stride = width,
                          .width = width,
                          .out = out + row * width,
                          .out_stride = width});
}

}  // namespace

void rotate_row(const RotaryTables& rotary, std::span<const float> cos, std::span<const float> sin,
                std::size_t at, float* row) noexcept {
  if (rotary.rotary_dim == 0) return;
  const std::size_t pairs = rotary.rotary_dim / 2;
  const bool half = rotary.layout == RopeLayout::half;
  const kernels::Kernels& kernels = kernels::active();
  float* x = row + rotary.rotary_start;
  (half ? kernels.rotate_half : kernels.rotate_interleaved)({.x = x,
                                                             .y = x,
                                                             .cos = cos.data() + at * pairs,
                                                             .sin = sin.data() + at * pairs,
                                                             .heads = 1,
                                                             .rows = 1,
                                                             .pairs = pairs,
                                                             .pair_distance = half ? pairs : 1,
                                                             .head_stride = 0,
                                                             .stride = 0,
                                                             .table_stride = 0});
}

KeyRange visible_keys(const AttentionCall& call, std::size_t query) noexcept {
  const auto keys = static_cast<std::int64_t>(call.shape.keys);
  const std::int64_t position = call.shape.query_offset + static_cast<std::int64_t>(query);
  std::int64_t first = 0, end = keys;
  // a window beyond all positions is none
  if (call.args.window != 0 && std::uint64_t{call.args.window} <= std::uint64_t{1} << 52) {
    const auto window = static_cast<std::int64_t>(call.args.window);
    first = std::clamp<std::int64_t>(position - window + 1, 0, keys);
    end = std::clamp<std::int64_t>(position + window, first, keys);
  }
  if (call.args.causal) end = std::clamp<std::int64_t>(position + 1, first, end);
  return {static_cast<std::size_t>(first), static_cast<std::size_t>(end)};
}

void prepare_keys(const AttentionCall& call, std::size_t kv_head, float* tile) noexcept {
  const AttentionShape& shape = call.shape;
  const RotaryTables& rotary = call.args.rotary;
  const std::size_t dim = shape.head_dim;
  for (std::size_t key = 0; key < shape.padded_keys(); ++key) {
    const bool hidden = key >= shape.keys || is_hidden(call, key);
    if (hidden) {
      std::fill_n(tile, dim, 0.0f);
    } else {
      load(call.k, (kv_head * shape.keys + key) * dim, dim, tile);
      rotate_row(rotary, rotary.key_cos, rotary.key_sin, key, tile);
    }
    if (!call.args.key_mask.empty()) call.workspace.mask[key] = hidden ? kHidden : 0.0f;
    float* lane = call.workspace.packed_keys + key / kBlock * kBlock * dim + key % kBlock;
    for (std::size_t i = 0; i < dim; ++i) lane[i * kBlock] = tile[i];
  }
}

const float* prepare_values(const AttentionCall& call, std::size_t kv_head) noexcept {
  const AttentionShape& shape = call.shape;
  const std::size_t size = shape.keys * shape.value_dim, first = kv_head * size;
  if (call.args.key_mask.empty()) return read(call.v, first, size, call.workspace.values);
  for (std::size_t key = 0; key < shape.keys; ++key) {
    const std::size_t at = key * shape.value_dim;
    float* row = call.workspace.values + at;
    if (is_hidden(call, key)) {
      std::fill_n(row, shape.value_dim, 0.0f);
    } else {
      load(call.v, first + at, shape.value_dim, row);
    }
  }
  return call.workspace.values;
}

void load_queries(const AttentionCall& call, const QueryBlock& block) noexcept {
  const AttentionShape& shape = call.shape;
  const RotaryTables& rotary = call.args.rotary;
  const RelativeTerms& relative = call.args.terms.relative;
  const std::size_t dim = shape.head_dim;
  for (std::size_t row = 0; row < block.count; ++row) {
    float* query = call.workspace.queries + row * dim;
    load(call.q, (block.line(shape) + row) * dim, dim, query);
    rotate_row(rotary, rotary.query_cos, rotary.query_sin, block.first + row, query);
    if (!relative.keys.empty()) {
      float* positional = call.workspace.position_queries + row * dim;
      std::copy_n(query, dim, positional);
      if (!relative.position_bias.empty()) {
        add(relative.position_bias, block.head * dim, {positional, dim}, 0, dim);
      }
    }
    if (!relative.content_bias.empty()) {
      add(relative.content_bias, block.head * dim, {query, dim}, 0, dim);
    }
  }
}

KeyRange visible_keys(const AttentionCall& call, const QueryBlock& block) noexcept {
  const KeyRange first = visible_keys(call, block.first);
  const KeyRange last = visible_keys(call, block.first + block.count - 1);
  return {first.first, std::max(first.first, last.end)};
}

void sum_seen(const AttentionCall& call, const QueryBlock& block, const float* weights,
              const float* rows, std::size_t width, float* out) noexcept {
  // keys that all queries of the block see are read once; before and after them each has its own
  const KeyRange from_first = visible_keys(call, block.first);
  const KeyRange from_last = visible_keys(call, block.first + block.count - 1);
  const std::size_t first = from_last.first, end = std::max(first, from_first.end);
  std::fill_n(out, block.count * width, 0.0f);
  for (std::size_t row = 0; row < block.count; ++row) {
    const KeyRange seen = visible_keys(call, block.first + row);
    const std::size_t before = std::clamp(first, seen.first, seen.end);
    sum_some(call, weights, rows, width, row, 1, {seen.first, before}, out);
  }
  if (first < from_first.end) {
    sum_some(call, weights, rows, width, 0, block.count, {first, end}, out);
  }
  for (std::size_t row = 0; row < block.count; ++row) {
    const KeyRange seen = visible_keys(call, block.first + row);
    const std::size_t after = std::clamp(end, seen.first, seen.end);
    sum_some(call, weights, rows, width, row, 1, {after, seen.end}, out);
  }
}

void fill_products(const AttentionCall& call, const QueryBlock& block) noexcept {
  const AttentionShape& shape = call.shape;
  const KeyRange all = visible_keys(call, block);
  if (all.empty()) return;
  KeyRange seen[kMaxQueryBlock];
  for (std::size_t row = 0; row < block.count; ++row) {
    seen[row] = visible_keys(call, block.first + row);
  }
  const std::size_t dim = shape.head_dim;
  scores_of(call)({.queries = call.workspace.queries,
                   .rows = block.count,
                   .query_stride = dim,
                   .packed_keys = call.workspace.packed_keys + all.first_block() * kBlock * dim,
                   .blocks = all.blocks(),
                   .head_dim = dim,
                   .scale = shape.scale,
                   .out = call.workspace.scores + all.first_block() * kBlock,
                   .out_stride = shape.score_stride()});
  if (shape.softcap != 0.0f) {
    for (std::size_t row = 0; row < block.count; ++row) {
      float* scores = score_row(call, row) + seen[row].first;
      kernels::active().soft_cap(shape.softcap, scores, seen[row].size());
    }
  }
  add_relative_scores(call, block, seen);
}

void finish_scores(const AttentionCall& call, const QueryBlock& block, std::size_t row) noexcept {
  const KeyRange seen = visible_keys(call, block.first + row);
  if (seen.empty()) return;
  finish_seen(call, block.head, block.first + row, seen, score_row(call, row));
}

float weigh_scores(const AttentionCall& call, float* row, KeyRange seen) noexcept {
  return softmax_weights_of(call)(row + seen.first_block() * kBlock, seen.blocks());
}

void divide_weights(float* row, KeyRange seen, float total) noexcept {
  kernels::active().divide(total, row + seen.first_block() * kBlock, seen.blocks() * kBlock);
}

}  // namespace posenc::detail
