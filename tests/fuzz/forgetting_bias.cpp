#include "posenc/relative/forgetting_bias.hpp"

#include "runner.hpp"

namespace posenc::fuzz {
namespace {

struct ForgettingBiasCall {
  static constexpr const char* kEncoding = "forgetting_bias";

  ForgettingBiasConfig config;
  ConstFloats logits;
  std::vector<double> workspace;
  Floats out;

  static ForgettingBiasCall valid(Trial& trial) {
    ForgettingBiasCall call;
    call.config = {.heads = trial.size(1, 4), .causal = trial.random().one_in(2)};
    const std::size_t length = trial.size(1, 12);
    call.logits = trial.data((call.config.causal ? 1 : 2) * call.config.heads * length);
    call.workspace.resize(ForgettingBias::workspace_size(length));
    call.out = trial.data(call.config.heads * length * length);
    return call;
  }

  Refusal spoil(Trial& trial) {
    const bool coin = trial.random().one_in(2);
    switch (trial.random().below(5)) {
      case 0:
        config.heads = coin ? 0 : kTooWide;
        return {Code::value_range, "heads"};
      case 1:
        config.log_scale = coin ? 0.0 : kNan;
        return {Code::value_range, "log_scale"};
      case 2:
        workspace.pop_back();
        return {Code::shape, "workspace"};
      case 3:
        if (logits.size() > out.size()) return {};
        logits = resized(out, logits.size());
        return {Code::overlap, "out"};
      default:
        out = resized(out, out.size() - 1);
        return {Code::shape, "out"};
    }
  }

  void roughen(Trial& trial) {
    if (trial.random().one_in(2)) {
      config.heads = trial.wild_size();
    } else {
      logits = resized(logits, trial.size(0, logits.size()));
    }
  }

  Status run() const {
    const Result<ForgettingBias> made = make(config);
    if (!made.ok()) return made.status();
    std::vector<double> space = workspace;
    return made.value().bias(logits, space, out);
  }
};

}  // namespace

Tally fuzz_forgetting_bias(const Options& options) {
  return Runner<ForgettingBiasCall>(options).run();
}

}  // namespace posenc::fuzz
