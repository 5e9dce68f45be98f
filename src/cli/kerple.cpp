#include "posenc/bias/kerple.hpp"

#include <memory>

#include "cli/encodings.hpp"
#include "cli/scores.hpp"

namespace posenc::cli {
namespace {

struct KerpleOptions {
  KerpleConfig config;
  ScoreOptions scores;
};

}  // namespace

void add_kerple(CLI::App& bias) {
  CLI::App& app = *bias.add_subcommand("kerple", "A trained kernel of the distance for each head");
  const auto options = std::make_shared<KerpleOptions>();
  KerpleConfig& config = options->config;
  add_choice<KerpleKind>(app, "--kind", config.kind,
                         {{"log", KerpleKind::log}, {"power", KerpleKind::power}},
                         "-p ln(1 + a distance) (default), or -a distance^p");
  add_numbers(app, "--p", config.p, "Trained, a value for each head")->required();
  add_numbers(app, "--a", config.a, "Trained, a value for each head")->required();
  add_number(app, "--minimum", config.minimum,
             "p and a are raised to this first (0; the published code: 0.01)");
  add_number(app, "--p-maximum", config.p_maximum,
             "p is lowered to this first (none; the published code, power kernel: 2)");
  add_choice<bool>(app, "--form", config.causal, {{"causal", true}, {"symmetric", false}},
                   "-inf for keys after the query (causal, the default), or the same both ways");
  add_scores(app, options->scores);
  app.callback([options] {
    options->config.heads = options->config.p.size();
    write_bias(Kerple(options->config), options->scores);
  });
}

}  // namespace posenc::cli
