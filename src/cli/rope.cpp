#include "posenc/rotary/rope.hpp"

#include <cstdint>
#include <memory>
#include <string>

#include "cli/angles.hpp"
#include "cli/encodings.hpp"
#include "cli/options.hpp"
#include "cli/rope_scaling.hpp"

namespace posenc::cli {
namespace {

struct RopeOptions {
  RopeConfig config;
  std::uint32_t head_dim = 0;
  std::uint32_t rotary_dim = 0;
  RopeScalingOptions scaling;
  AngleOptions angles;
};

RopeConfig config_of(const RopeOptions& options) {
  RopeConfig config = options.config;
  config.head_dim = options.head_dim;
  config.rotary_dim = options.rotary_dim;
  config.scaling = options.scaling.scaling();
  return config;
}

}  // namespace

void add_rope(CLI::App& table) {
  CLI::App& app = *table.add_subcommand(
      "rope", "Cosines and sines of rotary angles, [2, positions, pairs] or [positions, pairs]");
  const auto options = std::make_shared<RopeOptions>();
  add_whole(app, "--head-dim", options->head_dim, "Width of a head")->required();
  add_whole(app, "--rotary-dim", options->rotary_dim, "How many leading dims rotate (head_dim)");
  add_number(app, "--base", options->config.base, "Base of the frequencies (10000)");
  options->scaling.add(app);
  add_whole(app, "--sequence-length", options->config.length,
            "The length of text that dynamic_ntk and long_rope adapt to (0)");
  add_choice<Angles>(app, "--angles", options->config.angles,
                     {{"exact", Angles::exact},
                      {"float32_frequencies", Angles::float32_frequencies},
                      {"float32", Angles::float32}},
                     "How angles are made: as common Python code does with float32 (exact)");
  add_angle_options(app, options->angles);
  app.callback([options] {
    options->angles.positions.require();
    write_angles(Rope(config_of(*options)), options->angles);
  });
}

}  // namespace posenc::cli
