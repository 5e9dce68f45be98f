#include "posenc/bias/dynamic_position_bias.hpp"

#include <memory>

#include "cli/encodings.hpp"
#include "cli/mlp_options.hpp"
#include "cli/scores.hpp"

namespace posenc::cli {
namespace {

struct DynamicPositionBiasOptions {
  DynamicPositionBiasConfig config;
  MlpOptions layers;
  ScoreOptions scores;
};

}  // namespace

void add_dynamic_position_bias(CLI::App& bias) {
  CLI::App& app =
      *bias.add_subcommand("dynamic_position_bias", "A network of the distance query - key");
  const auto options = std::make_shared<DynamicPositionBiasOptions>();
  options->layers.add(app);
  app.add_flag("--log-distance", options->config.log_distance,
               "The network sees sign(d) ln(1 + |d|) instead of d");
  add_scores(app, options->scores);
  app.callback([options] {
    const MlpFiles files(options->layers);
    options->config.layers = files.layers();
    options->config.heads = files.outputs();
    write_bias(DynamicPositionBias(options->config), options->scores);
  });
}

}  // namespace posenc::cli
