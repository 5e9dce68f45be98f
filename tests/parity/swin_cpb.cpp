#include "posenc/bias/swin_cpb.hpp"

#include "cases.hpp"
#include "mlp_layers.hpp"
#include "sizes.hpp"

namespace posenc::parity {
namespace {

template <class Call>
void for_each_window(const Call& call) {
  std::size_t index = 0;
  for (const std::size_t height : sizes_to(5, {8})) {
    for (const std::size_t width : sizes_to(5, {7})) {
      const SwinCpbConfig config{.window_height = height,
                                 .window_width = width,
                                 .pretrained_height = index % 2 * 6,
                                 .pretrained_width = index % 2 * 4,
                                 .heads = 1 + index % 3,
                                 .coordinates = index / 2 % 2 == 0 ? SwinCoordinates::normalised
                                                                   : SwinCoordinates::logarithmic};
      Label label;
      label("height", height)("width", width)("heads", config.heads);
      label("pretrained_height", config.pretrained_height);
      const bool normalised = config.coordinates == SwinCoordinates::normalised;
      call(label("coordinates", normalised ? "normalised" : "logarithmic"), config, index++);
    }
  }
}

void coordinates(Cases& cases) {
  for_each_window([&](const Label& label, const SwinCpbConfig& config, std::size_t) {
    cases.add_stored(label, [&](Case& one) {
      const auto out = one.output(
          "out", {2 * config.window_height - 1, 2 * config.window_width - 1, std::size_t{2}});
      one.succeed(SwinCpb(config).coordinates(out));
    });
  });
}

void bias(Cases& cases) {
  for_each_window([&](Label label, SwinCpbConfig config, std::size_t index) {
    const std::size_t hidden = 1 + index % 34, cells = config.window_height * config.window_width;
    cases.add_stored(label("hidden", hidden), [&](Case& one) {
      config.layers = layers_of(one, 2, hidden, config.heads);
      one.succeed(SwinCpb(config).bias(one.output("out", {config.heads, cells, cells})));
    });
  });
}

void bias_from_output(Cases& cases) {
  for_each_window([&](const Label& label, const SwinCpbConfig& config, std::size_t) {
    cases.add_stored(label, [&](Case& one) {
      const std::size_t height = config.window_height, width = config.window_width;
      const auto output = one.input("output", {(2 * height - 1) * (2 * width - 1), config.heads});
      const auto out = one.output("out", {config.heads, height * width, height * width});
      one.succeed(SwinCpb(config).bias_from_output(output, out));
    });
  });
}

}  // namespace

std::span<const Verb> swin_cpb_verbs() {
  static constexpr Verb kVerbs[] = {{"swin_cpb.coordinates", coordinates},
                                    {"swin_cpb.bias", bias},
                                    {"swin_cpb.bias_from_output", bias_from_output}};
  return kVerbs;
}

}  // namespace posenc::parity
