#include <utility>

#include "conformance/families.hpp"
#include "conformance/rope_config.hpp"
#include "conformance/rotary_axes.hpp"
#include "posenc/core/ragged_positions.hpp"
#include "posenc/rotary/permute_pairs.hpp"

namespace posenc::conformance {
namespace {

void rope_params(Case& c) {
  c.describes({"model", "config_source", "partial_rotary_factor"});
  const Rope rope(rope_config(c));
  c.output("inv_freq", {rope.inv_freq().size()}, rope.inv_freq());
  c.output("attention_scaling", rope.attention_factor());
  if (const auto ramp = rope.yarn_ramp()) {
    c.output("correction_low", ramp->low);
    c.output("correction_high", ramp->high);
  }
}

void write_angles(Case& c, RopeConfig config, Angles angles, const std::string& suffix) {
  const std::vector<double> positions = c.positions();
  config.angles = angles;
  const Rope rope(config);
  const Shape shape{positions.size(), rope.inv_freq().size()};
  std::vector<float> cos = c.room(shape), sin = c.room(shape);
  rope.angles(Positions::of(std::span(positions)), cos, sin).or_throw();
  c.output("cos" + suffix, shape, cos);
  c.output("sin" + suffix, shape, sin);
}

void rope_angles(Case& c) {
  c.describes({"reference_inv_freq_f32"});
  RopeConfig config = rope_config(c);
  write_angles(c, config, Angles::exact, "");
  if (c.wants("cos_given_f32_inv_freq")) {
    write_angles(c, config, Angles::float32_frequencies, "_given_f32_inv_freq");
  }
}

/// Positions as lucidrains has them, from `offset` on and divided by interpolate_factor.
std::vector<double> interpolated_positions(Case& c) {
  std::vector<double> positions = c.positions();
  if (c.has("offset") && (positions.empty() || positions[0] != c.number("offset"))) {
    malformed("parameter \"offset\" must be the first position");
  }
  if (!c.has("interpolate_factor")) return positions;
  const double factor = c.number("interpolate_factor");
  for (double& position : positions) position /= factor;
  return positions;
}

void apply(Case& c) {
  RopeConfig config = rope_config(c);
  if (c.has("theta_rescale_factor")) {
    const double factor = c.number("theta_rescale_factor");
    if (!std::holds_alternative<NoScaling>(config.scaling)) {
      malformed("parameter \"theta_rescale_factor\" goes with rope_type default only");
    }
    if (factor != 1.0) config.scaling = StaticNtk{factor};
  }
  turned_q_k(c, Rope(config), interpolated_positions(c));
}

void xpos(Case& c) {
  c.one_of("variant", {"xpos"});
  c.one_of("centre", {"n//2"});
  RopeConfig config = rope_config(c);
  config.xpos = Xpos{.scale_base = c.number("scale_base"), .origin = std::nullopt};
  turned_q_k(c, Rope(config), c.positions());
}

void proportional(Case& c) {
  const Rope rope(rope_config(c));
  c.output("inv_freq", {rope.inv_freq().size()}, rope.inv_freq());
  turned(c, rope, &Rope::apply, c.positions(), "x", "x");
}

void static_ntk(Case& c) {
  const Rope rope(rope_config(c));
  c.output("scaled_base", rope.scaled_base());
  c.output("inv_freq", {rope.inv_freq().size()}, rope.inv_freq());
  turned(c, rope, &Rope::apply, c.positions(), "x", "x");
}

void rotary_window(Case& c) {
  turned(c, Rope(scaled_config(c)), &Rope::apply, c.positions(), "x", "x");
}

void rope_inverse(Case& c) {
  turned(c, Rope(scaled_config(c)), &Rope::unapply, c.positions(), "x", "x");
}

void rope_backward(Case& c) {
  turned(c, Rope(scaled_config(c)), &Rope::backward, c.positions(), "dout", "dx");
}

/// q.k of every query and key, summed in double.
std::vector<double> products(const Tensor& q, const Tensor& k, std::size_t dim) {
  std::vector<double> out;
  for (std::size_t i = 0; i < q.values.size(); i += dim) {
    for (std::size_t j = 0; j < k.values.size(); j += dim) {
      double sum = 0;
      for (std::size_t at = 0; at < dim; ++at) {
        sum += static_cast<double>(q.values[i + at]) * static_cast<double>(k.values[j + at]);
      }
      out.push_back(sum);
    }
  }
  return out;
}

void xpos_fixed_origin(Case& c) {
  RopeConfig config = rope_config(c);
  config.xpos = Xpos{.scale_base = c.number("scale_base"), .origin = c.number("origin")};
  const Rope rope(config);
  Tensor tensors[] = {c.input("q"), c.input("k")};
  for (std::size_t i = 0; i < 2; ++i) {
    const std::vector<double> positions = c.numbers(i == 0 ? "query_positions" : "key_positions");
    Tensor& x = tensors[i];
    if (x.shape != Shape{1, 1, positions.size(), config.head_dim}) {
      malformed("q and k must have the shape [1, 1, positions, head_dim]");
    }
    rope.apply(x.values, {.positions = Positions::of(std::span(positions)),
                          .side = i == 0 ? RotarySide::query : RotarySide::key})
        .or_throw();
    c.output(i == 0 ? "q" : "k", x.shape, x.values);
  }
  const Shape shape{tensors[0].shape[2], tensors[1].shape[2]};
  c.output("logits", shape, products(tensors[0], tensors[1], config.head_dim));
}

void rerotated(Case& c, const Rope& from, const Rope& rope,
               const std::vector<double>& old_positions, const std::vector<double>& positions) {
  Tensor k = c.input("k");
  if (k.shape.size() != 4) malformed("input \"k\" must have 4 axes");
  rope.rerotate(k.values, from,
                {.batch = k.shape[0],
                 .heads = k.shape[1],
                 .positions = Positions::of(std::span(old_positions))},
                Positions::of(std::span(positions)))
      .or_throw();
  c.output("k", k.shape, k.values);
}

void rerotate_shift(Case& c) {
  const Rope rope(rope_config(c));
  const std::vector<double> old_positions = c.positions();
  std::vector<double> positions = c.numbers("delta");
  if (positions.size() != old_positions.size()) {
    malformed("parameter \"delta\" must have a value for each position");
  }
  for (std::size_t i = 0; i < positions.size(); ++i) positions[i] += old_positions[i];
  rerotated(c, rope, rope, old_positions, positions);
}

void rerotate_scaling(Case& c) {
  RopeConfig from = rope_config(c), to = from;
  from.scaling = CustomFrequencies{.inv_freq = c.numbers_input("inv_freq_from"),
                                   .attention_factor = c.number("attention_scaling_from")};
  to.scaling = CustomFrequencies{.inv_freq = c.numbers_input("inv_freq_to"),
                                 .attention_factor = c.number("attention_scaling_to")};
  const std::vector<double> positions = c.positions();
  rerotated(c, Rope(from), Rope(to), positions, positions);
}

void permute(Case& c) {
  c.one_of("direction", {"interleaved_to_half", "half_to_interleaved"});
  const Tensor weight = c.input("weight");
  PermutePairsArgs args{
      .heads = c.size("heads"), .head_dim = c.size("head_dim"), .rotary_dim = c.size("rotary_dim")};
  args.columns = weight.shape.size() > 1 ? weight.shape[1] : 1;
  if (c.any("direction") == "half_to_interleaved") std::swap(args.from, args.to);
  std::vector<std::int32_t> rows(weight.shape.empty() ? 0 : weight.shape[0]);
  permute_pairs_rows(args, rows).or_throw();
  const std::vector<double> row_values(rows.begin(), rows.end());
  c.output("rows", {rows.size()}, row_values);
  std::vector<float> out = c.room(weight.shape);
  permute_pairs(weight.values, out, args).or_throw();
  c.output("weight", weight.shape, out);
}

void ragged_offsets(Case& c) {
  c.describes({"sequence_lengths", "heads"});
  c.one_of("x_form", {"[total tokens, heads, head_dim]", "[batch, sequence, heads, head_dim]"});
  const Rope rope(rope_config(c));
  Tensor x = c.input("x");
  const bool packed = c.any("x_form") == "[total tokens, heads, head_dim]";
  if (x.shape.size() != (packed ? 3u : 4u)) malformed("input \"x\" must have the axes of x_form");
  const std::vector<std::int64_t> offsets = c.wholes("offsets");
  std::vector<std::int64_t> positions(packed ? x.shape[0] : x.shape[0] * x.shape[1]);
  if (packed) {
    packed_positions(offsets, c.wholes("cu_seqlens"), positions).or_throw();
  } else {
    offset_positions(offsets, positions).or_throw();
  }
  rope.apply(x.values, {.batch = packed ? 1 : x.shape[0],
                        .heads = x.shape[packed ? 1 : 2],
                        .positions = Positions::of(std::span(positions)),
                        .length = x.shape[packed ? 0 : 1],
                        .order = RotaryOrder::length_first})
      .or_throw();
  c.output("x", x.shape, x.values);
}

constexpr Family kFamilies[] = {
    {"default", rope_params},
    {"linear", rope_params},
    {"dynamic", rope_params},
    {"yarn", rope_params},
    {"longrope", rope_params},
    {"llama3", rope_params},
    {"rope_angles", rope_angles},
    {"apply_half", apply},
    {"apply_interleaved", apply},
    {"xpos", xpos},
    {"mrope", mrope},
    {"vision2d", vision2d},
    {"proportional", proportional},
    {"static_ntk", static_ntk},
    {"rotary_window", rotary_window},
    {"mixed_rope", mixed_rope},
    {"xpos_fixed_origin", xpos_fixed_origin},
    {"rope_inverse", rope_inverse},
    {"rope_backward", rope_backward},
    {"rerotate_shift", rerotate_shift},
    {"rerotate_scaling", rerotate_scaling},
    {"permute_pairs", permute},
    {"mrope_index", mrope_index},
    {"ragged_offsets", ragged_offsets},
};

}  // namespace

std::span<const Family> rotary_families() { return kFamilies; }

}  // namespace posenc::conformance
