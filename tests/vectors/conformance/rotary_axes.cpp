#include "conformance/rotary_axes.hpp"

#include <string>
#include <vector>

#include "conformance/rope_config.hpp"
#include "posenc/core/grid_positions.hpp"
#include "posenc/core/mrope_positions.hpp"

namespace posenc::conformance {
namespace {

/// A table of the package, [rows, pairs], with every value twice: side by side or row by row.
std::vector<float> doubled(std::span<const float> table, std::size_t pairs, bool side_by_side) {
  std::vector<float> out(2 * table.size());
  for (std::size_t i = 0; i < table.size(); ++i) {
    const std::size_t row = i / pairs, pair = i % pairs;
    out[2 * row * pairs + (side_by_side ? 2 * pair : pair)] = table[i];
    out[2 * row * pairs + (side_by_side ? 2 * pair + 1 : pair + pairs)] = table[i];
  }
  return out;
}

void doubled_angles(Case& c, const Rope& rope, const std::vector<double>& positions) {
  const std::size_t rows = positions.size() / 2, pairs = rope.inv_freq().size();
  const bool side_by_side = rope.config().layout == RopeLayout::interleaved;
  std::vector<float> cos = c.room({rows, pairs}), sin = c.room({rows, pairs});
  rope.angles(Positions::of(std::span(positions)), cos, sin).or_throw();
  c.output("cos", {rows, 2 * pairs}, doubled(cos, pairs, side_by_side));
  c.output("sin", {rows, 2 * pairs}, doubled(sin, pairs, side_by_side));
}

std::vector<double> positions_of(Case& c, const GridPositionsArgs& args) {
  c.room({2, args.frames, args.height, args.width});
  std::vector<double> positions(2 * args.frames * args.height * args.width);
  grid_positions(args, positions).or_throw();
  return positions;
}

/// Patches in the order of merge blocks; x [1, patches, heads, head_dim].
void qwen2_vision(Case& c) {
  c.one_of("x_form", {"[1, patches, heads, head_dim]"});
  c.describes({"position_hw"});
  RopeConfig config = rope_config(c);
  config.axes = Axial{};
  const Rope rope(config);
  const std::vector<std::int64_t> grid = c.wholes("grid_thw");
  if (grid.size() != 3) malformed("parameter \"grid_thw\" must have 3 values");
  const std::vector<double> positions = positions_of(c, {.height = size_from(grid[1], "grid_thw"),
                                                         .width = size_from(grid[2], "grid_thw"),
                                                         .frames = size_from(grid[0], "grid_thw"),
                                                         .merge = c.size("spatial_merge_size")});
  Tensor x = c.input("x");
  if (x.shape.size() != 4) malformed("input \"x\" must have 4 axes");
  rope.apply(x.values, {.batch = x.shape[0],
                        .heads = x.shape[2],
                        .positions = Positions::of(std::span(positions)),
                        .order = RotaryOrder::length_first})
      .or_throw();
  c.output("x", x.shape, x.values);
  const std::size_t cells = positions.size() / 2, pairs = rope.inv_freq().size();
  std::vector<double> angles(cells * pairs);
  for (std::size_t i = 0; i < angles.size(); ++i) {
    const std::size_t axis = i % pairs < pairs / 2 ? 0 : 1;
    angles[i] = positions[axis * cells + i / pairs] * rope.inv_freq()[i % pairs];
  }
  c.output("freqs", {cells, pairs}, angles);
}

void dinov3(Case& c) {
  RopeConfig config = rope_config(c);
  config.axes = Axial{.bands = AxialBands::turns};
  const auto [height, width] = pair_of(c, "grid");
  const std::vector<double> positions =
      positions_of(c, {.height = height, .width = width, .coordinates = GridCoordinates::centres});
  const Rope rope(config);
  doubled_angles(c, rope, positions);
  turned(c, rope, &Rope::apply, positions, "x", "x");
}

void timm_cat(Case& c) {
  c.one_of("layout", {"interleaved"});
  const auto [height, width] = pair_of(c, "feat_shape");
  const bool pixels = c.flag("in_pixels");
  c.one_of("grid_indexing", {"ij", "xy"});
  GridPositionsArgs args{.height = height, .width = width};
  args.coordinates = pixels ? GridCoordinates::corners : GridCoordinates::cells;
  args.columns_first = c.has("grid_indexing") && c.any("grid_indexing") == "xy";
  if (!pixels) args.offset = c.number("grid_offset");
  c.describes({"grid_offset", "max_res", "linear_bands", "temperature"});
  if (c.has("ref_feat_shape") && !c.any("ref_feat_shape").is_null()) {
    const auto [reference_height, reference_width] = pair_of(c, "ref_feat_shape");
    args.reference_height = static_cast<double>(reference_height);
    args.reference_width = static_cast<double>(reference_width);
  }
  Axial axes{};
  if (pixels) {
    axes.bands = c.flag("linear_bands") ? AxialBands::pixel_linear : AxialBands::pixel_log;
    axes.max_resolution = c.number("max_res");
  }
  const Rope rope({.head_dim = c.size("dim"),
                   .base = pixels ? 10000.0 : c.number("temperature"),
                   .layout = RopeLayout::interleaved,
                   .axes = axes});
  const std::vector<double> positions = positions_of(c, args);
  doubled_angles(c, rope, positions);
  turned(c, rope, &Rope::apply, positions, "x", "x");
}

template <class T>
std::vector<T> narrowed(Case& c, const std::string& name) {
  std::vector<T> values;
  for (const std::int64_t value : c.whole_input(name)) {
    if (value != static_cast<T>(value)) malformed("input \"" + name + "\" is out of range");
    values.push_back(static_cast<T>(value));
  }
  return values;
}

}  // namespace

void mrope(Case& c) {
  c.one_of("variant", {"mrope-chunked", "mrope-interleaved"});
  c.describes({"axis_of_frequency"});
  RopeConfig config = rope_config(c);
  const std::vector<std::int64_t> sections = c.wholes("mrope_section");
  if (sections.size() != 3) malformed("parameter \"mrope_section\" must have 3 values");
  Mrope axes{.interleaved = c.any("variant") == "mrope-interleaved"};
  for (std::size_t i = 0; i < 3; ++i) {
    if (sections[i] < 0) malformed("parameter \"mrope_section\" must not be negative");
    axes.sections[i] = static_cast<std::size_t>(sections[i]);
  }
  config.axes = axes;
  turned_q_k(c, Rope(config), c.numbers_input("positions_thw"));
}

void vision2d(Case& c) {
  c.one_of("variant", {"qwen2-vl-vision", "dinov3", "timm-cat"});
  const Json& variant = c.any("variant");
  if (variant == "qwen2-vl-vision") return qwen2_vision(c);
  variant == "dinov3" ? dinov3(c) : timm_cat(c);
}

void mixed_rope(Case& c) {
  c.describes({"freqs_form", "positions_form"});
  RopeConfig config{.head_dim = c.size("head_dim"), .layout = layout_of(c)};
  const std::vector<std::size_t> shape = c.input("freqs").shape;
  if (shape.size() != 3) malformed("input \"freqs\" must have 3 axes");
  config.scaling = CustomFrequencies{
      .inv_freq = c.numbers_input("freqs"), .axes = shape[0], .frequency_heads = shape[1]};
  // [tokens, axes] to [axes, tokens]
  const std::vector<double> pairs = c.numbers_input("positions");
  const std::size_t tokens = c.size("tokens");
  if (pairs.size() != tokens * shape[0]) malformed("input \"positions\" must have a row per token");
  std::vector<double> positions(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    positions[i % shape[0] * tokens + i / shape[0]] = pairs[i];
  }
  if (c.input("x").shape.size() != 4 || c.input("x").shape[1] != c.size("heads")) {
    malformed("input \"x\" must have the shape [batch, heads, tokens, head_dim]");
  }
  turned(c, Rope(config), &Rope::apply, positions, "x", "x");
}

void mrope_index(Case& c) {
  c.describes({"layout", "padding_side", "vision_start_token_id", "vision_end_token_id"});
  const Shape shape = c.input("input_ids").shape;
  if (shape.size() != 2) malformed("input \"input_ids\" must have 2 axes");
  MropePositionsArgs args{.batch = shape[0],
                          .image_token_id = static_cast<std::int32_t>(c.size("image_token_id")),
                          .video_token_id = static_cast<std::int32_t>(c.size("video_token_id")),
                          .masked_position = c.whole("masked_position")};
  args.spatial_merge_size = static_cast<std::int32_t>(c.size("spatial_merge_size"));
  const auto grids = [&](const char* name) {
    return c.has_input(name) ? c.whole_input(name) : std::vector<std::int64_t>();
  };
  const std::size_t tokens = shape[0] * shape[1];
  std::vector<std::int64_t> positions(3 * tokens), delta(shape[0]);
  const auto ids = narrowed<std::int32_t>(c, "input_ids");
  const auto mask = narrowed<std::uint8_t>(c, "attention_mask");
  mrope_positions(args, ids, mask, grids("image_grid_thw"), grids("video_grid_thw"), positions,
                  delta)
      .or_throw();
  const std::vector<double> position_values(positions.begin(), positions.end());
  const std::vector<double> delta_values(delta.begin(), delta.end());
  c.output("position_ids", {3, shape[0], shape[1]}, position_values);
  c.output("delta", {shape[0], 1}, delta_values);
}

}  // namespace posenc::conformance
