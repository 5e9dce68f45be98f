#include "posenc/attention/attention.hpp"

#include <algorithm>
#include <limits>

#include "posenc/attention/attention_call.hpp"
#include "posenc/attention/attention_rows.hpp"
#include "posenc/attention/relative_scores.hpp"
#include "posenc/core/check.hpp"
#include "posenc/core/elements.hpp"

namespace posenc {

using detail::AttentionCall;
using detail::AttentionShape;
using detail::KeyRange;
using detail::QueryBlock;

namespace {

constexpr char kName[] = "attention";

/// The pieces of the call's workspace from `begin` on, or their sum where it is null.
Status take(AttentionCall& call, StorageType values, float* begin, std::size_t& floats) noexcept {
  AttentionShape& shape = call.shape;
  if (!call.args.terms.relative.queries.empty()) {
    shape.query_block = std::min(shape.queries, detail::kMaxQueryBlock);
  }
  detail::Pieces pieces(begin);
  call.workspace = detail::take_workspace(call.args, shape, values, pieces);
  return pieces.count(floats);
}

/// Large enough, and apart from all that is read and from the output.
Status check_scratch(AttentionCall& call, StorageType values, std::span<float> workspace) noexcept {
  std::size_t needed = 0;
  POSENC_RETURN_IF_FAILED(take(call, values, nullptr, needed));
  POSENC_RETURN_IF_FAILED(detail::check_workspace(call, needed, workspace));
  return detail::check_apart(kName, "workspace", workspace, "out", call.out);
}

Status check_attention(AttentionCall& call, std::span<float> workspace) noexcept {
  const AttentionShape& shape = call.shape;
  POSENC_RETURN_IF_FAILED(detail::check_scored(call));
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "v", call.v.size(),
                                              "kv_heads * key_count * value_dim",
                                              {shape.kv_heads, shape.keys, shape.value_dim}));
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "out", call.out.size(),
                                              "heads * query_count * value_dim",
                                              {shape.heads, shape.queries, shape.value_dim}));
  if (!call.probabilities.empty()) {
    POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "probabilities", call.probabilities.size(),
                                                "heads * query_count * key_count",
                                                {shape.heads, shape.queries, shape.keys}));
  }
  POSENC_RETURN_IF_FAILED(check_scratch(call, call.v.type(), workspace));
  POSENC_RETURN_IF_FAILED(detail::check_written(call, "out", call.out));
  POSENC_RETURN_IF_FAILED(detail::check_written(call, "probabilities", call.probabilities));
  POSENC_RETURN_IF_FAILED(
      detail::check_apart(kName, "probabilities", call.probabilities, "out", call.out));
  return detail::check_apart(kName, "workspace", workspace, "probabilities", call.probabilities);
}

Status check_scores(AttentionCall& call, std::span<float> workspace) noexcept {
  const AttentionShape& shape = call.shape;
  POSENC_RETURN_IF_FAILED(detail::check_scored(call));
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "out", call.out.size(),
                                              "heads * query_count * key_count",
                                              {shape.heads, shape.queries, shape.keys}));
  POSENC_RETURN_IF_FAILED(check_scratch(call, StorageType::float32, workspace));
  return detail::check_written(call, "out", call.out);
}

/// Writes a row of [heads, queries, keys]; `hidden` stands for the keys that are not seen.
void write_row(const AttentionCall& call, const QueryBlock& block, std::size_t row, float hidden,
               Floats out) noexcept {
  const std::size_t keys = call.shape.keys, start = (block.line(call.shape) + row) * keys;
  const KeyRange seen = detail::visible_keys(call, block.first + row);
  const auto hide = [&](std::size_t first, std::size_t end) {
    detail::generate(
        out, start + first, end - first,
        [&](std::size_t, std::size_t count, float* values) { std::fill_n(values, count, hidden); });
  };
  hide(0, seen.first);
  detail::write(out, start + seen.first, seen.size(), detail::score_row(call, row) + seen.first);
  hide(seen.end, keys);
}

/// The sums are divided, not the weights: there are fewer of them.
void attend(const AttentionCall& call, const QueryBlock& block, const float* values) noexcept {
  const AttentionShape& shape = call.shape;
  float* output = call.workspace.output;
  float totals[detail::kMaxQueryBlock];
  detail::load_queries(call, block);
  detail::fill_products(call, block);
  for (std::size_t row = 0; row < block.count; ++row) {
    detail::finish_scores(call, block, row);
    const KeyRange seen = detail::visible_keys(call, block.first + row);
    totals[row] = detail::weigh_scores(call, detail::score_row(call, row), seen);
  }
  detail::sum_seen(call, block, call.workspace.scores, values, shape.value_dim, output);
  detail::add_relative_values(call, block);
  for (std::size_t row = 0; row < block.count; ++row) {
    kernels::active().divide(totals[row], output + row * shape.value_dim, shape.value_dim);
    if (call.probabilities.empty()) continue;
    const KeyRange seen = detail::visible_keys(call, block.first + row);
    detail::divide_weights(detail::score_row(call, row), seen, totals[row]);
    write_row(call, block, row, 0.0f, call.probabilities);
  }
  detail::write(call.out, block.line(shape) * shape.value_dim, block.count * shape.value_dim,
                output);
}

void score(const AttentionCall& call, const QueryBlock& block) noexcept {
  detail::load_queries(call, block);
  detail::fill_products(call, block);
  for (std::size_t row = 0; row < block.count; ++row) {
    detail::finish_scores(call, block, row);
    write_row(call, block, row, -std::numeric_limits<float>::infinity(), call.out);
  }
}

/// Calls `run(block)` for every block of queries, heads in order, with what they read prepared;
/// `turn(kv_head)` where another key-value head begins.
template <class Turn, class Run>
void for_each_block(const AttentionCall& call, const Turn& turn, const Run& run) noexcept {
  const AttentionShape& shape = call.shape;
  if (shape.queries == 0) return;
  const std::size_t group = shape.heads / shape.kv_heads;
  for (std::size_t head = 0; head < shape.heads; ++head) {
    if (head % group == 0) {
      detail::prepare_keys(call, head / group, call.workspace.queries);
      turn(head / group);
    }
    detail::prepare_relative(call, head);
    for (std::size_t first = 0; first < shape.queries; first += shape.query_block) {
      run({head, first, std::min(shape.query_block, shape.queries - first)});
    }
  }
}

}  // namespace

std::size_t attention_workspace_size(const AttentionArgs& args, StorageType values) noexcept {
  AttentionCall call{.shape = {}, .args = args, .q = {}, .k = {}, .v = {}, .out = {}};
  std::size_t size = 0;
  if (!detail::resolve(args, call.shape).ok() || !take(call, values, nullptr, size).ok()) return 0;
  return size;
}

Status attention(ConstFloats q, ConstFloats k, ConstFloats v, Floats out, const AttentionArgs& args,
                 std::span<float> workspace, Floats probabilities) noexcept {
  AttentionCall call{.shape = {},
                     .args = args,
                     .q = q,
                     .k = k,
                     .v = v,
                     .out = out,
                     .probabilities = probabilities};
  POSENC_RETURN_IF_FAILED(detail::resolve(args, call.shape));
  POSENC_RETURN_IF_FAILED(check_attention(call, workspace));
  std::size_t used = 0;
  POSENC_RETURN_IF_FAILED(take(call, v.type(), workspace.data(), used));
  const float* values = nullptr;
  for_each_block(
      call, [&](std::size_t kv_head) { values = detail::prepare_values(call, kv_head); },
      [&](const QueryBlock& block) { attend(call, block, values); });
  return {};
}

Status attention_scores(ConstFloats q, ConstFloats k, Floats out, const AttentionArgs& args,
                        std::span<float> workspace) noexcept {
  AttentionCall call{.shape = {}, .args = args, .q = q, .k = k, .v = {}, .out = out};
  POSENC_RETURN_IF_FAILED(detail::resolve(args, call.shape));
  POSENC_RETURN_IF_FAILED(check_scores(call, workspace));
  std::size_t used = 0;
  POSENC_RETURN_IF_FAILED(take(call, StorageType::float32, workspace.data(), used));
  for_each_block(call, [](std::size_t) {}, [&](const QueryBlock& block) { score(call, block); });
  return {};
}

}  // namespace posenc
