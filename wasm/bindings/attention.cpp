#include "posenc/attention/attention.hpp"

#include <emscripten/bind.h>

#include "glue.hpp"

namespace posenc::wasm {
namespace {

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

AttentionArgs attention_args(const AttentionCall& call) {
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
  };
  args.scale = given(call.scale);
  if (const std::optional<double> offset = given(call.query_offset)) {
    args.query_offset = static_cast<std::int64_t>(*offset);
  }
  return args;
}

std::size_t workspace_size(const AttentionCall& call) {
  return attention_workspace_size(attention_args(call), floats(call.v, call.v_values).type());
}

int attention_run(const AttentionCall& call) {
  return guarded([&] {
    return attention(floats(call.q, call.q_values), floats(call.k, call.k_values),
                     floats(call.v, call.v_values), floats(call.out, call.out_values),
                     attention_args(call), float32(call.workspace, call.workspace_values),
                     floats(call.probabilities, call.probability_values));
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(attention) {
  emscripten::value_object<AttentionCall>("AttentionCall")
      .field("heads", &AttentionCall::heads)
      .field("kvHeads", &AttentionCall::kv_heads)
      .field("queryCount", &AttentionCall::query_count)
      .field("keyCount", &AttentionCall::key_count)
      .field("headDim", &AttentionCall::head_dim)
      .field("valueDim", &AttentionCall::value_dim)
      .field("scale", &AttentionCall::scale)
      .field("causal", &AttentionCall::causal)
      .field("queryOffset", &AttentionCall::query_offset)
      .field("distances", &AttentionCall::distances)
      .field("distanceValues", &AttentionCall::distance_values)
      .field("firstDistance", &AttentionCall::first_distance)
      .field("bias", &AttentionCall::bias)
      .field("biasValues", &AttentionCall::bias_values)
      .field("keyBias", &AttentionCall::key_bias)
      .field("keyBiasValues", &AttentionCall::key_bias_values)
      .field("q", &AttentionCall::q)
      .field("qValues", &AttentionCall::q_values)
      .field("k", &AttentionCall::k)
      .field("kValues", &AttentionCall::k_values)
      .field("v", &AttentionCall::v)
      .field("vValues", &AttentionCall::v_values)
      .field("out", &AttentionCall::out)
      .field("outValues", &AttentionCall::out_values)
      .field("workspace", &AttentionCall::workspace)
      .field("workspaceValues", &AttentionCall::workspace_values)
      .field("probabilities", &AttentionCall::probabilities)
      .field("probabilityValues", &AttentionCall::probability_values);
  emscripten::function("attention_workspace_size", &workspace_size);
  emscripten::function("attention", &attention_run);
}

}  // namespace posenc::wasm
