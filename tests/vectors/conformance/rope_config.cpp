#include "conformance/rope_config.hpp"

namespace posenc::conformance {
namespace {

double number_or(Case& c, const std::string& name, double fallback) {
  return c.has(name) && !c.any(name).is_null() ? c.number(name) : fallback;
}

RopeScaling dynamic_of(Case& c, RopeConfig& config) {
  config.length = c.whole("seq_len");
  return DynamicNtk{.factor = c.number("factor"),
                    .max_position_embeddings = c.whole("max_position_embeddings")};
}

RopeScaling yarn_of(Case& c) {
  Yarn yarn{.factor = c.number("factor"),
            .original_max_position_embeddings = c.whole("original_max_position_embeddings")};
  yarn.beta_fast = number_or(c, "beta_fast", yarn.beta_fast);
  yarn.beta_slow = number_or(c, "beta_slow", yarn.beta_slow);
  yarn.mscale = number_or(c, "mscale", 0.0);
  yarn.mscale_all_dim = number_or(c, "mscale_all_dim", 0.0);
  if (c.has("truncate")) yarn.truncate = c.flag("truncate");
  if (c.has("attention_factor") && !c.any("attention_factor").is_null()) {
    yarn.attention_factor = c.number("attention_factor");
  }
  return yarn;
}

/// Both lists are inputs, or the branch's alone is a parameter.
RopeScaling longrope_of(Case& c, RopeConfig& config) {
  LongRope rope{.original_max_position_embeddings = c.whole("original_max_position_embeddings")};
  rope.factor = c.number("max_position_embeddings") /
                static_cast<double>(rope.original_max_position_embeddings);
  c.one_of("branch", {"short", "long"});
  if (c.has("factors")) {
    rope.short_factor = rope.long_factor = c.numbers("factors");
    const bool is_long = c.has("branch") && c.any("branch") == "long";
    config.length = rope.original_max_position_embeddings + (is_long ? 1 : 0);
    return rope;
  }
  rope.short_factor = c.numbers_input("short_factor");
  rope.long_factor = c.numbers_input("long_factor");
  config.length = c.whole("seq_len");
  return rope;
}

RopeScaling llama3_of(Case& c) {
  return Llama3{
      .factor = c.number("factor"),
      .low_freq_factor = c.number("low_freq_factor"),
      .high_freq_factor = c.number("high_freq_factor"),
      .original_max_position_embeddings = c.whole("original_max_position_embeddings"),
  };
}

RopeScaling scaling_of(Case& c, RopeConfig& config) {
  if (!c.has("rope_type")) return NoScaling{};
  c.one_of("rope_type", {"default", "linear", "dynamic", "static_ntk", "yarn", "longrope", "llama3",
                         "proportional"});
  const Json& type = c.any("rope_type");
  if (type == "linear") return Linear{c.number("factor")};
  if (type == "static_ntk") return StaticNtk{c.number("factor")};
  if (type == "dynamic") return dynamic_of(c, config);
  if (type == "yarn") return yarn_of(c);
  if (type == "longrope") return longrope_of(c, config);
  if (type == "llama3") return llama3_of(c);
  if (type == "proportional") {
    return Proportional{.partial_rotary_factor = c.number("partial_rotary_factor"),
                        .factor = c.number("factor")};
  }
  return NoScaling{};
}

}  // namespace

RopeLayout layout_of(Case& c) {
  c.one_of("layout", {"half", "interleaved"});
  const bool interleaved = c.has("layout") && c.any("layout") == "interleaved";
  return interleaved ? RopeLayout::interleaved : RopeLayout::half;
}

RopeConfig rope_config(Case& c) {
  RopeConfig config{.layout = layout_of(c)};
  if (c.has("rotary_dim")) config.rotary_dim = c.size("rotary_dim");
  if (c.has("rotary_start")) config.rotary_start = c.size("rotary_start");
  config.head_dim = c.has("head_dim") ? c.size("head_dim") : config.rotary_dim;
  config.base = number_or(c, "base", config.base);
  config.scaling = scaling_of(c, config);
  return config;
}

RopeConfig scaled_config(Case& c) {
  RopeConfig config = rope_config(c);
  const double factor = c.number("attention_scaling");
  if (factor == 1.0) return config;
  const Rope plain(config);
  config.scaling = CustomFrequencies{.inv_freq = {plain.inv_freq().begin(), plain.inv_freq().end()},
                                     .attention_factor = factor};
  return config;
}

void turned(Case& c, const Rope& rope, RopeVerb verb, const std::vector<double>& positions,
            const std::string& name, const std::string& out, RotarySide side) {
  Tensor x = c.input(name);
  if (x.shape.size() != 4) malformed("input \"" + name + "\" must have 4 axes");
  (rope.*verb)(x.values, {.batch = x.shape[0],
                          .heads = x.shape[1],
                          .positions = Positions::of(std::span(positions)),
                          .length = x.shape[2],
                          .side = side})
      .or_throw();
  c.output(out, x.shape, x.values);
}

void turned_q_k(Case& c, const Rope& rope, const std::vector<double>& positions) {
  turned(c, rope, &Rope::apply, positions, "q", "q");
  turned(c, rope, &Rope::apply, positions, "k", "k", RotarySide::key);
}

std::array<std::size_t, 2> pair_of(Case& c, const std::string& name) {
  const std::vector<std::int64_t> sizes = c.wholes(name);
  if (sizes.size() != 2) malformed("parameter \"" + name + "\" must have 2 values");
  return {size_from(sizes[0], name), size_from(sizes[1], name)};
}

std::size_t size_from(std::int64_t value, const std::string& name) {
  if (value < 0 || value > 2147483647) {
    malformed("parameter \"" + name + "\" must be from 0 to 2147483647, got " +
              std::to_string(value));
  }
  return static_cast<std::size_t>(value);
}

}  // namespace posenc::conformance
