// Rules of models that add sinusoids.

#include <cmath>
#include <string>
#include <utility>

#include "posenc/model/emit.hpp"
#include "posenc/model/patches.hpp"

namespace posenc::detail {
namespace {

struct SinusoidalParts {
  Field<std::int64_t> rows;
  Field<std::int64_t> dim;
  SinusoidVariant variant = SinusoidVariant::interleaved;
  std::int64_t row_offset = 0;
  std::optional<Field<std::int64_t>> padding_idx{};
  bool causal = false;
};

const char* name_of(SinusoidVariant variant) {
  constexpr const char* kNames[] = {"interleaved", "half_paper", "half_t2t"};
  return kNames[static_cast<std::size_t>(variant)];
}

/// sqrt(dim) where the model multiplies its inputs by it; 1 where it does not.
void put_input_scale(const Reading& reading, ModelEncoding& encoding, std::int64_t dim) {
  const TableRow& row = reading.type.table;
  const bool always = *row.scale_names == '\0';
  const bool scales =
      always ? row.scales_input : reading.section.flag(row.scale_names, row.scales_input).value;
  if (!scales) return;
  put(encoding, "input_scale", std::sqrt(static_cast<double>(dim)),
      always ? kModelCode : derived(reading.section, {row.scale_names, ", dim"}));
}

void emit_sinusoidal(Reading& reading, const SinusoidalParts& parts) {
  const std::int64_t half = parts.dim.value / 2;
  if (parts.variant == SinusoidVariant::half_t2t && half < 2) {
    fail(FindingCode::field_range, parts.dim.path,
         {parts.dim.path, " must be at least 4, since exponents are i / (dim/2 - 1), got ",
          parts.dim.value});
  }
  SinusoidalConfig config{.dim = static_cast<std::size_t>(parts.dim.value)};
  if (parts.variant != SinusoidVariant::interleaved) config.layout = SinusoidalLayout::half;
  if (parts.variant == SinusoidVariant::half_t2t) {
    config.odd_width = OddWidth::zero;
    config.frequency_denominator = 2.0 * static_cast<double>(half - 1);
  }
  if (parts.padding_idx.has_value()) config.padding_position = parts.padding_idx->value;
  check_built(check(config), reading.section);
  ModelEncoding& encoding = emit(reading, "sinusoidal");
  put(encoding, "variant", name_of(parts.variant), kModelCode);
  put(encoding, "dim", parts.dim);
  put(encoding, "rows", parts.rows);
  put(encoding, "row_offset", parts.row_offset, kModelCode);
  if (parts.padding_idx.has_value()) put(encoding, "padding_idx", *parts.padding_idx);
  put(encoding, "base", config.base, kModelCode);
  put(encoding, "exponent", parts.variant == SinusoidVariant::half_t2t ? "i/(dim/2-1)" : "2i/dim",
      kModelCode);
  put_input_scale(reading, encoding, parts.dim.value);
  put(encoding, "causal", parts.causal, kModelCode);
  encoding.attention.causal = parts.causal;
  encoding.config = config;
}

SinusoidalParts read_table(const Reading& reading, bool causal) {
  const TableRow& row = reading.type.table;
  const Section& section = reading.section;
  SinusoidalParts parts{.rows = section.whole(reading.type.spelling.max_position,
                                              reading.type.shape.max_position, 1, kMaxRows),
                        .dim = *row.dim_names == '\0' ? section.shape(reading.type.spelling.hidden,
                                                                      reading.type.shape.hidden)
                                                      : section.shape(row.dim_names, row.dim),
                        .variant = row.variant,
                        .row_offset = row.row_offset,
                        .causal = causal};
  if (row.extra_rows != 0) {
    parts.rows.value += row.extra_rows;
    parts.rows.source = derived(section, {parts.rows.path, " + ", row.extra_rows});
  }
  if (row.after_padding) {
    parts.padding_idx = section.whole("pad_token_id", row.padding_idx, 0, kMaxRows);
  }
  return parts;
}

}  // namespace

void read_sinusoidal(Reading& reading) {
  emit_sinusoidal(reading, read_table(reading, reading.type.table.causal));
}

void read_sinusoidal_pair(Reading& reading) {
  reading.site = Site::encoder;
  emit_sinusoidal(reading, read_table(reading, false));
  reading.site = Site::decoder;
  emit_sinusoidal(reading, read_table(reading, true));
}

void read_whisper_encoder(Reading& reading) {
  emit_sinusoidal(
      reading,
      {.rows = reading.section.whole("max_source_positions", 1500, 1, kMaxRows),
       .dim = reading.section.shape(reading.type.spelling.hidden, reading.type.shape.hidden),
       .variant = SinusoidVariant::half_t2t});
}

void read_vit_mae(Reading& reading) {
  const Patches patches = read_patch_grid(reading);
  const auto dim = reading.section.shape(reading.type.spelling.hidden, reading.type.shape.hidden);
  const SincosGridConfig config{
      .dim = static_cast<std::size_t>(dim.value), .axis_order = AxisOrder::xy, .prefix_rows = 1};
  check_built(check(config), reading.section);
  ModelEncoding& encoding = emit(reading, "sincos2d");
  put(encoding, "variant", "mae", kModelCode);
  put(encoding, "dim", dim);
  put(encoding, "grid", Value::Array{patches.rows, patches.columns}, patches.source);
  put(encoding, "prefix_tokens", std::int64_t{1}, kModelCode);
  encoding.config = config;
}

void read_detr(Reading& reading) {
  const Section& section = reading.section;
  const auto kind = section.word("position_embedding_type");
  const auto dim = section.shape(reading.type.spelling.hidden, reading.type.shape.hidden);
  if (kind.has_value() && kind->value == "learned") {
    emit_none(reading, "learned rows and columns, which are not told here");
    return;
  }
  if (kind.has_value() && kind->value != "sine") {
    fail(FindingCode::position_type_unknown, kind->path,
         {kind->path, " must be sine or learned, got ", shown(Value(kind->value))});
  }
  const DetrSineConfig config{.num_pos_feats = static_cast<std::size_t>(dim.value / 2),
                              .normalize = true};
  check_built(check(config), section);
  ModelEncoding& encoding = emit(reading, "sincos2d");
  put(encoding, "variant", "detr_sine", kModelCode);
  put(encoding, "dim", dim);
  put(encoding, "dim_per_axis", dim.value / 2, derived("dim / 2"));
  put(encoding, "axes", Value::Array{"y", "x"}, kModelCode);
  put(encoding, "base", config.temperature, kModelCode);
  put(encoding, "normalize", true, kModelCode);
  put(encoding, "scale", config.scale, kModelCode);
  put(encoding, "eps", config.eps, kModelCode);
  encoding.config = config;
}

}  // namespace posenc::detail
