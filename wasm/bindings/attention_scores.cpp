#include <emscripten/bind.h>

#include "attention_more.hpp"

namespace posenc::wasm {
namespace {

/// `v` and `probabilities` are not read.
int scores_run(const AttentionCall& call, const AttentionMore& more) {
  return guarded([&] {
    return attention_scores(floats(call.q, call.q_values), floats(call.k, call.k_values),
                            floats(call.out, call.out_values), attention_args(call, more),
                            float32(call.workspace, call.workspace_values));
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(attention_scores) { emscripten::function("attention_scores", &scores_run); }

}  // namespace posenc::wasm
