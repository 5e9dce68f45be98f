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

/// `v` and `probabilities` are not read.
int scores_run(const AttentionCall& call, const AttentionMore& more) {
  return guarded([&] {
    return attention_scores(floats(call.q, call.q_values), floats(call.k, call.k_values),
                            floats(call.out, call.out_values), attention_args(call, more),
                            float32(call.workspace, call.workspace_values));
  });
}

std::size_t backward_workspace_size(const AttentionCall& call, const AttentionMore& more) {
  return attention_backward_workspace_size(attention_args(call, more),
                                           floats(call.k, call.k_values).type(),
                                           floats(call.v, call.v_values).type());
}

/// `out` is the gradient of the output; `probabilities` is not read.
int backward_run(const AttentionCall& call, const AttentionMore& more,
                 const AttentionGradientBuffers& to) {
  return guarded([&] {
    const auto any = [](const Values& x) { return floats(x.address, x.count); };
    const auto sums = [](const Values& x) { return float32(x.address, x.count); };
    return attention_backward(floats(call.q, call.q_values), floats(call.k, call.k_values),
                              floats(call.v, call.v_values), floats(call.out, call.out_values),
                              attention_args(call, more),
                              float32(call.workspace, call.workspace_values),
                              {.q = any(to.q),
                               .k = any(to.k),
                               .v = any(to.v),
                               .distances = sums(to.distances),
                               .bias = sums(to.bias),
                               .key_bias = sums(to.key_bias),
                               .relative_keys = sums(to.relative_keys),
                               .relative_queries = sums(to.relative_queries),
                               .relative_values = sums(to.relative_values),
                               .position_bias = sums(to.position_bias),
                               .content_bias = sums(to.content_bias)});
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
  emscripten::value_object<AttentionGradientBuffers>("AttentionGradients")
      .field("q", &AttentionGradientBuffers::q)
      .field("k", &AttentionGradientBuffers::k)
      .field("v", &AttentionGradientBuffers::v)
      .field("distances", &AttentionGradientBuffers::distances)
      .field("bias", &AttentionGradientBuffers::bias)
      .field("keyBias", &AttentionGradientBuffers::key_bias)
      .field("relativeKeys", &AttentionGradientBuffers::relative_keys)
      .field("relativeQueries", &AttentionGradientBuffers::relative_queries)
      .field("relativeValues", &AttentionGradientBuffers::relative_values)
      .field("positionBias", &AttentionGradientBuffers::position_bias)
      .field("contentBias", &AttentionGradientBuffers::content_bias);
  emscripten::function("attention_backward_workspace_size", &backward_workspace_size);
  emscripten::function("attention_backward", &backward_run);
  emscripten::function("attention_more_workspace_size", &more_workspace_size);
  emscripten::function("attention_more", &more_run);
  emscripten::function("attention_scores", &scores_run);
}

}  // namespace posenc::wasm
