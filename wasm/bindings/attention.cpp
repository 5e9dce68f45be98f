#include <emscripten/bind.h>

#include "attention_call.hpp"

namespace posenc::wasm {
namespace {

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
