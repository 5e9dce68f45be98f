#include "posenc/attention/attention_backward.hpp"

#include <algorithm>

#include "posenc/attention/backward_call.hpp"
#include "posenc/attention/relative_scores.hpp"
#include "posenc/core/check.hpp"
#include "posenc/core/elements.hpp"
#include "posenc/core/packed_rows.hpp"

namespace posenc {

using detail::AttentionShape;
using detail::BackwardCall;
using detail::NamedFloats;
using detail::Pieces;

namespace {

constexpr char kName[] = "attention";
constexpr std::size_t kBlock = kernels::kBlock;

/// Keys are read as floats where they lie unless they are stored otherwise, rotated or hidden.
bool copies_keys(const AttentionArgs& args, StorageType keys) noexcept {
  return keys != StorageType::float32 || args.rotary.rotary_dim != 0 || !args.key_mask.empty();
}

/// The pieces of the call's workspace from `begin` on, or their sum where it is null.
Status take(BackwardCall& call, float* begin, std::size_t& floats) noexcept {
  const AttentionShape& shape = call.forward.shape;
  const AttentionArgs& args = call.forward.args;
  const RelativeTerms& relative = args.terms.relative;
  const bool has_keys = !relative.keys.empty(), has_values = !relative.values.empty();
  const bool is_short = relative.keys.type() != StorageType::float32;
  const std::size_t block = shape.query_block, rows = relative.row_count;
  const std::size_t whole_rows = (rows + kBlock - 1) / kBlock * kBlock;
  Pieces pieces(begin);
  call.forward.workspace = detail::take_workspace(args, shape, call.forward.v.type(), pieces);
  call.workspace = {
      .out_gradients = pieces.take(block, shape.value_dim),
      .gradients = pieces.take(block, shape.score_stride()),
      .query_gradients = pieces.take(block, shape.head_dim),
      .position_gradients = pieces.take(block, shape.head_dim, has_keys),
      .packed_values = pieces.take(shape.padded_keys(), shape.value_dim),
      .key_rows = pieces.take(shape.keys, shape.head_dim, copies_keys(args, call.forward.k.type())),
      .key_sums = pieces.take(shape.keys, shape.head_dim),
      .value_sums = pieces.take(shape.keys, shape.value_dim),
      .tile = pieces.take(1, shape.head_dim + shape.value_dim),
      .key_table = pieces.take(rows, shape.head_dim, has_keys && is_short),
      .packed_value_rows = pieces.take(whole_rows, shape.value_dim, has_values),
      .value_products = pieces.take(whole_rows, block, has_values),
      .row_sums = pieces.take(rows, block, has_keys || has_values),
  };
  return pieces.count(floats);
}

/// A gradient that is wanted has the shape of what it is the gradient of.
Status check_gradient(const char* field, std::size_t size, std::size_t expected) noexcept {
  if (size == 0 || size == expected) return {};
  return Status::failure(Code::shape, field,
                         "attention: %s must have %zu elements, as what it is the "
                         "gradient of, got %zu",
                         field, expected, size);
}

Status check_shapes(const BackwardCall& call) noexcept {
  const detail::AttentionCall& forward = call.forward;
  const AttentionShape& shape = forward.shape;
  const AttentionGradients& wanted = call.wanted;
  const ScoreTerms& terms = forward.args.terms;
  const RelativeTerms& relative = terms.relative;
  POSENC_RETURN_IF_FAILED(detail::check_scored(forward));
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "v", forward.v.size(),
                                              "kv_heads * key_count * value_dim",
                                              {shape.kv_heads, shape.keys, shape.value_dim}));
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "out_gradient", call.out_gradient.size(),
                                              "heads * query_count * value_dim",
                                              {shape.heads, shape.queries, shape.value_dim}));
  POSENC_RETURN_IF_FAILED(check_gradient("q_gradient", wanted.q.size(), forward.q.size()));
  POSENC_RETURN_IF_FAILED(check_gradient("k_gradient", wanted.k.size(), forward.k.size()));
  POSENC_RETURN_IF_FAILED(check_gradient("v_gradient", wanted.v.size(), forward.v.size()));
  POSENC_RETURN_IF_FAILED(
      check_gradient("distances_gradient", wanted.distances.size(), terms.distances.size()));
  std::size_t scores = 0;
  POSENC_RETURN_IF_FAILED(
      detail::multiply(kName, "bias_gradient", {shape.heads, shape.queries, shape.keys}, scores));
  POSENC_RETURN_IF_FAILED(check_gradient("bias_gradient", wanted.bias.size(), scores));
  POSENC_RETURN_IF_FAILED(
      check_gradient("key_bias_gradient", wanted.key_bias.size(), terms.key_bias.size()));
  POSENC_RETURN_IF_FAILED(
      check_gradient("relative_keys_gradient", wanted.relative_keys.size(), relative.keys.size()));
  POSENC_RETURN_IF_FAILED(check_gradient("relative_queries_gradient",
                                         wanted.relative_queries.size(), relative.queries.size()));
  POSENC_RETURN_IF_FAILED(check_gradient("relative_values_gradient", wanted.relative_values.size(),
                                         relative.values.size()));
  const bool is_used = !relative.keys.empty();
  POSENC_RETURN_IF_FAILED(check_gradient("position_bias_gradient", wanted.position_bias.size(),
                                         is_used ? relative.position_bias.size() : 0));
  return check_gradient("content_bias_gradient", wanted.content_bias.size(),
                        relative.content_bias.size());
}

/// What is written is apart from all that is read, and from what else is written.
Status check_apart(const BackwardCall& call, std::span<float> workspace) noexcept {
  const AttentionGradients& wanted = call.wanted;
  const NamedFloats written[] = {{"workspace", workspace},
                                 {"q_gradient", wanted.q},
                                 {"k_gradient", wanted.k},
                                 {"v_gradient", wanted.v},
                                 {"distances_gradient", wanted.distances},
                                 {"bias_gradient", wanted.bias},
                                 {"key_bias_gradient", wanted.key_bias},
                                 {"relative_keys_gradient", wanted.relative_keys},
                                 {"relative_queries_gradient", wanted.relative_queries},
                                 {"relative_values_gradient", wanted.relative_values},
                                 {"position_bias_gradient", wanted.position_bias},
                                 {"content_bias_gradient", wanted.content_bias}};
  for (const NamedFloats& one : written) {
    POSENC_RETURN_IF_FAILED(detail::check_written(call.forward, one.name, one.values));
    POSENC_RETURN_IF_FAILED(
        detail::check_apart(kName, one.name, one.values, "out_gradient", call.out_gradient));
    for (const NamedFloats* other = written; other != &one; ++other) {
      POSENC_RETURN_IF_FAILED(
          detail::check_apart(kName, one.name, one.values, other->name, other->values));
    }
  }
  return {};
}

void clear(const AttentionGradients& wanted) noexcept {
  for (const std::span<float> sums :
       {wanted.distances, wanted.bias, wanted.key_bias, wanted.relative_keys,
        wanted.relative_queries, wanted.relative_values, wanted.position_bias,
        wanted.content_bias}) {
    std::fill(sums.begin(), sums.end(), 0.0f);
  }
}

void begin_kv_head(BackwardCall& call, std::size_t kv_head) noexcept {
  const AttentionShape& shape = call.forward.shape;
  const detail::BackwardWorkspace& own = call.workspace;
  const std::size_t dim = shape.head_dim, width = shape.value_dim;
  detail::prepare_keys(call.forward, kv_head, own.tile);
  call.values = detail::prepare_values(call.forward, kv_head);
  detail::pack_rows({call.values, shape.keys * width}, 0, width, shape.keys, width, own.tile,
                    own.packed_values);
  call.keys = own.key_rows;
  if (own.key_rows == nullptr) {
    call.keys = detail::read(call.forward.k, kv_head * shape.keys * dim, shape.keys * dim, nullptr);
  } else {
    for (std::size_t at = 0; at < shape.keys * dim; ++at) {
      const std::size_t key = at / dim;
      const float* packed = call.forward.workspace.packed_keys + key / kBlock * kBlock * dim;
      own.key_rows[at] = packed[at % dim * kBlock + key % kBlock];
    }
  }
  std::fill_n(own.key_sums, shape.keys * dim, 0.0f);
  std::fill_n(own.value_sums, shape.keys * width, 0.0f);
}

void end_kv_head(const BackwardCall& call, std::size_t kv_head) noexcept {
  const AttentionShape& shape = call.forward.shape;
  const RotaryTables& rotary = call.forward.args.rotary;
  const std::size_t dim = shape.head_dim, values = shape.keys * shape.value_dim;
  if (!call.wanted.v.empty()) {
    detail::write(call.wanted.v, kv_head * values, values, call.workspace.value_sums);
  }
  if (call.wanted.k.empty()) return;
  for (std::size_t key = 0; key < shape.keys; ++key) {
    float* gradient = call.workspace.key_sums + key * dim;
    detail::unrotate_row(call, rotary.key_cos, rotary.key_sin, key, gradient);
    detail::write(call.wanted.k, (kv_head * shape.keys + key) * dim, dim, gradient);
  }
}

BackwardCall call_of(const AttentionArgs& args, ConstFloats q, ConstFloats k, ConstFloats v,
                     ConstFloats out_gradient, const AttentionGradients& gradients) noexcept {
  return {.forward = {.shape = {}, .args = args, .q = q, .k = k, .v = v, .out = {}},
          .out_gradient = out_gradient,
          .wanted = gradients};
}

}  // namespace

std::size_t attention_backward_workspace_size(const AttentionArgs& args, StorageType keys,
                                              StorageType values) noexcept {
  const AttentionGradients none;
  BackwardCall call = call_of(args, {}, {nullptr, 0, keys}, {nullptr, 0, values}, {}, none);
  std::size_t size = 0;
  if (!detail::resolve(args, call.forward.shape).ok() || !take(call, nullptr, size).ok()) return 0;
  return size;
}

Status attention_backward(ConstFloats q, ConstFloats k, ConstFloats v, ConstFloats out_gradient,
                          const AttentionArgs& args, std::span<float> workspace,
                          const AttentionGradients& gradients) noexcept {
  BackwardCall call = call_of(args, q, k, v, out_gradient, gradients);
  POSENC_RETURN_IF_FAILED(detail::resolve(args, call.forward.shape));
  POSENC_RETURN_IF_FAILED(check_shapes(call));
  std::size_t needed = 0;
  POSENC_RETURN_IF_FAILED(take(call, nullptr, needed));
  POSENC_RETURN_IF_FAILED(detail::check_workspace(call.forward, needed, workspace));
  POSENC_RETURN_IF_FAILED(check_apart(call, workspace));
  POSENC_RETURN_IF_FAILED(take(call, workspace.data(), needed));
  clear(gradients);
  const AttentionShape& shape = call.forward.shape;
  const std::size_t group = shape.heads / shape.kv_heads;
  for (std::size_t head = 0; head < shape.heads; ++head) {
    if (head % group == 0) begin_kv_head(call, head / group);
    if (shape.queries != 0) {
      detail::prepare_relative(call.forward, head);
      detail::prepare_backward_relative(call, head);
    }
    for (std::size_t first = 0; first < shape.queries; first += shape.query_block) {
      detail::backward_block(call,
                             {head, first, std::min(shape.query_block, shape.queries - first)});
    }
    if (head % group == group - 1) end_kv_head(call, head / group);
  }
  return {};
}

}  // namespace posenc
