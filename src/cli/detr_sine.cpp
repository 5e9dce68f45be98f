#include "posenc/additive/detr_sine.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cli/encodings.hpp"
#include "cli/options.hpp"
#include "cli/write_whole.hpp"

namespace posenc::cli {
namespace {

struct DetrSineOptions {
  DetrSineConfig config;
  std::uint32_t num_pos_feats = 64;
  std::uint32_t height = 0;
  std::uint32_t width = 0;
  OutputOptions output;
};

void run(DetrSineOptions& options) {
  options.config.num_pos_feats = options.num_pos_feats;
  const DetrSine encoding(options.config);
  const std::uint64_t height = options.height, width = options.width;
  const std::uint64_t channels = 2 * std::uint64_t{options.num_pos_feats};
  const std::vector<std::uint8_t> mask(static_cast<std::size_t>(count_of({height, width})), 1);
  const DetrShape shape{.height = options.height, .width = options.width};
  const auto verb = [&](std::span<float> out) { return encoding.table(mask, shape, out); };
  if (options.config.order == DetrOrder::channels_first) {
    write_whole({channels, height, width}, verb, options.output);
  } else {
    write_whole({height * width, channels}, verb, options.output);
  }
}

}  // namespace

void add_detr_sine(CLI::App& table) {
  CLI::App& app = *table.add_subcommand(
      "detr_sine",
      "DETR's sines and cosines of an image without padding, [2 * num_pos_feats, height, width]");
  const auto options = std::make_shared<DetrSineOptions>();
  DetrSineConfig& config = options->config;
  add_whole(app, "--height", options->height, "Rows of pixels")->required();
  add_whole(app, "--width", options->width, "Columns of pixels")->required();
  add_whole(app, "--num-pos-feats", options->num_pos_feats, "Channels of an axis, y's first (64)");
  add_number(app, "--temperature", config.temperature, "Base of the frequencies (10000)");
  app.add_flag("--normalize", config.normalize,
               "Divide coordinates by the last of their row or column, times --scale");
  add_number(app, "--scale", config.scale,
             "What normalised coordinates are multiplied with (2 pi)");
  add_number(app, "--eps", config.eps, "Added to the last coordinate (1e-6)");
  app.add_flag("--centered", config.centered, "Coordinates of pixel centres: Deformable DETR");
  add_choice<DetrOrder>(
      app, "--order", config.order,
      {{"channels_first", DetrOrder::channels_first}, {"channels_last", DetrOrder::channels_last}},
      "As DETR returns it (default), or [height * width, 2 * num_pos_feats]");
  add_output(app, options->output);
  app.callback([options] { run(*options); });
}

}  // namespace posenc::cli
