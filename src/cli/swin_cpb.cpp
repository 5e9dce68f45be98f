#include "posenc/bias/swin_cpb.hpp"

#include <cstdint>
#include <memory>
#include <span>

#include "cli/encodings.hpp"
#include "cli/mlp_options.hpp"
#include "cli/options.hpp"
#include "cli/write_whole.hpp"

namespace posenc::cli {
namespace {

struct SwinCpbOptions {
  SwinCpbConfig config;
  MlpOptions layers;
  std::uint32_t height = 0, width = 0, pretrained_height = 0, pretrained_width = 0;
  OutputOptions output;
};

void run(SwinCpbOptions& options) {
  const MlpFiles files(options.layers);
  SwinCpbConfig& config = options.config;
  config.window_height = options.height;
  config.window_width = options.width;
  config.pretrained_height = options.pretrained_height;
  config.pretrained_width = options.pretrained_width;
  config.layers = files.layers();
  config.heads = files.outputs();
  const SwinCpb encoding(config);
  const std::uint64_t cells = std::uint64_t{options.height} * options.width;
  write_whole(
      {config.heads, cells, cells}, [&](std::span<float> out) { return encoding.bias(out); },
      options.output);
}

}  // namespace

void add_swin_cpb(CLI::App& bias) {
  CLI::App& app =
      *bias.add_subcommand("swin_cpb", "Swin v2: a network of the 2-D offset within a window");
  const auto options = std::make_shared<SwinCpbOptions>();
  options->layers.add(app);
  add_whole(app, "--height", options->height, "Rows of a window")->required();
  add_whole(app, "--width", options->width, "Columns of a window")->required();
  add_whole(app, "--pretrained-height", options->pretrained_height,
            "Rows of the window that the network was trained on (0: this one)");
  add_whole(app, "--pretrained-width", options->pretrained_width, "Its columns (0: this one)");
  add_choice<SwinCoordinates>(
      app, "--coordinates", options->config.coordinates,
      {{"normalised", SwinCoordinates::normalised}, {"logarithmic", SwinCoordinates::logarithmic}},
      "What the network sees: as published (default), or timm's cr models");
  add_output(app, options->output);
  app.callback([options] { run(*options); });
}

}  // namespace posenc::cli
