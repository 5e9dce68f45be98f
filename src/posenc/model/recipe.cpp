#include "posenc/model/recipe.hpp"

#include <cstddef>
#include <utility>

namespace posenc::detail {
namespace {

using Fields = std::vector<RecipeField>;

Value whole(std::size_t value) { return static_cast<std::int64_t>(value); }

Value array_of(const std::vector<double>& numbers) {
  return Value::Array(numbers.begin(), numbers.end());
}

/// Adds a field when it differs from the default.
template <class T>
void add(Fields& fields, std::string_view name, const T& value, const T& usual) {
  if (value == usual) return;
  if constexpr (std::is_same_v<T, std::size_t>) {
    fields.push_back({.name = name, .value = whole(value)});
  } else {
    fields.push_back({.name = name, .value = value});
  }
}

void add_word(Fields& fields, std::string_view name, std::string_view enumeration,
              std::string_view word) {
  fields.push_back({.name = name, .value = word, .enumeration = enumeration});
}

/// A scaling as a part: its names and its fields.
struct Part {
  std::string_view part_class;
  std::string_view part_type;
  Fields fields;
};

Part part_of(const NoScaling&) { return {}; }

Part part_of(const Linear& linear) {
  return {"Linear", "linear", {{.name = "factor", .value = linear.factor}}};
}

Part part_of(const StaticNtk& ntk) {
  return {"StaticNtk", "static_ntk", {{.name = "factor", .value = ntk.factor}}};
}

Part part_of(const DynamicNtk& ntk) {
  return {"DynamicNtk",
          "dynamic_ntk",
          {{.name = "factor", .value = ntk.factor},
           {.name = "max_position_embeddings", .value = ntk.max_position_embeddings}}};
}

Part part_of(const Yarn& yarn) {
  const Yarn usual;
  Fields fields{
      {.name = "factor", .value = yarn.factor},
      {.name = "original_max_position_embeddings", .value = yarn.original_max_position_embeddings}};
  add(fields, "beta_fast", yarn.beta_fast, usual.beta_fast);
  add(fields, "beta_slow", yarn.beta_slow, usual.beta_slow);
  add(fields, "truncate", yarn.truncate, usual.truncate);
  add(fields, "mscale", yarn.mscale, usual.mscale);
  add(fields, "mscale_all_dim", yarn.mscale_all_dim, usual.mscale_all_dim);
  if (yarn.attention_factor.has_value()) {
    fields.push_back({.name = "attention_factor", .value = *yarn.attention_factor});
  }
  return {"Yarn", "yarn", std::move(fields)};
}

Part part_of(const LongRope& rope) {
  Fields fields{
      {.name = "short_factor", .value = array_of(rope.short_factor)},
      {.name = "long_factor", .value = array_of(rope.long_factor)},
      {.name = "original_max_position_embeddings", .value = rope.original_max_position_embeddings},
      {.name = "factor", .value = rope.factor}};
  if (rope.short_attention_factor.has_value()) {
    fields.push_back({.name = "short_attention_factor", .value = *rope.short_attention_factor});
  }
  if (rope.long_attention_factor.has_value()) {
    fields.push_back({.name = "long_attention_factor", .value = *rope.long_attention_factor});
  }
  return {"LongRope", "long_rope", std::move(fields)};
}

Part part_of(const Llama3& llama) {
  return {"Llama3",
          "llama3",
          {{.name = "factor", .value = llama.factor},
           {.name = "low_freq_factor", .value = llama.low_freq_factor},
           {.name = "high_freq_factor", .value = llama.high_freq_factor},
           {.name = "original_max_position_embeddings",
            .value = llama.original_max_position_embeddings}}};
}

Part part_of(const Proportional& rope) {
  return {"Proportional",
          "proportional",
          {{.name = "partial_rotary_factor", .value = rope.partial_rotary_factor},
           {.name = "factor", .value = rope.factor}}};
}

Part part_of(const CustomFrequencies& custom) {
  return {"CustomFrequencies",
          "custom_frequencies",
          {{.name = "inv_freq", .value = array_of(custom.inv_freq)}}};
}

Part part_of(const OneAxis&) { return {}; }

Part part_of(const Mrope& mrope) {
  Value::Array sections;
  for (const std::size_t section : mrope.sections) sections.push_back(whole(section));
  Fields fields{{.name = "sections", .value = std::move(sections)}};
  add(fields, "interleaved", mrope.interleaved, false);
  return {"Mrope", "mrope", std::move(fields)};
}

Part part_of(const Axial& axial) {
  constexpr std::string_view kBands[] = {"geometric", "dealt", "turns", "pixel_linear",
                                         "pixel_log"};
  Fields fields;
  if (axial.bands != AxialBands::geometric) {
    add_word(fields, "bands", "AxialBands", kBands[static_cast<std::size_t>(axial.bands)]);
  }
  return {"Axial", "axial", std::move(fields)};
}

template <class Variant>
void add_part(Fields& fields, std::string_view name, const Variant& variant) {
  Part part = std::visit([](const auto& one) { return part_of(one); }, variant);
  if (part.part_class.empty()) return;
  fields.push_back({.name = name,
                    .part_class = part.part_class,
                    .part_type = part.part_type,
                    .part = std::move(part.fields)});
}

Recipe recipe(const std::monostate&) { return {}; }

Recipe recipe(const RopeConfig& config) {
  const RopeConfig usual;
  Recipe result{.class_name = "Rope", .function = "rope"};
  Fields& fields = result.fields;
  fields.push_back({.name = "head_dim", .value = whole(config.head_dim)});
  add(fields, "rotary_dim", config.rotary_dim, config.head_dim - config.rotary_start);
  add(fields, "rotary_start", config.rotary_start, usual.rotary_start);
  add(fields, "base", config.base, usual.base);
  if (config.layout == RopeLayout::interleaved) {
    add_word(fields, "layout", "RopeLayout", "interleaved");
  }
  add_part(fields, "scaling", config.scaling);
  add_part(fields, "axes", config.axes);
  return result;
}

Recipe recipe(const SinusoidalConfig& config) {
  const SinusoidalConfig usual;
  Recipe result{.class_name = "Sinusoidal", .function = "sinusoidal"};
  Fields& fields = result.fields;
  fields.push_back({.name = "dim", .value = whole(config.dim)});
  if (config.layout == SinusoidalLayout::half) {
    add_word(fields, "layout", "SinusoidalLayout", "half");
  }
  if (config.odd_width == OddWidth::zero) add_word(fields, "odd_width", "OddWidth", "zero");
  add(fields, "frequency_denominator", config.frequency_denominator, usual.frequency_denominator);
  if (config.padding_position.has_value()) {
    fields.push_back({.name = "padding_position", .value = *config.padding_position});
  }
  return result;
}

Recipe recipe(const LearnedConfig& config) {
  Recipe result{.class_name = "Learned", .function = "learned", .weights = {"rows"}};
  result.fields.push_back({.name = "dim", .value = whole(config.dim)});
  add(result.fields, "row_offset", config.row_offset, std::int64_t{0});
  return result;
}

Recipe recipe(const SincosGridConfig& config) {
  Recipe result{.class_name = "SincosGrid", .function = "sincosGrid"};
  result.fields.push_back({.name = "dim", .value = whole(config.dim)});
  if (config.axis_order == AxisOrder::xy) {
    add_word(result.fields, "axis_order", "AxisOrder", "xy");
  }
  add(result.fields, "prefix_rows", config.prefix_rows, std::size_t{0});
  return result;
}

Recipe recipe(const DetrSineConfig& config) {
  Recipe result{.class_name = "DetrSine", .function = "detrSine"};
  result.fields.push_back({.name = "num_pos_feats", .value = whole(config.num_pos_feats)});
  add(result.fields, "normalize", config.normalize, false);
  return result;
}

Recipe recipe(const AlibiConfig& config) {
  Recipe result{.class_name = "Alibi", .function = "alibi"};
  result.fields.push_back({.name = "heads", .value = whole(config.heads)});
  if (config.form == AlibiForm::symmetric) {
    add_word(result.fields, "form", "AlibiForm", "symmetric");
  }
  add(result.fields, "alibi_bias_max", config.alibi_bias_max, 8.0);
  return result;
}

Recipe recipe(const T5Config& config) {
  const T5Config usual;
  Recipe result{.class_name = "T5", .function = "t5", .weights = {"table"}};
  result.fields.push_back({.name = "heads", .value = whole(config.heads)});
  result.fields.push_back({.name = "bidirectional", .value = config.bidirectional.value_or(true)});
  add(result.fields, "num_buckets", config.num_buckets, usual.num_buckets);
  add(result.fields, "max_distance", config.max_distance, usual.max_distance);
  return result;
}

Recipe recipe(const SwinConfig& config) {
  return {.class_name = "Swin",
          .function = "swin",
          .fields = {{.name = "window_height", .value = whole(config.window_height)},
                     {.name = "window_width", .value = whole(config.window_width)},
                     {.name = "heads", .value = whole(config.heads)}},
          .weights = {"table"}};
}

Recipe recipe(const SwinCpbConfig& config) {
  Recipe result{.class_name = "SwinCpb",
                .function = "swinCpb",
                .fields = {{.name = "window_height", .value = whole(config.window_height)},
                           {.name = "window_width", .value = whole(config.window_width)},
                           {.name = "heads", .value = whole(config.heads)}},
                .weights = {"layers"}};
  add(result.fields, "pretrained_height", config.pretrained_height, std::size_t{0});
  add(result.fields, "pretrained_width", config.pretrained_width, std::size_t{0});
  return result;
}

Recipe recipe(const ShawConfig& config) {
  return {
      .class_name = "Shaw",
      .function = "shaw",
      .fields = {{.name = "head_dim", .value = whole(config.head_dim)},
                 {.name = "max_relative_position", .value = whole(config.max_relative_position)}},
      .weights = {"keys"}};
}

Recipe recipe(const DebertaConfig& config) {
  Recipe result{.class_name = "Deberta",
                .function = "deberta",
                .fields = {{.name = "heads", .value = whole(config.heads)},
                           {.name = "head_dim", .value = whole(config.head_dim)}},
                .weights = {"rel_embeddings", "pos_key", "pos_query"}};
  add(result.fields, "c2p", config.c2p, true);
  add(result.fields, "p2c", config.p2c, true);
  add(result.fields, "position_buckets", config.position_buckets, std::size_t{0});
  result.fields.push_back(
      {.name = "max_relative_positions", .value = whole(config.max_relative_positions)});
  return result;
}

Recipe recipe(const TransformerXlConfig& config) {
  Recipe result{.class_name = "TransformerXl",
                .function = "transformerXl",
                .fields = {{.name = "heads", .value = whole(config.heads)},
                           {.name = "head_dim", .value = whole(config.head_dim)},
                           {.name = "d_model", .value = whole(config.d_model)}},
                .weights = {"content_bias", "position_bias"}};
  add(result.fields, "clamp_len", config.clamp_len, std::int64_t{-1});
  return result;
}

Recipe recipe(const DecomposedConfig& config) {
  return {.class_name = "Decomposed",
          .function = "decomposed",
          .fields = {{.name = "query_height", .value = whole(config.query_height)},
                     {.name = "query_width", .value = whole(config.query_width)},
                     {.name = "key_height", .value = whole(config.key_height)},
                     {.name = "key_width", .value = whole(config.key_width)},
                     {.name = "head_dim", .value = whole(config.head_dim)}},
          .weights = {"table_h", "table_w"}};
}

}  // namespace

Recipe recipe_of(const EncodingConfig& config) {
  return std::visit([](const auto& one) { return recipe(one); }, config);
}

}  // namespace posenc::detail
