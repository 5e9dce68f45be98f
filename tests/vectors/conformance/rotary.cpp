#include "conformance/families.hpp"
#include "posenc/rotary/rope.hpp"

namespace posenc::conformance {
namespace {

RopeScaling scaling_of(Case& c) {
  c.only("rope_type", {"default", "linear"});
  if (c.any("rope_type") == "linear") return Linear{c.number("factor")};
  return NoScaling{};
}

void rope_params(Case& c) {
  c.describes({"model", "config_source", "partial_rotary_factor"});
  const Rope rope({.head_dim = c.size("head_dim"),
                   .rotary_dim = c.size("rotary_dim"),
                   .base = c.number("base"),
                   .scaling = scaling_of(c)});
  c.output("inv_freq", {rope.inv_freq().size()}, rope.inv_freq());
  c.output("attention_scaling", rope.attention_factor());
}

/// lucidrains' form: positions divided by interpolate_factor, from `offset` on.
RopeScaling interpolation_of(Case& c, const std::vector<double>& positions) {
  c.only("theta_rescale_factor", {1});
  if (c.has("offset") && (positions.empty() || positions[0] != c.number("offset"))) {
    malformed("parameter \"offset\" must be the first position");
  }
  if (!c.has("interpolate_factor")) return scaling_of(c);
  c.only("rope_type", {"default"});
  return Linear{c.number("interpolate_factor")};
}

void apply(Case& c, RopeLayout layout) {
  const std::vector<double> positions = c.positions();
  const Rope rope({.head_dim = c.size("head_dim"),
                   .rotary_dim = c.size("rotary_dim"),
                   .base = c.number("base"),
                   .layout = layout,
                   .scaling = interpolation_of(c, positions)});
  for (const char* name : {"q", "k"}) {
    Tensor x = c.input(name);
    if (x.shape.size() != 4) malformed(std::string("input \"") + name + "\" must have 4 axes");
    rope.apply(std::span(x.values), {.batch = x.shape[0],
                                     .heads = x.shape[1],
                                     .positions = Positions::of(std::span(positions)),
                                     .length = x.shape[2]})
        .or_throw();
    c.output(name, x.shape, x.values);
  }
}

void apply_half(Case& c) {
  c.only("layout", {"half"});
  apply(c, RopeLayout::half);
}

void apply_interleaved(Case& c) {
  c.only("layout", {"interleaved"});
  apply(c, RopeLayout::interleaved);
}

void write_angles(Case& c, const RopeConfig& config, const std::vector<double>& positions,
                  const std::string& suffix) {
  const Rope rope(config);
  const Shape shape{positions.size(), rope.inv_freq().size()};
  std::vector<float> cos = c.room(shape);
  std::vector<float> sin = c.room(shape);
  rope.angles(Positions::of(std::span(positions)), cos, sin).or_throw();
  c.output("cos" + suffix, shape, cos);
  c.output("sin" + suffix, shape, sin);
}

void rope_angles(Case& c) {
  c.describes({"reference_inv_freq_f32"});
  const std::vector<double> positions = c.positions();
  const std::size_t rotary_dim = c.size("rotary_dim");
  RopeConfig config{.head_dim = rotary_dim, .base = c.number("base"), .scaling = scaling_of(c)};
  write_angles(c, config, positions, "");
  config.angles = Angles::float32_frequencies;
  write_angles(c, config, positions, "_given_f32_inv_freq");
}

constexpr Family kFamilies[] = {
    {"default", rope_params},     {"linear", rope_params},
    {"apply_half", apply_half},   {"apply_interleaved", apply_interleaved},
    {"rope_angles", rope_angles},
};

}  // namespace

std::span<const Family> rotary_families() { return kFamilies; }

}  // namespace posenc::conformance
