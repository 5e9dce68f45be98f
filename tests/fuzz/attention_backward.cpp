#include "posenc/attention/attention_backward.hpp"

#include "attention_call.hpp"

namespace posenc::fuzz {
namespace {

struct BackwardCall {
  static constexpr const char* kEncoding = "attention";

  AttentionCall forward;
  ConstFloats out_gradient;
  AttentionGradients wanted;

  static BackwardCall valid(Trial& trial) {
    BackwardCall call{.forward = AttentionCall::valid(trial), .out_gradient = {}, .wanted = {}};
    AttentionCall& forward = call.forward;
    const AttentionArgs& args = forward.args;
    const RelativeTerms& relative = args.terms.relative;
    call.out_gradient = trial.data(forward.out.size());
    const auto any = [&](std::size_t size) {
      return trial.random().one_in(2) ? trial.data(size) : Floats();
    };
    const auto sums = [&](std::size_t size) {
      return trial.random().one_in(2) ? trial.floats(size) : std::span<float>();
    };
    const std::size_t biases = relative.keys.empty() ? 0 : relative.position_bias.size();
    call.wanted = {.q = any(forward.q.size()),
                   .k = any(forward.k.size()),
                   .v = any(forward.v.size()),
                   .distances = sums(args.terms.distances.size()),
                   .bias = sums(args.heads * args.query_count * args.key_count),
                   .key_bias = sums(args.terms.key_bias.size()),
                   .relative_keys = sums(relative.keys.size()),
                   .relative_queries = sums(relative.queries.size()),
                   .relative_values = sums(relative.values.size()),
                   .position_bias = sums(biases),
                   .content_bias = sums(relative.content_bias.size())};
    forward.workspace = trial.scratch(
        attention_backward_workspace_size(forward.viewed(), forward.k.type(), forward.v.type()));
    return call;
  }

  Refusal spoil(Trial& trial) {
    switch (trial.random().below(4)) {
      case 0:
        if (out_gradient.empty()) return {};
        out_gradient = resized(out_gradient, out_gradient.size() - 1);
        return {Code::shape, "out_gradient"};
      case 1:
        if (wanted.k.size() < 2) return {};
        wanted.k = resized(wanted.k, wanted.k.size() - 1);
        return {Code::shape, "k_gradient"};
      case 2:
        if (forward.q.empty()) return {};
        wanted.q = {const_cast<void*>(forward.q.data()), forward.q.size(), forward.q.type()};
        return {Code::overlap, "q_gradient"};
      default: {
        const Refusal refusal = forward.spoil(trial);
        return std::string_view(refusal.field) == "out" ? Refusal{} : refusal;
      }
    }
  }

  void roughen(Trial& trial) { forward.roughen(trial); }

  Status run() const {
    return attention_backward(forward.q, forward.k, forward.v, out_gradient, forward.viewed(),
                              forward.workspace, wanted);
  }
};

}  // namespace

Tally fuzz_attention_backward(const Options& options) {
  return Runner<BackwardCall>(options).run();
}

}  // namespace posenc::fuzz
