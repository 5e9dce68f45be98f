#include "posenc/bias/dynamic_position_bias.hpp"

#include "bias_call.hpp"
#include "mlp_layers.hpp"

namespace posenc::fuzz {
namespace {

struct Form {
  static constexpr const char* kEncoding = "dynamic_position_bias";
  static constexpr bool kHasDistances = true;

  static DynamicPositionBiasConfig valid(Trial& trial) {
    DynamicPositionBiasConfig config{.heads = trial.size(1, 4),
                                     .log_distance = trial.random().one_in(2)};
    config.layers = layers_of(trial, 1, config.heads);
    return config;
  }

  static Refusal spoil(DynamicPositionBiasConfig& config, Trial& trial) {
    if (trial.random().one_in(2)) return spoil_layers(config.layers, trial);
    config.heads = trial.random().one_in(2) ? 0 : 1025;
    return {Code::value_range, "heads"};
  }

  static void roughen(DynamicPositionBiasConfig& config, Trial& trial) {
    config.heads = trial.wild_size();
  }
};

}  // namespace

Tally fuzz_dynamic_position_bias(const Options& options) {
  return Runner<BiasCall<Form, DynamicPositionBias, DynamicPositionBiasConfig>>(options).run();
}

}  // namespace posenc::fuzz
