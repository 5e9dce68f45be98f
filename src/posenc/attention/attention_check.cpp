#include <algorithm>

#include "posenc/attention/attention_call.hpp"
#include "posenc/core/check.hpp"
#include "posenc/core/positions.hpp"

namespace posenc::detail {
namespace {

constexpr char kName[] = "attention";
constexpr double kMaxDistance = 2.0 * static_cast<double>(kMaxPosition);

/// A vector by distance must hold every key - query that a query sees.
Status check_covered(const char* field, const char* first_field, std::int64_t given,
                     std::size_t count, const AttentionArgs& args,
                     const AttentionShape& shape) noexcept {
  POSENC_RETURN_IF_FAILED(
      check_positions(kName, first_field, Positions::from(given, count), kMaxDistance));
  if (shape.queries == 0 || shape.keys == 0) return {};
  std::int64_t first = -(shape.query_offset + static_cast<std::int64_t>(shape.queries) - 1);
  std::int64_t last = static_cast<std::int64_t>(shape.keys) - 1 - shape.query_offset;
  if (args.causal) last = std::min<std::int64_t>(last, 0);
  if (args.window != 0 && args.window < static_cast<std::size_t>(PTRDIFF_MAX)) {
    const auto reach = static_cast<std::int64_t>(args.window) - 1;
    first = std::max(first, -reach);
    last = std::min(last, reach);
  }
  const std::int64_t given_last = given + static_cast<std::int64_t>(count) - 1;
  if (first > last || (given <= first && given_last >= last)) return {};
  return Status::failure(Code::shape, field,
                         "attention: %s must cover %lld to %lld, got %lld to %lld", field,
                         static_cast<long long>(first), static_cast<long long>(last),
                         static_cast<long long>(given), static_cast<long long>(given_last));
}

Status check_distances(const AttentionArgs& args, const AttentionShape& shape) noexcept {
  const ScoreTerms& terms = args.terms;
  const std::size_t count = terms.distances.size() / shape.heads;
  POSENC_RETURN_IF_FAILED(check_shape(kName, "distances", terms.distances.size(), "heads * count",
                                      {shape.heads, count}));
  return check_covered("distances", "first_distance", terms.first_distance, count, args, shape);
}

/// A table that all heads share, or one for each.
Status check_rows(const char* field, ConstFloats rows, const char* form, std::size_t count,
                  std::size_t width, std::size_t heads) noexcept {
  if (rows.empty()) return {};
  std::size_t shared = 0;
  POSENC_RETURN_IF_FAILED(multiply(kName, field, {count, width}, shared));
  return check_shape(kName, field, rows.size(), form,
                     {rows.size() == shared ? std::size_t{1} : heads, count, width});
}

Status check_query_bias(const char* field, ConstFloats bias, const AttentionShape& shape) noexcept {
  if (bias.empty()) return {};
  return check_shape(kName, field, bias.size(), "heads * head_dim", {shape.heads, shape.head_dim});
}

Status check_relative(const AttentionArgs& args, const AttentionShape& shape) noexcept {
  const RelativeTerms& relative = args.terms.relative;
  POSENC_RETURN_IF_FAILED(check_query_bias("content_bias", relative.content_bias, shape));
  POSENC_RETURN_IF_FAILED(check_query_bias("position_bias", relative.position_bias, shape));
  if (relative.keys.empty() && relative.queries.empty() && relative.values.empty()) return {};
  const std::size_t rows = relative.row_count;
  POSENC_RETURN_IF_FAILED(check_width(kName, "row_count", rows));
  constexpr char kForm[] = "heads * row_count * head_dim";
  POSENC_RETURN_IF_FAILED(
      check_rows("relative_keys", relative.keys, kForm, rows, shape.head_dim, shape.heads));
  POSENC_RETURN_IF_FAILED(
      check_rows("relative_queries", relative.queries, kForm, rows, shape.head_dim, shape.heads));
  POSENC_RETURN_IF_FAILED(check_rows("relative_values", relative.values,
                                     "heads * row_count * value_dim", rows, shape.value_dim,
                                     shape.heads));
  for (const std::int32_t row : relative.index) {
    if (row < 0 || static_cast<std::size_t>(row) < rows) continue;
    return Status::failure(Code::value_range, "relative_index",
                           "attention: relative_index must be below row_count = %zu, got %lld",
                           rows, static_cast<long long>(row));
  }
  return check_covered("relative_index", "first_distance", relative.first_distance,
                       relative.index.size(), args, shape);
}

Status check_rotary(const AttentionArgs& args, const AttentionShape& shape) noexcept {
  const RotaryTables& rotary = args.rotary;
  if (rotary.rotary_dim == 0) return {};
  POSENC_RETURN_IF_FAILED(
      check_count(kName, "rotary_start", rotary.rotary_start, 0, shape.head_dim - 1));
  POSENC_RETURN_IF_FAILED(
      check_count(kName, "rotary_dim", rotary.rotary_dim, 2, shape.head_dim - rotary.rotary_start));
  if (rotary.rotary_dim % 2 != 0) {
    return Status::failure(Code::value_range, "rotary_dim",
                           "attention: rotary_dim must be even, got %zu", rotary.rotary_dim);
  }
  const std::size_t pairs = rotary.rotary_dim / 2;
  constexpr char kQueries[] = "query_count * rotary_dim / 2";
  constexpr char kKeys[] = "key_count * rotary_dim / 2";
  POSENC_RETURN_IF_FAILED(
      check_shape(kName, "query_cos", rotary.query_cos.size(), kQueries, {shape.queries, pairs}));
  POSENC_RETURN_IF_FAILED(
      check_shape(kName, "query_sin", rotary.query_sin.size(), kQueries, {shape.queries, pairs}));
  POSENC_RETURN_IF_FAILED(
      check_shape(kName, "key_cos", rotary.key_cos.size(), kKeys, {shape.keys, pairs}));
  return check_shape(kName, "key_sin", rotary.key_sin.size(), kKeys, {shape.keys, pairs});
}

/// Memory that is read as something else, for the check of overlaps.
template <class T>
ConstFloats bytes_of(std::span<const T> x) noexcept {
  return {static_cast<const void*>(x.data()), x.size_bytes() / 2, StorageType::float16};
}

}  // namespace

Status check_written(const AttentionCall& call, const char* field, ConstFloats written) noexcept {
  const ScoreTerms& terms = call.args.terms;
  const RelativeTerms& relative = terms.relative;
  const RotaryTables& rotary = call.args.rotary;
  return check_apart(kName, field, written,
                     {{"q", call.q},
                      {"k", call.k},
                      {"v", call.v},
                      {"key_mask", bytes_of(call.args.key_mask)},
                      {"query_cos", rotary.query_cos},
                      {"query_sin", rotary.query_sin},
                      {"key_cos", rotary.key_cos},
                      {"key_sin", rotary.key_sin},
                      {"distances", terms.distances},
                      {"bias", terms.bias},
                      {"key_bias", terms.key_bias},
                      {"relative_index", bytes_of(relative.index)},
                      {"relative_keys", relative.keys},
                      {"relative_queries", relative.queries},
                      {"relative_values", relative.values},
                      {"position_bias", relative.position_bias},
                      {"content_bias", relative.content_bias}});
}

Status check_workspace(const AttentionCall& call, std::size_t needed,
                       std::span<float> workspace) noexcept {
  if (workspace.size() < needed) {
    return Status::failure(Code::shape, "workspace",
                           "attention: workspace must have at least %zu elements, got %zu", needed,
                           workspace.size());
  }
  return check_written(call, "workspace", workspace);
}

Status check_scored(const AttentionCall& call) noexcept {
  const AttentionShape& shape = call.shape;
  const ScoreTerms& terms = call.args.terms;
  POSENC_RETURN_IF_FAILED(check_shape(kName, "q", call.q.size(), "heads * query_count * head_dim",
                                      {shape.heads, shape.queries, shape.head_dim}));
  POSENC_RETURN_IF_FAILED(check_shape(kName, "k", call.k.size(), "kv_heads * key_count * head_dim",
                                      {shape.kv_heads, shape.keys, shape.head_dim}));
  if (!call.args.key_mask.empty()) {
    POSENC_RETURN_IF_FAILED(
        check_shape(kName, "key_mask", call.args.key_mask.size(), "key_count", {shape.keys}));
  }
  POSENC_RETURN_IF_FAILED(check_rotary(call.args, shape));
  if (!terms.distances.empty()) POSENC_RETURN_IF_FAILED(check_distances(call.args, shape));
  if (!terms.bias.empty()) {
    POSENC_RETURN_IF_FAILED(check_shape(kName, "bias", terms.bias.size(),
                                        "heads * query_count * key_count",
                                        {shape.heads, shape.queries, shape.keys}));
  }
  if (!terms.key_bias.empty()) {
    POSENC_RETURN_IF_FAILED(check_shape(kName, "key_bias", terms.key_bias.size(),
                                        "heads * key_count", {shape.heads, shape.keys}));
  }
  return check_relative(call.args, shape);
}

}  // namespace posenc::detail
