#include "conformance/families.hpp"
#include "posenc/additive/detr_sine.hpp"
#include "posenc/additive/sincos_grid.hpp"
#include "posenc/core/position_ids.hpp"
#include "posenc/interpolate/interpolate.hpp"

namespace posenc::conformance {
namespace {

/// A parameter that is a list of `count` whole numbers.
Shape sizes(Case& c, const std::string& name, std::size_t count) {
  const Json& list = c.any(name);
  if (!list.is_array() || list.size() != count) {
    malformed("parameter " + Json(name).dump() + " must be a list of " + std::to_string(count) +
              " whole numbers");
  }
  Shape shape;
  for (const Json& size : list) shape.push_back(size_of(size, "parameter " + Json(name).dump()));
  return shape;
}

void write_grid(Case& c, const SincosGridConfig& config, const Grid& grid, const Shape& shape) {
  const SincosGrid encoding(config);
  std::vector<float> pe = c.room(shape);
  encoding.table(grid, pe).or_throw();
  c.output("pe", shape, pe);
}

void mae(Case& c, std::size_t dim) {
  const Shape sides = sizes(c, "grid", 2);
  const std::size_t prefix = c.flag("cls_token") ? 1 : 0;
  const SincosGridConfig config{
      .dim = dim, .base = c.number("base"), .axis_order = AxisOrder::xy, .prefix_rows = prefix};
  write_grid(c, config, {.height = sides[0], .width = sides[1]},
             {prefix + sides[0] * sides[1], dim});
}

void timm(Case& c, std::size_t dim) {
  const Shape sides = sizes(c, "feat_shape", 2);
  const bool blocks = c.flag("interleave_sin_cos"), reverse = c.flag("reverse_coord");
  const SincosGridConfig config{
      .dim = dim,
      .base = c.number("temperature"),
      .layout = blocks ? SincosGridLayout::axis_blocks : SincosGridLayout::function_blocks,
      .axis_order = reverse ? AxisOrder::xy : AxisOrder::yx};
  write_grid(c, config,
             {.height = sides[0],
              .width = sides[1],
              .order = reverse ? CellOrder::column_major : CellOrder::row_major},
             {sides[0] * sides[1], dim});
}

void tatp22(Case& c, std::size_t dim, std::size_t axes) {
  const Shape sides = sizes(c, "grid", axes);
  c.describes({"channels_per_axis"});
  const SincosGridConfig config{
      .dim = dim, .axes = axes, .base = c.number("base"), .layout = SincosGridLayout::interleaved};
  Shape shape = sides;
  shape.push_back(dim);
  write_grid(
      c, config,
      {.height = sides[axes - 2], .width = sides[axes - 1], .depth = axes == 3 ? sides[0] : 1},
      shape);
}

void sincos(Case& c) {
  c.one_of("variant", {"mae", "timm", "tatp22-2d", "tatp22-3d"});
  const Json& variant = c.any("variant");
  const std::size_t dim = c.size("dim");
  if (variant == "mae") return mae(c, dim);
  if (variant == "timm") return timm(c, dim);
  tatp22(c, dim, variant == "tatp22-2d" ? 2 : 3);
}

void sincos2d_xy(Case& c) {
  c.one_of("exponent_denominator", {"dim/4", "dim/4-1"});
  c.one_of("axis_order", {"xy", "yx"});
  c.one_of("row_order", {"row-major", "column-major"});
  const Shape sides = sizes(c, "grid", 2);
  const std::size_t dim = c.size("dim"), pairs = dim / 4;
  const bool less = c.any("exponent_denominator") == "dim/4-1" && pairs > 1;
  const SincosGridConfig config{
      .dim = dim,
      .base = c.number("temperature"),
      .axis_order = c.any("axis_order") == "xy" ? AxisOrder::xy : AxisOrder::yx,
      .frequency_denominator = less ? 2.0 * static_cast<double>(pairs - 1) : 0.0};
  const bool columns = c.any("row_order") == "column-major";
  write_grid(c, config,
             {.height = sides[0],
              .width = sides[1],
              .step_y = c.number("step_y"),
              .step_x = c.number("step_x"),
              .order = columns ? CellOrder::column_major : CellOrder::row_major},
             {sides[0] * sides[1], dim});
}

std::vector<std::uint8_t> mask_input(Case& c, const std::string& name) {
  std::vector<std::uint8_t> mask;
  for (const std::int64_t value : c.whole_input(name)) mask.push_back(value != 0 ? 1 : 0);
  return mask;
}

void detr_sine(Case& c) {
  c.describes({"mask_meaning", "coordinate", "channels"});
  const Shape sides = c.input("mask").shape;
  if (sides.size() != 3) malformed("input \"mask\" must be [batch, height, width]");
  const DetrSineConfig config{.num_pos_feats = c.size("num_pos_feats"),
                              .temperature = c.number("temperature"),
                              .normalize = c.flag("normalize"),
                              .scale = c.number("scale"),
                              .eps = c.number("eps")};
  const DetrSine encoding(config);
  const Shape shape{sides[0], 2 * config.num_pos_feats, sides[1], sides[2]};
  std::vector<float> pos = c.room(shape);
  encoding.table(mask_input(c, "mask"), {sides[0], sides[1], sides[2]}, pos).or_throw();
  c.output("pos", shape, pos);
}

void write_interpolated(Case& c, const InterpolateConfig& config, const std::string& name,
                        const Tensor& table, const Shape& shape) {
  const Interpolate interpolate(config);
  std::vector<double> workspace(interpolate.workspace_size());
  std::vector<float> out = c.room(shape);
  interpolate.apply(table.values, workspace, out).or_throw();
  c.output(name, shape, out);
}

/// The last dimension of an input that has `axes` of them.
std::size_t width_of(const Tensor& table, std::size_t axes, const std::string& name) {
  if (table.shape.size() == axes) return table.shape.back();
  malformed("input " + Json(name).dump() + " must have " + std::to_string(axes) + " dimensions");
}

void interp(Case& c) {
  c.one_of("mode", {"bilinear", "bicubic"});
  const bool cubic = c.any("mode") == "bicubic", offset = c.family() == "interp_offset";
  c.describes({"scale", "cubic_a"});
  const bool has_posemb = c.has_input("posemb");
  const std::string name = has_posemb ? "posemb" : "table";
  const Tensor table = c.input(name);
  const Shape from = sizes(c, "size_from", 2), to = sizes(c, "size_to", 2);
  const std::size_t prefix = c.has("num_prefix_tokens") ? c.size("num_prefix_tokens") : 0;
  const InterpolateConfig config{
      .from_height = from[0],
      .from_width = from[1],
      .to_height = to[0],
      .to_width = to[1],
      .dim = width_of(table, 3, name),
      .mode = cubic ? InterpolationMode::cubic : InterpolationMode::linear,
      .antialias = c.flag("antialias"),
      .align_corners = c.flag("align_corners"),
      .size_offset = offset ? 0.1 : 0.0,
      .prefix_rows = prefix};
  const Shape rows{1, prefix + to[0] * to[1], config.dim}, grid{to[0], to[1], config.dim};
  write_interpolated(c, config, name, table, has_posemb ? rows : grid);
}

void interp_linear1d(Case& c) {
  c.one_of("mode", {"linear"});
  const Tensor table = c.input("table");
  const InterpolateConfig config{.from_height = c.size("length_from"),
                                 .to_height = c.size("length_to"),
                                 .dim = width_of(table, 2, "table"),
                                 .mode = InterpolationMode::linear,
                                 .align_corners = c.flag("align_corners")};
  write_interpolated(c, config, "table", table, {config.to_height, config.dim});
}

/// The shape [batch, tokens] of an input.
Shape batch_shape(Case& c, const std::string& name) {
  const Shape shape = c.input(name).shape;
  if (shape.size() == 2) return shape;
  malformed("input " + Json(name).dump() + " must have 2 dimensions");
}

void write_ids(Case& c, const std::string& name, const Shape& shape,
               const std::vector<std::int32_t>& ids) {
  const std::vector<double> values(ids.begin(), ids.end());
  c.output(name, shape, values);
}

void roberta(Case& c) {
  const Shape shape = batch_shape(c, "input_ids");
  const std::vector<std::int64_t> wide = c.whole_input("input_ids");
  const std::vector<std::int32_t> ids(wide.begin(), wide.end());
  std::vector<std::int32_t> out(ids.size());
  const auto padding = static_cast<std::int32_t>(c.size("padding_idx"));
  roberta_positions(ids, shape[0], padding, c.whole("past_length"), out).or_throw();
  write_ids(c, "position_ids", shape, out);
}

void opt(Case& c) {
  const Shape shape = batch_shape(c, "attention_mask");
  const std::size_t past = c.size("past_length");
  const Shape rows{shape[0], shape[1] > past ? shape[1] - past : 0};
  std::vector<std::int32_t> out(rows[0] * rows[1]);
  const std::vector<std::uint8_t> mask = mask_input(c, "attention_mask");
  opt_positions(mask, shape[0], past, c.whole("offset"), out).or_throw();
  write_ids(c, "rows", rows, out);
}

void left_padding(Case& c) {
  const Shape shape = batch_shape(c, "attention_mask");
  const std::vector<std::uint8_t> mask = mask_input(c, "attention_mask");
  std::vector<std::int32_t> out(mask.size());
  left_padding_positions(mask, shape[0], c.whole("masked_value"), out).or_throw();
  write_ids(c, "position_ids", shape, out);
}

constexpr Family kFamilies[] = {
    {"sincos2d", sincos},
    {"sincos3d", sincos},
    {"sincos2d_xy", sincos2d_xy},
    {"detr_sine", detr_sine},
    {"interp_bicubic_aa0", interp},
    {"interp_bicubic_aa1", interp},
    {"interp_bilinear_aa0", interp},
    {"interp_bilinear_aa1", interp},
    {"interp_cls", interp},
    {"interp_offset", interp},
    {"interp_align", interp},
    {"interp_linear1d", interp_linear1d},
    {"roberta_positions", roberta},
    {"opt_positions", opt},
    {"left_padding_positions", left_padding},
};

}  // namespace

std::span<const Family> grid_families() { return kFamilies; }

}  // namespace posenc::conformance
