#pragma once

#include "glue.hpp"
#include "posenc/attention/attention.hpp"

// posenc/fast is these bindings compiled once more.
#if !defined(POSENC_NUMERICS)
#define POSENC_NUMERICS reproducible
#endif

namespace posenc::wasm {

/// AttentionArgs, and every buffer as address and count. One object, since attention is long beside
/// its conversion.
struct AttentionCall {
  std::size_t heads, kv_heads, query_count, key_count, head_dim, value_dim;
  double scale;  // NaN when it is not given
  bool causal;
  double query_offset;  // likewise
  Address distances;
  std::size_t distance_values;
  double first_distance;
  Address bias;
  std::size_t bias_values;
  Address key_bias;
  std::size_t key_bias_values;
  Address q;
  std::size_t q_values;
  Address k;
  std::size_t k_values;
  Address v;
  std::size_t v_values;
  Address out;
  std::size_t out_values;
  Address workspace;
  std::size_t workspace_values;
  Address probabilities;
  std::size_t probability_values;
};

inline AttentionArgs attention_args(const AttentionCall& call) {
  AttentionArgs args{
      .heads = call.heads,
      .kv_heads = call.kv_heads,
      .query_count = call.query_count,
      .key_count = call.key_count,
      .head_dim = call.head_dim,
      .value_dim = call.value_dim,
      .causal = call.causal,
      .terms = {.distances = float32(call.distances, call.distance_values),
                .first_distance = static_cast<std::int64_t>(call.first_distance),
                .bias = float32(call.bias, call.bias_values),
                .key_bias = float32(call.key_bias, call.key_bias_values)},
      .numerics = Numerics::POSENC_NUMERICS,
  };
  args.scale = given(call.scale);
  if (const std::optional<double> offset = given(call.query_offset)) {
    args.query_offset = static_cast<std::int64_t>(*offset);
  }
  return args;
}

/// Floats of workspace that the call needs.
inline std::size_t workspace_size(const AttentionCall& call) {
  return attention_workspace_size(attention_args(call), floats(call.v, call.v_values).type());
}

}  // namespace posenc::wasm
