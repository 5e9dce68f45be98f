#include "attention_more.hpp"

#include <emscripten/bind.h>

namespace posenc::wasm {
namespace {

std::size_t more_workspace_size(const AttentionCall& call, const AttentionMore& more) {
  return attention_workspace_size(attention_args(call, more), floats(call.v, call.v_values).type());
}

int more_run(const AttentionCall& call, const AttentionMore& more) {
  return guarded([&] {
    return attention(floats(call.q, call.q_values), floats(call.k, call.k_values),
                     floats(call.v, call.v_values), floats(call.out, call.out_values),
                     attention_args(call, more), float32(call.workspace, call.workspace_values),
                     floats(call.probabilities, call.probability_values));
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(attention_more) {
  emscripten::value_object<AttentionMore>("AttentionMore")
      .field("window", &AttentionMore::window)
      .field("softcap", &AttentionMore::softcap)
      .field("keyMask", &AttentionMore::key_mask)
      .field("queryCos", &AttentionMore::query_cos)
      .field("querySin", &AttentionMore::query_sin)
      .field("keyCos", &AttentionMore::key_cos)
      .field("keySin", &AttentionMore::key_sin)
      .field("rotaryDim", &AttentionMore::rotary_dim)
      .field("rotaryStart", &AttentionMore::rotary_start)
      .field("rotaryLayout", &AttentionMore::rotary_layout)
      .field("relativeIndex", &AttentionMore::relative_index)
      .field("relativeFirstDistance", &AttentionMore::relative_first_distance)
      .field("rowCount", &AttentionMore::row_count)
      .field("relativeKeys", &AttentionMore::relative_keys)
      .field("relativeQueries", &AttentionMore::relative_queries)
      .field("relativeValues", &AttentionMore::relative_values)
      .field("positionBias", &AttentionMore::position_bias)
      .field("contentBias", &AttentionMore::content_bias);
  emscripten::function("attention_more_workspace_size", &more_workspace_size);
  emscripten::function("attention_more", &more_run);
}

}  // namespace posenc::wasm
