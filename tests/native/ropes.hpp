#pragma once

// Ropes of every kind of configuration, for the properties that all of them have.

#include <cstddef>
#include <string>
#include <vector>

#include "posenc/rotary/rope.hpp"

namespace posenc::tests {

struct NamedRope {
  std::string name;
  RopeConfig config;
};

/// head_dim divisible by 4, at least 32.
inline std::vector<NamedRope> ropes_of_every_kind(std::size_t head_dim) {
  const std::size_t pairs = head_dim / 2;
  const std::vector<double> factors(pairs, 1.7);
  std::vector<double> learned(pairs);
  for (std::size_t i = 0; i < pairs; ++i) learned[i] = 1.0 / static_cast<double>(3 * i + 1);
  const LongRope long_rope{.short_factor = factors,
                           .long_factor = factors,
                           .original_max_position_embeddings = 64,
                           .factor = 8};
  const RopeConfig plain{.head_dim = head_dim};
  std::vector<NamedRope> ropes;
  const auto add = [&](const char* name, auto&& change) {
    RopeConfig config = plain;
    change(config);
    ropes.push_back({std::string("rope, ") + name, config});
  };
  add("half", [](RopeConfig&) {});
  add("interleaved", [](RopeConfig& c) { c.layout = RopeLayout::interleaved; });
  add("partial", [](RopeConfig& c) { c.rotary_dim = 20; });
  add("window", [](RopeConfig& c) {
    c.rotary_dim = 20;
    c.rotary_start = 6;
  });
  add("linear", [](RopeConfig& c) { c.scaling = Linear{3}; });
  add("static_ntk", [](RopeConfig& c) { c.scaling = StaticNtk{3}; });
  add("dynamic_ntk", [](RopeConfig& c) {
    c.scaling = DynamicNtk{2, 1024};
    c.length = 5000;
  });
  add("yarn", [](RopeConfig& c) { c.scaling = Yarn{16, 4096}; });
  add("longrope", [&](RopeConfig& c) { c.scaling = long_rope; });
  add("llama3", [](RopeConfig& c) { c.scaling = Llama3{}; });
  add("proportional", [](RopeConfig& c) { c.scaling = Proportional{0.5}; });
  add("custom", [&](RopeConfig& c) { c.scaling = CustomFrequencies{.inv_freq = learned}; });
  add("float32_frequencies", [](RopeConfig& c) { c.angles = Angles::float32_frequencies; });
  add("float32", [](RopeConfig& c) { c.angles = Angles::float32; });
  add("mrope", [&](RopeConfig& c) { c.axes = Mrope{{pairs - 8, 4, 4}}; });
  add("mrope, interleaved", [](RopeConfig& c) { c.axes = Mrope{{8, 4, 4}, true}; });
  add("axial", [](RopeConfig& c) { c.axes = Axial{}; });
  add("axial, alternating",
      [](RopeConfig& c) { c.axes = Axial{.order = AxialOrder::alternating}; });
  add("xpos", [](RopeConfig& c) { c.xpos = Xpos{.scale_base = 1e5}; });
  return ropes;
}

}  // namespace posenc::tests
