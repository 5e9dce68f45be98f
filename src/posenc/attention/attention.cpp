#include "posenc/attention/attention.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "posenc/core/check.hpp"
#include "posenc/core/elements.hpp"
#include "posenc/core/packed_rows.hpp"
#include "posenc/core/positions.hpp"
#include "posenc/kernels/kernels.hpp"

namespace posenc {
namespace {

constexpr char kName[] = "attention";
constexpr std::size_t kBlock = kernels::kBlock;

/// The args with nothing left to default.
struct Shape {
  std::size_t heads, kv_heads, queries, keys, head_dim, value_dim, blocks;
  std::int64_t query_offset;
  float scale;
};

struct Call {
  Shape shape;
  const AttentionArgs& args;
  ConstFloats q, k, v;
  Floats out, probabilities;
  float* query = nullptr;
  float* output = nullptr;
  float* row = nullptr;
  float* packed_keys = nullptr;
};

Status resolve(const AttentionArgs& args, Shape& shape) noexcept {
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

/// A query, a row of output, a row of scores, packed keys, and the values of a key-value head when
/// they are not floats where they lie.
Status workspace_size(const Shape& shape, StorageType values, std::size_t& size) noexcept {
  const std::size_t columns =
      1 + shape.head_dim + (values != StorageType::float32 ? shape.value_dim : 0);
  POSENC_RETURN_IF_FAILED(
      detail::multiply(kName, "workspace", {shape.blocks, kBlock, columns}, size));
  size += shape.head_dim + shape.value_dim;
  return {};
}

/// The distance vector must hold every key - query that a query sees.
Status check_distances(const AttentionArgs& args, const Shape& shape) noexcept {
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

Status check_inputs(const Call& call) noexcept {
  const Shape& shape = call.shape;
  const ScoreTerms& terms = call.args.terms;
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "q", call.q.size(),
                                              "heads * query_count * head_dim",
                                              {shape.heads, shape.queries, shape.head_dim}));
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "k", call.k.size(),
                                              "kv_heads * key_count * head_dim",
                                              {shape.kv_heads, shape.keys, shape.head_dim}));
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "v", call.v.size(),
                                              "kv_heads * key_count * value_dim",
                                              {shape.kv_heads, shape.keys, shape.value_dim}));
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

Status check_written(const Call& call, const char* field, ConstFloats written) noexcept {
  const ScoreTerms& terms = call.args.terms;
  POSENC_RETURN_IF_FAILED(detail::check_apart(kName, field, written, "q", call.q));
  POSENC_RETURN_IF_FAILED(detail::check_apart(kName, field, written, "k", call.k));
  POSENC_RETURN_IF_FAILED(detail::check_apart(kName, field, written, "v", call.v));
  POSENC_RETURN_IF_FAILED(detail::check_apart(kName, field, written, "distances", terms.distances));
  POSENC_RETURN_IF_FAILED(detail::check_apart(kName, field, written, "bias", terms.bias));
  return detail::check_apart(kName, field, written, "key_bias", terms.key_bias);
}

Status check_outputs(const Call& call, std::span<float> workspace) noexcept {
  const Shape& shape = call.shape;
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "out", call.out.size(),
                                              "heads * query_count * value_dim",
                                              {shape.heads, shape.queries, shape.value_dim}));
  if (!call.probabilities.empty()) {
    POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "probabilities", call.probabilities.size(),
                                                "heads * query_count * key_count",
                                                {shape.heads, shape.queries, shape.keys}));
  }
  std::size_t needed = 0;
  POSENC_RETURN_IF_FAILED(workspace_size(shape, call.v.type(), needed));
  if (workspace.size() < needed) {
    return Status::failure(Code::shape, "workspace",
                           "attention: workspace must have at least %zu elements, got %zu", needed,
                           workspace.size());
  }
  POSENC_RETURN_IF_FAILED(check_written(call, "out", call.out));
  POSENC_RETURN_IF_FAILED(check_written(call, "probabilities", call.probabilities));
  POSENC_RETURN_IF_FAILED(check_written(call, "workspace", workspace));
  POSENC_RETURN_IF_FAILED(
      detail::check_apart(kName, "probabilities", call.probabilities, "out", call.out));
  POSENC_RETURN_IF_FAILED(detail::check_apart(kName, "workspace", workspace, "out", call.out));
  return detail::check_apart(kName, "workspace", workspace, "probabilities", call.probabilities);
}

/// How many keys a query sees: all, or those up to its own position.
std::size_t visible_keys(const Call& call, std::size_t query) noexcept {
  if (!call.args.causal) return call.shape.keys;
  const std::int64_t position = call.shape.query_offset + static_cast<std::int64_t>(query);
  return static_cast<std::size_t>(
      std::clamp<std::int64_t>(position + 1, 0, static_cast<std::int64_t>(call.shape.keys)));
}

void add_terms(const Call& call, std::size_t head, std::size_t query,
               std::size_t visible) noexcept {
  const Shape& shape = call.shape;
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

void attend(const Call& call, std::size_t head, std::size_t query, const float* values) noexcept {
  const Shape& shape = call.shape;
  const kernels::Kernels& kernels = kernels::active();
  const std::size_t line = head * shape.queries + query;
  const std::size_t visible = visible_keys(call, query);
  const std::size_t blocks = visible / kBlock + (visible % kBlock != 0 ? 1 : 0);
  const float* q = detail::read(call.q, line * shape.head_dim, shape.head_dim, call.query);
  kernels.scores(q, call.packed_keys, blocks, shape.head_dim, shape.scale, call.row);
  add_terms(call, head, query, visible);
  std::fill(call.row + visible, call.row + blocks * kBlock,
            -std::numeric_limits<float>::infinity());
  kernels.softmax(call.row, blocks);
  if (!call.probabilities.empty()) {
    detail::write(call.probabilities, line * shape.keys, visible, call.row);
    detail::generate(
        call.probabilities, line * shape.keys + visible, shape.keys - visible,
        [](std::size_t, std::size_t count, float* zeros) { std::fill_n(zeros, count, 0.0f); });
  }
  kernels.weighted_sum(call.row, values, visible, shape.value_dim, shape.value_dim, call.output);
  detail::write(call.out, line * shape.value_dim, shape.value_dim, call.output);
}

}  // namespace

std::size_t attention_workspace_size(const AttentionArgs& args, StorageType values) noexcept {
  Shape shape{};
  std::size_t size = 0;
  if (!resolve(args, shape).ok() || !workspace_size(shape, values, size).ok()) return 0;
  return size;
}

Status attention(ConstFloats q, ConstFloats k, ConstFloats v, Floats out, const AttentionArgs& args,
                 std::span<float> workspace, Floats probabilities) noexcept {
  Shape shape{};
  POSENC_RETURN_IF_FAILED(resolve(args, shape));
  Call call{.shape = shape,
            .args = args,
            .q = q,
            .k = k,
            .v = v,
            .out = out,
            .probabilities = probabilities};
  POSENC_RETURN_IF_FAILED(check_inputs(call));
  POSENC_RETURN_IF_FAILED(check_outputs(call, workspace));
  call.query = workspace.data();
  call.output = call.query + shape.head_dim;
  call.row = call.output + shape.value_dim;
  call.packed_keys = call.row + shape.blocks * kBlock;
  float* widened = call.packed_keys + shape.blocks * kBlock * shape.head_dim;

  const std::size_t group = shape.heads / shape.kv_heads;
  const std::size_t head_values = shape.keys * shape.value_dim;
  const float* values = nullptr;
  for (std::size_t head = 0; head < shape.heads; ++head) {
    if (head % group == 0) {
      detail::pack_rows(k, head / group * shape.keys * shape.head_dim, shape.head_dim, shape.keys,
                        shape.head_dim, call.query, call.packed_keys);
      values = detail::read(v, head / group * head_values, head_values, widened);
    }
    for (std::size_t query = 0; query < shape.queries; ++query) attend(call, head, query, values);
  }
  return {};
}

}  // namespace posenc
