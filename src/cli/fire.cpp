#include "posenc/bias/fire.hpp"

#include <cstddef>
#include <memory>
#include <span>

#include "cli/encodings.hpp"
#include "cli/mlp_options.hpp"
#include "cli/pairs.hpp"

namespace posenc::cli {
namespace {

struct FireOptions {
  FireConfig config;
  MlpOptions layers;
  PairOptions pairs;
};

void run(FireOptions& options) {
  const MlpFiles files(options.layers);
  options.config.layers = files.layers();
  options.config.heads = files.outputs();
  const Fire fire(options.config);
  const PairOptions& pairs = options.pairs;
  write_pairs(files.outputs(), pairs, [&](std::span<float> out) {
    return fire.bias(pairs.query_positions(), pairs.key_positions(), out);
  });
}

}  // namespace

void add_fire(CLI::App& bias) {
  CLI::App& app = *bias.add_subcommand("fire", "A network of the distance by the query's position");
  const auto options = std::make_shared<FireOptions>();
  options->layers.add(app);
  add_number(app, "--c", options->config.c, "Trained: psi(x) = ln(|c x| + 1)")->required();
  add_number(app, "--threshold", options->config.threshold,
             "Trained: L, the least normaliser of the distance (0)");
  add_number(app, "--eps", options->config.eps, "Added to the denominator (1e-6; the paper: 0)");
  add_choice<bool>(app, "--form", options->config.causal, {{"causal", true}, {"symmetric", false}},
                   "-inf for keys after the query (causal, the default), or not");
  add_pairs(app, options->pairs);
  app.callback([options] { run(*options); });
}

}  // namespace posenc::cli
