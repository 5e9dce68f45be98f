#include "posenc/bias/fire.hpp"

#include "bias_call.hpp"
#include "mlp_layers.hpp"

namespace posenc::fuzz {
namespace {

struct Form {
  static constexpr const char* kEncoding = "fire";
  static constexpr bool kHasDistances = false;

  static FireConfig valid(Trial& trial) {
    FireConfig config{.heads = trial.size(1, 4), .causal = trial.random().one_in(2)};
    if (trial.random().one_in(2)) config.threshold = 512.0;
    config.layers = layers_of(trial, 1, config.heads);
    return config;
  }

  static Refusal spoil(FireConfig& config, Trial& trial) {
    const bool coin = trial.random().one_in(2);
    switch (trial.random().below(5)) {
      case 0:
        config.heads = coin ? 0 : 1025;
        return {Code::value_range, "heads"};
      case 1:
        config.c = coin ? kNan : kInfinity;
        return {Code::value_range, "c"};
      case 2:
        config.threshold = coin ? kNan : -1.0;
        return {Code::value_range, "threshold"};
      case 3:
        config.eps = coin ? kNan : 2.0;
        return {Code::value_range, "eps"};
      default:
        return spoil_layers(config.layers, trial);
    }
  }

  static void roughen(FireConfig& config, Trial& trial) {
    double* reals[] = {&config.c, &config.threshold, &config.eps};
    *trial.random().pick(reals) = trial.wild_real();
  }
};

}  // namespace

Tally fuzz_fire(const Options& options) {
  return Runner<BiasCall<Form, Fire, FireConfig>>(options).run();
}

}  // namespace posenc::fuzz
