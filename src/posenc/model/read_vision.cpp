// Rules of vision towers.

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "posenc/model/emit.hpp"
#include "posenc/model/patches.hpp"
#include "posenc/model/rope_parts.hpp"
#include "posenc/model/tables.hpp"
#include "posenc/rotary/ladder.hpp"

namespace posenc::detail {
namespace {

/// The two sides of a field that is a number or [height, width].
std::array<Field<std::int64_t>, 2> read_sides(const Section& section, const char* name,
                                              std::int64_t fallback) {
  const Value* value = section.find(name);
  if (value == nullptr || value->get_if<Value::Array>() == nullptr) {
    const auto side = section.whole(name, fallback, 1, kMaxDims);
    return {side, side};
  }
  const auto sides = *section.wholes(name, 1, kMaxDims);
  if (sides.value.size() != 2) {
    fail(
        FindingCode::field_value, sides.path,
        {sides.path, " must be a number or [height, width], got ", sides.value.size(), " entries"});
  }
  return {sides.as(sides.value[0]), sides.as(sides.value[1])};
}

std::int64_t patches_along(const Section& section, const Field<std::int64_t>& image,
                           const Field<std::int64_t>& patch) {
  const std::int64_t count = image.value / patch.value;
  if (count == 0) {
    fail(FindingCode::field_range, image.path,
         {image.path, " must be at least ", patch.path, " = ", patch.value, ", got ", image.value});
  }
  if (image.value % patch.value != 0) {
    section.warn_at(FindingCode::rounded_down, image.path,
                    {image.path, " = ", image.value, " is not divisible by ", patch.path, " = ",
                     patch.value, ": rounded down to ", count, " patches"});
  }
  return count;
}

/// A rope over the rows and columns of patches.
struct AxialParts {
  Field<std::int64_t> head_dim;
  Field<double> base;
  AxialBands bands = AxialBands::geometric;
  const char* rule;
  std::int64_t prefix_tokens = 0;
};

/// Frequencies as they are told: those of Pixtral's one ladder, else those of one axis.
Value told_frequencies(const RopeConfig& config, AxialBands bands) {
  RopeConfig plain = config;
  if (bands == AxialBands::dealt) {
    plain.axes = OneAxis{};
  } else {
    plain.axes = Axial{};
  }
  const std::size_t count =
      bands == AxialBands::dealt ? config.rotary_dim / 2 : config.rotary_dim / 4;
  const Ladder ladder(plain, 0);
  Value::Array frequencies;
  frequencies.reserve(count);
  for (std::size_t i = 0; i < count; ++i) frequencies.push_back(ladder.frequency(i).hi);
  return frequencies;
}

ModelEncoding& emit_axial(Reading& reading, const AxialParts& parts) {
  const auto width = static_cast<std::size_t>(parts.head_dim.value);
  if (width % 4 != 0 || parts.head_dim.value > kMaxHead) {
    fail(FindingCode::field_range, parts.head_dim.path,
         {"a head must have a multiple of 4 dims for two axes, and at most ", kMaxHead, ", got ",
          width});
  }
  RopeConfig config{.head_dim = width,
                    .rotary_dim = width,
                    .base = parts.base.value,
                    .axes = Axial{.bands = parts.bands}};
  check_built(check(config), reading.section);
  ModelEncoding& encoding = emit(reading, "axial_rope");
  put(encoding, "head_dim", parts.head_dim);
  put(encoding, "rotary_dim", parts.head_dim);
  put(encoding, "base", parts.base);
  put(encoding, "layout", "half", kModelCode);
  put(encoding, "axes", Value::Array{"h", "w"}, kModelCode);
  put(encoding, "pairs_per_axis", parts.head_dim.value / 4, derived("rotary_dim / 4"));
  put(encoding, "frequency_rule", parts.rule, kModelCode);
  put(encoding, "inv_freq", told_frequencies(config, parts.bands), derived("base, head_dim"));
  put(encoding, "prefix_tokens", parts.prefix_tokens, kModelCode);
  put(encoding, "causal", false, kModelCode);
  encoding.config = std::move(config);
  return encoding;
}

constexpr const char* kGeometric =
    "base^(-2i / (head_dim/2)) for each axis, pairs of rows, then of columns";

Field<double> usual_base(double base) { return {base, kModelCode, ""}; }

void read_merged_vision(Reading& reading, const Field<std::int64_t>& width) {
  const auto heads = reading.section.shape("num_heads", 16);
  if (width.value % heads.value != 0) {
    fail(FindingCode::not_divisible, width.path,
         {width.path, " must be divisible by ", heads.path, " = ", heads.value, ", got ",
          width.value});
  }
  const Field<std::int64_t> head_dim{width.value / heads.value,
                                     derived(reading.section, {width.path, " / ", heads.path}),
                                     heads.path};
  ModelEncoding& encoding =
      emit_axial(reading, {.head_dim = head_dim, .base = usual_base(10000.0), .rule = kGeometric});
  put(encoding, "spatial_merge_size", reading.section.whole("spatial_merge_size", 2, 1, kMaxDims));
}

}  // namespace

Patches read_patch_grid(const Reading& reading) {
  const Section& section = reading.section;
  const auto image = read_sides(section, "image_size", reading.type.patch.image);
  const auto patch = read_sides(section, "patch_size", reading.type.patch.patch);
  const std::int64_t rows = patches_along(section, image[0], patch[0]);
  const bool square = image[0].value == image[1].value && patch[0].value == patch[1].value;
  return {.rows = rows,
          .columns = square ? rows : patches_along(section, image[1], patch[1]),
          .source = derived(section, {image[0].path, " / ", patch[0].path})};
}

ModelEncoding& emit_patch_table(Reading& reading, const Patches& patches,
                                std::int64_t prefix_tokens) {
  const auto dim = reading.section.shape(reading.type.spelling.hidden, reading.type.shape.hidden);
  const std::int64_t rows = patches.rows * patches.columns + prefix_tokens;
  ModelEncoding& encoding = emit_learned(
      reading, {.rows = {rows, derived("grid, prefix_tokens"), "image_size"}, .dim = dim});
  put(encoding, "grid", Value::Array{patches.rows, patches.columns}, patches.source);
  put(encoding, "prefix_tokens", prefix_tokens, kModelCode);
  return encoding;
}

void read_patches(Reading& reading) {
  emit_patch_table(reading, read_patch_grid(reading), reading.type.patch.prefix_tokens);
}

void read_dinov3(Reading& reading) {
  const Section& section = reading.section;
  const auto registers = section.whole("num_register_tokens", 0, 0, kMaxDims);
  emit_axial(reading, {.head_dim = read_head_dim(section, reading.type, "", 0),
                       .base = section.number("rope_theta", 100.0, 1.0, 1e30),
                       .bands = AxialBands::turns,
                       .rule = "2 pi * coordinate * base^(-4i / head_dim), coordinates of patch "
                               "centres in [-1, 1]",
                       .prefix_tokens = 1 + registers.value});
}

void read_pixtral(Reading& reading) {
  const Section& section = reading.section;
  Field<double> base = section.number("rope_theta", 10000.0, 1.0, 1e30);
  if (const auto parameters = section.section("rope_parameters")) {
    if (const auto own = parameters->number("rope_theta", 1.0, 1e30)) base = *own;
  }
  emit_axial(reading, {.head_dim = read_head_dim(section, reading.type, "head_dim", 0),
                       .base = base,
                       .bands = AxialBands::dealt,
                       .rule = "base^(-2j / head_dim), even j for rows, odd j for columns"});
}

void read_qwen2_vl_vision(Reading& reading) {
  // hidden_size is the width of what leaves the tower here.
  read_merged_vision(reading, reading.section.shape("embed_dim", 1280));
}

void read_qwen2_5_vl_vision(Reading& reading) {
  read_merged_vision(reading, reading.section.shape("hidden_size", reading.type.shape.hidden));
}

void read_qwen3_vl_vision(Reading& reading) {
  const Section& section = reading.section;
  const auto width = section.shape("hidden_size", reading.type.shape.hidden);
  read_merged_vision(reading, width);
  const auto rows = section.whole("num_position_embeddings", 2304, 1, kMaxDims);
  std::int64_t side = 1;
  while ((side + 1) * (side + 1) <= rows.value) ++side;
  ModelEncoding& encoding = emit_learned(reading, {.rows = rows, .dim = width});
  put(encoding, "grid", Value::Array{side, side}, derived("square root of rows"));
  put(encoding, "prefix_tokens", std::int64_t{0}, kModelCode);
  put(encoding, "interpolation", Value::Object{{"mode", "bilinear"}, {"align_corners", true}},
      kModelCode);
}

void read_sam(Reading& reading) {
  const Section outer = reading.section;
  if (auto own = outer.section("vision_config")) reading.section = *own;
  const Section& section = reading.section;
  const Patches patches = read_patch_grid(reading);
  if (section.flag("use_abs_pos", true).value) emit_patch_table(reading, patches, 0);
  if (!section.flag("use_rel_pos", true).value) return;
  const auto width = read_head_dim(section, reading.type, "", 0);
  const auto window = section.whole("window_size", 14, 0, 2048);
  const std::int64_t count =
      section.whole(reading.type.spelling.layers, reading.type.shape.layers, 1, 4096).value;
  auto global = section.wholes("global_attn_indexes", 0, 4096);
  if (!global.has_value()) {
    global = Field<std::vector<std::int64_t>>{{2, 5, 8, 11}, kClassDefault, ""};
  }
  std::vector<std::int64_t> layers[2];
  for (std::int64_t layer = 0; layer < count; ++layer) {
    const bool is_global =
        window.value == 0 || std::ranges::find(global->value, layer) != global->value.end();
    layers[is_global ? 1 : 0].push_back(layer);
  }
  for (const bool is_global : {false, true}) {
    if (layers[is_global].empty()) continue;
    const std::int64_t rows = is_global ? patches.rows : window.value;
    const std::int64_t columns = is_global ? patches.columns : window.value;
    ModelEncoding& encoding = emit(reading, "decomposed_rel_pos", layers[is_global]);
    put(encoding, "window", Value::Array{rows, columns},
        is_global ? patches.source : window.source);
    put(encoding, "rows_per_axis", 2 * rows - 1, derived("2 * window - 1"));
    put(encoding, "dim", width);
    put(encoding, "added_to", "scores, from the query before scaling", kModelCode);
    const auto high = static_cast<std::size_t>(rows), wide = static_cast<std::size_t>(columns);
    encoding.config = DecomposedConfig{.query_height = high,
                                       .query_width = wide,
                                       .key_height = high,
                                       .key_width = wide,
                                       .head_dim = static_cast<std::size_t>(width.value)};
  }
}

}  // namespace posenc::detail
