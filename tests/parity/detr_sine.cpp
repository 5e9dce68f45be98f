#include "posenc/additive/detr_sine.hpp"

#include "cases.hpp"
#include "sizes.hpp"

namespace posenc::parity {
namespace {

Label label_of(const DetrSineConfig& config, const DetrShape& shape) {
  Label label;
  label("num_pos_feats", config.num_pos_feats)("temperature", config.temperature);
  label("normalize", config.normalize ? "yes" : "no")("scale", config.scale)("eps", config.eps);
  label("centered", config.centered ? "yes" : "no");
  label("order", config.order == DetrOrder::channels_first ? "channels_first" : "channels_last");
  return label("batch", shape.batch)("height", shape.height)("width", shape.width);
}

/// Masks of images that are padded at the right and at the bottom, one in three with holes.
std::vector<std::uint8_t> mask_of(const DetrShape& shape, tests::Generator& generator) {
  std::vector<std::uint8_t> mask(shape.batch * shape.height * shape.width);
  const bool holes = generator.one_in(3);
  for (std::size_t image = 0; image < shape.batch; ++image) {
    const std::size_t height = 1 + generator.below(shape.height);
    const std::size_t width = 1 + generator.below(shape.width);
    for (std::size_t y = 0; y < height; ++y) {
      for (std::size_t x = 0; x < width; ++x) {
        mask[(image * shape.height + y) * shape.width + x] = !holes || !generator.one_in(5);
      }
    }
  }
  return mask;
}

template <class Call>
void for_each_case(Cases& cases, const Call& call) {
  constexpr double kTemperatures[] = {10000, 20, 1};
  std::size_t index = 0;
  for (const std::size_t pairs : sizes_to(34, {64, 65})) {
    for (std::size_t step = 0; step < 6; ++step, ++index) {
      const DetrSineConfig config{
          .num_pos_feats = 2 * pairs,
          .temperature = turn(kTemperatures, index),
          .normalize = index % 2 == 0,
          .scale = index % 5 == 0 ? 1.0 : 6.283185307179586,
          .eps = index % 3 == 0 ? 1e-6 : 1e-3,
          .centered = index / 2 % 2 == 0,
          .order = index / 3 % 2 == 0 ? DetrOrder::channels_first : DetrOrder::channels_last};
      const DetrShape shape{
          .batch = 1 + index % 2, .height = 1 + index % 5, .width = 1 + index % 7};
      cases.add_stored(label_of(config, shape), [&](Case& one) {
        const auto mask = mask_of(shape, one.generator());
        const DetrSine encoding(config);
        const std::size_t pixels = shape.batch * shape.height * shape.width;
        call(encoding, one, mask, shape, 2 * config.num_pos_feats * pixels);
      });
    }
  }
}

void table(Cases& cases) {
  for_each_case(cases, [](const DetrSine& encoding, Case& one, const auto& mask,
                          const DetrShape& shape, std::size_t size) {
    one.succeed(encoding.table(mask, shape, one.output("out", {size})));
  });
}

void add(Cases& cases) {
  for_each_case(cases, [](const DetrSine& encoding, Case& one, const auto& mask,
                          const DetrShape& shape, std::size_t size) {
    one.succeed(encoding.add(mask, shape, one.in_place("x", {size})));
  });
}

}  // namespace

std::span<const Verb> detr_sine_verbs() {
  static constexpr Verb kVerbs[] = {{"detr_sine.table", table}, {"detr_sine.add", add}};
  return kVerbs;
}

}  // namespace posenc::parity
