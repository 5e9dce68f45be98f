#include "posenc/attention/attention_backward.hpp"

#include <emscripten/bind.h>

#include "attention_more.hpp"

namespace posenc::wasm {
namespace {

/// Where gradients go; those that are not wanted have address and count 0.
struct AttentionGradientBuffers {
  Values q, k, v;
  Values distances, bias, key_bias;
  Values relative_keys, relative_queries, relative_values, position_bias, content_bias;
};

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

EMSCRIPTEN_BINDINGS(attention_backward) {
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
}

}  // namespace posenc::wasm
