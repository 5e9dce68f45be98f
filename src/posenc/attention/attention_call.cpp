#include "posenc/attention/attention_call.hpp"

#include <algorithm>
#include <cmath>

#include "posenc/core/check.hpp"
#include "posenc/core/positions.hpp"

namespace posenc::detail {
namespace {

constexpr char kName[] = "attention";
constexpr std::size_t kBlock = kernels::kBlock;

/// The distance vector must hold every key - query that a query sees.
Status check_distances(const AttentionArgs& args, const AttentionShape& shape) noexcept {
  const std::size_t count = args.terms.distances.size() / shape.heads;
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "distances", args.terms.distances.size(),
                                              "heads * count", {shape.heads, count}));
  POSENC_RETURN_IF_FAILED(detail::check_positions(kName, "first_distance",
                                                  Positions::from(args.terms.first_distance, count),
                                                  2.0 * static_cast<double>(kMaxPosition)));
  if (shape.queries == 0 || shape.keys == 0) return {};
  const std::int64_t first = -(shape.query_offset + static_cast<std::int64_t>(shape.queries) - 1);
  std::int64_t last = static_cast<std::int64_t>(shape.keys) - 1 - shape.query_offset;
  if (args.causal) last = std::min<std::int64_t>(last, 0);
  const std::int64_t given_last = args.terms.first_distance + static_cast<std::int64_t>(count) - 1;
  if (args.terms.first_distance <= first && given_last >= last) return {};
  return Status::failure(
      Code::shape, "distances", "attention: distances must cover %lld to %lld, got %lld to %lld",
      static_cast<long long>(first), static_cast<long long>(last),
      static_cast<long long>(args.terms.first_distance), static_cast<long long>(given_last));
}

Status check_written(const AttentionCall& call, const char* field, ConstFloats written) noexcept {
  const ScoreTerms& terms = call.args.terms;
  POSENC_RETURN_IF_FAILED(detail::check_apart(kName, field, written, "q", call.q));
  POSENC_RETURN_IF_FAILED(detail::check_apart(kName, field, written, "k", call.k));
  POSENC_RETURN_IF_FAILED(detail::check_apart(kName, field, written, "v", call.v));
  POSENC_RETURN_IF_FAILED(detail::check_apart(kName, field, written, "distances", terms.distances));
  POSENC_RETURN_IF_FAILED(detail::check_apart(kName, field, written, "bias", terms.bias));
  return detail::check_apart(kName, field, written, "key_bias", terms.key_bias);
}

/// Large enough, and apart from all that is read and from the output.
Status check_workspace(const AttentionCall& call, StorageType values,
                       std::span<float> workspace) noexcept {
  std::size_t needed = 0;
  POSENC_RETURN_IF_FAILED(workspace_size(call.shape, values, needed));
  if (workspace.size() < needed) {
    return Status::failure(Code::shape, "workspace",
                           "attention: workspace must have at least %zu elements, got %zu", needed,
                           workspace.size());
  }
  POSENC_RETURN_IF_FAILED(check_written(call, "workspace", workspace));
  return detail::check_apart(kName, "workspace", workspace, "out", call.out);
}

Status check_outputs(const AttentionCall& call, std::span<float> workspace) noexcept {
  const AttentionShape& shape = call.shape;
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "out", call.out.size(),
                                              "heads * query_count * value_dim",
                                              {shape.heads, shape.queries, shape.value_dim}));
  if (!call.probabilities.empty()) {
    POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "probabilities", call.probabilities.size(),
                                                "heads * query_count * key_count",
                                                {shape.heads, shape.queries, shape.keys}));
  }
  POSENC_RETURN_IF_FAILED(check_workspace(call, call.v.type(), workspace));
  POSENC_RETURN_IF_FAILED(check_written(call, "out", call.out));
  POSENC_RETURN_IF_FAILED(check_written(call, "probabilities", call.probabilities));
  POSENC_RETURN_IF_FAILED(
      detail::check_apart(kName, "probabilities", call.probabilities, "out", call.out));
  return detail::check_apart(kName, "workspace", workspace, "probabilities", call.probabilities);
}

}  // namespace

Status resolve(const AttentionArgs& args, AttentionShape& shape) noexcept {
  POSENC_RETURN_IF_FAILED(detail::check_width(kName, "heads", args.heads));
  POSENC_RETURN_IF_FAILED(detail::check_width(kName, "head_dim", args.head_dim));
  shape.kv_heads = args.kv_heads != 0 ? args.kv_heads : args.heads;
  shape.value_dim = args.value_dim != 0 ? args.value_dim : args.head_dim;
  POSENC_RETURN_IF_FAILED(detail::check_width(kName, "value_dim", shape.value_dim));
  if (args.heads % shape.kv_heads != 0) {
    return Status::failure(Code::value_range, "kv_heads",
                           "attention: kv_heads must divide heads = %zu, got %zu", args.heads,
                           shape.kv_heads);
  }
  const double scale = args.scale.value_or(1.0 / std::sqrt(static_cast<double>(args.head_dim)));
  POSENC_RETURN_IF_FAILED(detail::check_number(kName, "scale", scale, -1e30, 1e30));
  shape.scale = static_cast<float>(scale);
  shape.heads = args.heads;
  shape.queries = args.query_count;
  shape.keys = args.key_count;
  shape.head_dim = args.head_dim;
  shape.blocks = args.key_count / kBlock + (args.key_count % kBlock != 0 ? 1 : 0);
  // In 64 bits: where addresses have 32, 2^50 as a size would be 0.
  constexpr auto kLimit = static_cast<std::uint64_t>(kMaxPosition);
  if (std::uint64_t{shape.queries} > kLimit || std::uint64_t{shape.keys} > kLimit) {
    return Status::failure(Code::size_limit, "key_count",
                           "attention: query_count and key_count must be at most 2^50");
  }
  shape.query_offset = args.query_offset.value_or(static_cast<std::int64_t>(shape.keys) -
                                                  static_cast<std::int64_t>(shape.queries));
  return detail::check_positions(kName, "query_offset",
                                 Positions::from(shape.query_offset, shape.queries));
}

Status workspace_size(const AttentionShape& shape, StorageType values, std::size_t& size) noexcept {
  const std::size_t columns =
      1 + shape.head_dim + (values != StorageType::float32 ? shape.value_dim : 0);
  POSENC_RETURN_IF_FAILED(
      detail::multiply(kName, "workspace", {shape.blocks, kBlock, columns}, size));
  size += shape.head_dim + shape.value_dim;
  return {};
}

Status check_scored(const AttentionCall& call) noexcept {
  const AttentionShape& shape = call.shape;
  const ScoreTerms& terms = call.args.terms;
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "q", call.q.size(),
                                              "heads * query_count * head_dim",
                                              {shape.heads, shape.queries, shape.head_dim}));
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "k", call.k.size(),
                                              "kv_heads * key_count * head_dim",
                                              {shape.kv_heads, shape.keys, shape.head_dim}));
  if (!terms.distances.empty()) POSENC_RETURN_IF_FAILED(check_distances(call.args, shape));
  if (!terms.bias.empty()) {
    POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "bias", terms.bias.size(),
                                                "heads * query_count * key_count",
                                                {shape.heads, shape.queries, shape.keys}));
  }
  if (terms.key_bias.empty()) return {};
  return detail::check_shape(kName, "key_bias", terms.key_bias.size(), "heads * key_count",
                             {shape.heads, shape.keys});
}

Status check_attention(const AttentionCall& call, std::span<float> workspace) noexcept {
  const AttentionShape& shape = call.shape;
  POSENC_RETURN_IF_FAILED(check_scored(call));
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "v", call.v.size(),
                                              "kv_heads * key_count * value_dim",
                                              {shape.kv_heads, shape.keys, shape.value_dim}));
  return check_outputs(call, workspace);
}

Status check_scores(const AttentionCall& call, std::span<float> workspace) noexcept {
  const AttentionShape& shape = call.shape;
  POSENC_RETURN_IF_FAILED(check_scored(call));
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "out", call.out.size(),
                                              "heads * query_count * key_count",
                                              {shape.heads, shape.queries, shape.keys}));
  POSENC_RETURN_IF_FAILED(check_workspace(call, StorageType::float32, workspace));
  return check_written(call, "out", call.out);
}

}  // namespace posenc::detail
