#include "posenc/attention/attention.hpp"

#include <algorithm>
#include <limits>

#include "posenc/attention/attention_call.hpp"
#include "posenc/core/check.hpp"
#include "posenc/core/elements.hpp"
#include "posenc/core/packed_rows.hpp"

namespace posenc {

using detail::AttentionCall;
using detail::AttentionShape;

namespace {

constexpr std::size_t kBlock = kernels::kBlock;

/// How many keys a query sees: all, or those up to its own position.
std::size_t visible_keys(const AttentionCall& call, std::size_t query) noexcept {
  if (!call.args.causal) return call.shape.keys;
  const std::int64_t position = call.shape.query_offset + static_cast<std::int64_t>(query);
  return static_cast<std::size_t>(
      std::clamp<std::int64_t>(position + 1, 0, static_cast<std::int64_t>(call.shape.keys)));
}

void add_terms(const AttentionCall& call, std::size_t head, std::size_t query,
               std::size_t visible) noexcept {
  if (visible == 0) return;  // the distances need not reach a query that sees nothing
  const AttentionShape& shape = call.shape;
  const ScoreTerms& terms = call.args.terms;
  const auto add = kernels::active().add;
  if (!terms.distances.empty()) {
    const std::size_t count = terms.distances.size() / shape.heads;
    const std::int64_t position = shape.query_offset + static_cast<std::int64_t>(query);
    const auto start = static_cast<std::size_t>(-position - terms.first_distance);
    add(terms.distances.data() + head * count + start, call.row, visible);
  }
  if (!terms.bias.empty()) {
    add(terms.bias.data() + (head * shape.queries + query) * shape.keys, call.row, visible);
  }
  if (!terms.key_bias.empty()) add(terms.key_bias.data() + head * shape.keys, call.row, visible);
}

/// What softmax reads: scaled products and terms of the keys that the query sees, -infinity up to
/// the end of the last block. Returns the number of blocks.
std::size_t fill_row(const AttentionCall& call, std::size_t head, std::size_t query,
                     std::size_t visible) noexcept {
  const AttentionShape& shape = call.shape;
  const std::size_t line = head * shape.queries + query;
  const std::size_t blocks = visible / kBlock + (visible % kBlock != 0 ? 1 : 0);
  const float* q = detail::read(call.q, line * shape.head_dim, shape.head_dim, call.query);
  kernels::active().scores(q, call.packed_keys, blocks, shape.head_dim, shape.scale, call.row);
  add_terms(call, head, query, visible);
  std::fill(call.row + visible, call.row + blocks * kBlock,
            -std::numeric_limits<float>::infinity());
  return blocks;
}

/// Writes a row of [heads, queries, keys]; `hidden` stands for the keys that are not seen.
void write_row(const AttentionCall& call, std::size_t line, std::size_t visible, float hidden,
               Floats out) noexcept {
  const std::size_t keys = call.shape.keys;
  detail::write(out, line * keys, visible, call.row);
  detail::generate(
      out, line * keys + visible, keys - visible,
      [&](std::size_t, std::size_t count, float* values) { std::fill_n(values, count, hidden); });
}

void attend(const AttentionCall& call, std::size_t head, std::size_t query,
            const float* values) noexcept {
  const AttentionShape& shape = call.shape;
  const kernels::Kernels& kernels = kernels::active();
  const std::size_t line = head * shape.queries + query;
  const std::size_t visible = visible_keys(call, query);
  kernels.softmax(call.row, fill_row(call, head, query, visible));
  if (!call.probabilities.empty()) write_row(call, line, visible, 0.0f, call.probabilities);
  kernels.weighted_sum(call.row, values, visible, shape.value_dim, shape.value_dim, call.output);
  detail::write(call.out, line * shape.value_dim, shape.value_dim, call.output);
}

void lay_out(AttentionCall& call, std::span<float> workspace) noexcept {
  call.query = workspace.data();
  call.output = call.query + call.shape.head_dim;
  call.row = call.output + call.shape.value_dim;
  call.packed_keys = call.row + call.shape.blocks * kBlock;
}

void pack_keys(const AttentionCall& call, std::size_t kv_head) noexcept {
  const AttentionShape& shape = call.shape;
  detail::pack_rows(call.k, kv_head * shape.keys * shape.head_dim, shape.head_dim, shape.keys,
                    shape.head_dim, call.query, call.packed_keys);
}

}  // namespace

std::size_t attention_workspace_size(const AttentionArgs& args, StorageType values) noexcept {
  AttentionShape shape{};
  std::size_t size = 0;
  if (!detail::resolve(args, shape).ok() || !detail::workspace_size(shape, values, size).ok())
    return 0;
  return size;
}

Status attention(ConstFloats q, ConstFloats k, ConstFloats v, Floats out, const AttentionArgs& args,
                 std::span<float> workspace, Floats probabilities) noexcept {
  AttentionShape shape{};
  POSENC_RETURN_IF_FAILED(detail::resolve(args, shape));
  AttentionCall call{.shape = shape,
                     .args = args,
                     .q = q,
                     .k = k,
                     .v = v,
                     .out = out,
                     .probabilities = probabilities};
  POSENC_RETURN_IF_FAILED(detail::check_attention(call, workspace));
  lay_out(call, workspace);
  float* widened = call.packed_keys + shape.blocks * kBlock * shape.head_dim;

  const std::size_t group = shape.heads / shape.kv_heads;
  const std::size_t head_values = shape.keys * shape.value_dim;
  const float* values = nullptr;
  for (std::size_t head = 0; head < shape.heads; ++head) {
    if (head % group == 0) {
      pack_keys(call, head / group);
      values = detail::read(v, head / group * head_values, head_values, widened);
    }
    for (std::size_t query = 0; query < shape.queries; ++query) attend(call, head, query, values);
  }
  return {};
}

Status attention_scores(ConstFloats q, ConstFloats k, Floats out, const AttentionArgs& args,
                        std::span<float> workspace) noexcept {
  AttentionShape shape{};
  POSENC_RETURN_IF_FAILED(detail::resolve(args, shape));
  AttentionCall call{.shape = shape, .args = args, .q = q, .k = k, .v = {}, .out = out};
  POSENC_RETURN_IF_FAILED(detail::check_scores(call, workspace));
  lay_out(call, workspace);
  const std::size_t group = shape.heads / shape.kv_heads;
  for (std::size_t head = 0; head < shape.heads; ++head) {
    if (head % group == 0) pack_keys(call, head / group);
    for (std::size_t query = 0; query < shape.queries; ++query) {
      const std::size_t visible = visible_keys(call, query);
      fill_row(call, head, query, visible);
      write_row(call, head * shape.queries + query, visible,
                -std::numeric_limits<float>::infinity(), out);
    }
  }
  return {};
}

}  // namespace posenc
