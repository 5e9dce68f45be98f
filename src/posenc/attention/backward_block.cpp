#include <algorithm>

#include "posenc/attention/backward_call.hpp"
#include "posenc/core/elements.hpp"

namespace posenc::detail {
namespace {

constexpr std::size_t kBlock = kernels::kBlock;

/// Row `row` of the gradients of scores.
float* gradient_row(const BackwardCall& call, std::size_t row) noexcept {
  return call.workspace.gradients + row * call.forward.shape.score_stride();
}

/// Zeros in the blocks of `all` that a row's own keys do not reach.
void clear_outside(float* row, KeyRange all, KeyRange seen) noexcept {
  const std::size_t first = all.first_block() * kBlock, end = all.end_block() * kBlock;
  if (seen.empty()) {
    std::fill(row + first, row + end, 0.0f);
    return;
  }
  std::fill(row + first, row + seen.first_block() * kBlock, 0.0f);
  std::fill(row + seen.end_block() * kBlock, row + end, 0.0f);
}

void fill_probabilities(const BackwardCall& call, const QueryBlock& block, KeyRange all) noexcept {
  load_queries(call.forward, block);
  fill_products(call.forward, block);
  for (std::size_t row = 0; row < block.count; ++row) {
    finish_scores(call.forward, block, row);
    const KeyRange seen = visible_keys(call.forward, block.first + row);
    float* scores = score_row(call.forward, row);
    divide_weights(scores, seen, weigh_scores(call.forward, scores, seen));
    clear_outside(scores, all, seen);
  }
}

/// Rows of keys: sums[key] += sum over the block's queries of weights[query][key] * rows[query].
void sum_queries(const BackwardCall& call, const QueryBlock& block, KeyRange all,
                 const float* weights, const float* rows, std::size_t width, float* sums) noexcept {
  weighted_sums_of(call.forward)({.weights = weights + all.first,
                                  .rows = all.size(),
                                  .weight_row_stride = 1,
                                  .weight_term_stride = call.forward.shape.score_stride(),
                                  .values = rows,
                                  .terms = block.count,
                                  .value_stride = width,
                                  .width = width,
                                  .out = sums + all.first * width,
                                  .out_stride = width});
}

/// From the output gradients to those of the scores, by way of the probabilities'.
void fill_gradients(const BackwardCall& call, const QueryBlock& block, KeyRange all) noexcept {
  const AttentionShape& shape = call.forward.shape;
  const std::size_t width = shape.value_dim;
  scores_of(call.forward)(
      {.queries = call.workspace.out_gradients,
       .rows = block.count,
       .query_stride = width,
       .packed_keys = call.workspace.packed_values + all.first_block() * kBlock * width,
       .blocks = all.blocks(),
       .head_dim = width,
       .scale = 1.0f,
       .out = call.workspace.gradients + all.first_block() * kBlock,
       .out_stride = shape.score_stride()});
  add_value_products(call, block);
  for (std::size_t row = 0; row < block.count; ++row) {
    const KeyRange seen = visible_keys(call.forward, block.first + row);
    const std::size_t first = seen.first_block() * kBlock;
    kernels::active().softmax_backward(score_row(call.forward, row) + first,
                                       gradient_row(call, row) + first, seen.blocks());
    clear_outside(gradient_row(call, row), all, seen);
  }
}

/// Terms that were added to the scores have the gradients of the scores.
void add_term_gradients(const BackwardCall& call, const QueryBlock& block) noexcept {
  const AttentionShape& shape = call.forward.shape;
  const AttentionGradients& wanted = call.wanted;
  const auto add = kernels::active().add;
  for (std::size_t row = 0; row < block.count; ++row) {
    const std::size_t query = block.first + row;
    const KeyRange seen = visible_keys(call.forward, query);
    if (seen.empty()) continue;
    const float* gradients = gradient_row(call, row) + seen.first;
    if (!wanted.distances.empty()) {
      const std::size_t count = wanted.distances.size() / shape.heads;
      const std::int64_t distance = static_cast<std::int64_t>(seen.first) - shape.query_offset -
                                    static_cast<std::int64_t>(query);
      const std::int64_t start = distance - call.forward.args.terms.first_distance;
      add(gradients, wanted.distances.data() + block.head * count + start, seen.size());
    }
    if (!wanted.bias.empty()) {
      const std::size_t at = (block.head * shape.queries + query) * shape.keys + seen.first;
      std::copy_n(gradients, seen.size(), wanted.bias.data() + at);
    }
    if (!wanted.key_bias.empty()) {
      const std::size_t at = block.head * shape.keys + seen.first;
      add(gradients, wanted.key_bias.data() + at, seen.size());
    }
  }
}

/// From scores to products: back through the soft cap, whose results are computed anew, and scale.
void unscale_gradients(const BackwardCall& call, const QueryBlock& block, KeyRange all) noexcept {
  const AttentionCall& forward = call.forward;
  const AttentionShape& shape = forward.shape;
  const kernels::Kernels& kernels = kernels::active();
  if (shape.softcap != 0.0f) {
    scores_of(forward)(
        {.queries = forward.workspace.queries,
         .rows = block.count,
         .query_stride = shape.head_dim,
         .packed_keys = forward.workspace.packed_keys + all.first_block() * kBlock * shape.head_dim,
         .blocks = all.blocks(),
         .head_dim = shape.head_dim,
         .scale = shape.scale,
         .out = forward.workspace.scores + all.first_block() * kBlock,
         .out_stride = shape.score_stride()});
  }
  for (std::size_t row = 0; row < block.count; ++row) {
    const KeyRange seen = visible_keys(forward, block.first + row);
    float* capped = score_row(forward, row) + seen.first;
    if (shape.softcap != 0.0f) kernels.soft_cap(shape.softcap, capped, seen.size());
    kernels.product_backward(capped, shape.softcap, shape.scale,
                             gradient_row(call, row) + seen.first, seen.size());
  }
}

/// Both ways into a query, back through its rotation.
void write_queries(const BackwardCall& call, const QueryBlock& block) noexcept {
  const AttentionShape& shape = call.forward.shape;
  const RotaryTables& rotary = call.forward.args.rotary;
  const std::size_t dim = shape.head_dim;
  const auto add = kernels::active().add;
  for (std::size_t row = 0; row < block.count; ++row) {
    float* gradient = call.workspace.query_gradients + row * dim;
    if (!call.wanted.content_bias.empty()) {
      add(gradient, call.wanted.content_bias.data() + block.head * dim, dim);
    }
    if (call.workspace.position_gradients != nullptr) {
      add(call.workspace.position_gradients + row * dim, gradient, dim);
    }
    if (call.wanted.q.empty()) continue;
    unrotate_row(call, rotary.query_cos, rotary.query_sin, block.first + row, gradient);
    write(call.wanted.q, (block.line(shape) + row) * dim, dim, gradient);
  }
}

}  // namespace

void unrotate_row(const BackwardCall& call, std::span<const float> cos, std::span<const float> sin,
                  std::size_t at, float* row) noexcept {
  const RotaryTables& rotary = call.forward.args.rotary;
  if (rotary.rotary_dim == 0) return;
  const std::size_t pairs = rotary.rotary_dim / 2;
  float* minus_sin = call.workspace.tile;
  for (std::size_t i = 0; i < pairs; ++i) minus_sin[i] = -sin[at * pairs + i];
  rotate_row(rotary, cos.subspan(at * pairs, pairs), {minus_sin, pairs}, 0, row);
}

void backward_block(const BackwardCall& call, const QueryBlock& block) noexcept {
  const AttentionCall& forward = call.forward;
  const AttentionShape& shape = forward.shape;
  const BackwardWorkspace& own = call.workspace;
  const KeyRange all = visible_keys(forward, block);
  fill_probabilities(call, block, all);
  load(call.out_gradient, block.line(shape) * shape.value_dim, block.count * shape.value_dim,
       own.out_gradients);
  sum_queries(call, block, all, forward.workspace.scores, own.out_gradients, shape.value_dim,
              own.value_sums);
  add_value_rows(call, block);
  fill_gradients(call, block, all);
  add_term_gradients(call, block);
  add_relative_gradients(call, block);
  unscale_gradients(call, block, all);
  sum_queries(call, block, all, own.gradients, forward.workspace.queries, shape.head_dim,
              own.key_sums);
  sum_seen(forward, block, own.gradients, call.keys, shape.head_dim, own.query_gradients);
  write_queries(call, block);
}

}  // namespace posenc::detail
