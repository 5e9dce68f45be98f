#include "posenc/model/rope_parts.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "posenc/model/emit.hpp"
#include "posenc/rotary/ladder.hpp"

namespace posenc::detail {
namespace {

constexpr char kAxes[] = {'t', 'h', 'w'};

Value frequencies_at(const RopeConfig& config, std::int64_t length) {
  const Ladder ladder(config, length);
  Value::Array frequencies;
  frequencies.reserve(config.rotary_dim / 2);
  for (std::size_t pair = 0; pair < config.rotary_dim / 2; ++pair) {
    frequencies.push_back(ladder.frequency(pair).hi);
  }
  return frequencies;
}

/// The lengths at which the frequencies of a scaling that depends on the length are told.
void put_frequencies(ModelEncoding& encoding, const RopeConfig& config, std::int64_t max_position) {
  const Origin source = derived("base, rotary_dim, scaling");
  if (const auto* rope = std::get_if<LongRope>(&config.scaling)) {
    const std::int64_t original = rope->original_max_position_embeddings;
    put(encoding, "inv_freq_short", frequencies_at(config, original), source);
    put(encoding, "inv_freq_long", frequencies_at(config, original + 1), source);
    return;
  }
  if (!std::holds_alternative<DynamicNtk>(config.scaling)) {
    put(encoding, "inv_freq", frequencies_at(config, 0), source);
    return;
  }
  Value::Object by_length;
  for (const std::int64_t times : {std::int64_t{1}, std::int64_t{2}, std::int64_t{4}}) {
    const std::int64_t length = times * max_position;
    by_length.push_back({std::to_string(length), frequencies_at(config, length)});
  }
  put(encoding, "inv_freq_by_seq_len", std::move(by_length), source);
}

void put_attention_factor(ModelEncoding& encoding, const RopeConfig& config) {
  const Origin source = derived("scaling");
  const auto* rope = std::get_if<LongRope>(&config.scaling);
  const std::int64_t original = rope != nullptr ? rope->original_max_position_embeddings : 0;
  const double short_factor = attention_factor(config, original);
  const double long_factor = attention_factor(config, original + 1);
  if (short_factor == long_factor) put(encoding, "attention_factor", short_factor, source);
  if (rope == nullptr) return;
  put(encoding, "attention_factor_short", short_factor, source);
  put(encoding, "attention_factor_long", long_factor, source);
}

void put_sections(ModelEncoding& encoding, const RopeParts& parts, RopeConfig& config) {
  Mrope mrope{.interleaved = parts.interleaved_sections};
  Value::Array sections;
  for (std::size_t i = 0; i < 3; ++i) {
    mrope.sections[i] = static_cast<std::size_t>(parts.sections->value[i]);
    sections.push_back(parts.sections->value[i]);
  }
  config.axes = mrope;
  Value::Array axis_of_pair;
  axis_of_pair.reserve(config.rotary_dim / 2);
  for (std::size_t pair = 0; pair < config.rotary_dim / 2; ++pair) {
    axis_of_pair.push_back(std::string(1, kAxes[axis_of(config, pair)]));
  }
  put(encoding, "sections", std::move(sections), parts.sections->source);
  put(encoding, "interleaved", parts.interleaved_sections, kModelCode);
  put(encoding, "axes", Value::Array{"t", "h", "w"}, kModelCode);
  put(encoding, "axis_of_pair", std::move(axis_of_pair), derived("sections, interleaved"));
}

/// The sections must be three that fill the pairs.
void check_sections(const Field<std::vector<std::int64_t>>& sections, std::int64_t pairs,
                    bool interleaved) {
  if (sections.value.size() != 3) {
    fail(FindingCode::mrope_section_count, sections.path,
         {sections.path, " must have 3 entries, for time, height and width, got ",
          sections.value.size()});
  }
  const std::int64_t sum = sections.value[0] + sections.value[1] + sections.value[2];
  if (interleaved ? sum <= pairs : sum == pairs) return;
  fail(FindingCode::mrope_section_sum, sections.path,
       {sections.path, " must sum to rotary_dim/2 = ", pairs, ", got ", sum});
}

void put_softmax_scale(const Section& section, ModelEncoding& encoding, const RopeParts& parts,
                       const RopeConfig& config) {
  const double usual = 1.0 / std::sqrt(static_cast<double>(config.head_dim));
  if (parts.softmax == SoftmaxScale::usual) {
    encoding.attention.scale = usual;
    return;
  }
  double scale = usual;
  Origin source = derived("head_dim, scaling");
  if (parts.softmax == SoftmaxScale::mla) {
    const auto* yarn = std::get_if<Yarn>(&config.scaling);
    if (yarn != nullptr && yarn->mscale_all_dim != 0.0) {
      const double factor = yarn_mscale(yarn->factor, yarn->mscale_all_dim);
      put(encoding, "softmax_scale_factor", factor * factor, derived("factor, mscale_all_dim"));
      scale *= factor * factor;
    }
  } else {
    scale = parts.softmax_field->value;
    source = parts.softmax_field->source;
    if (parts.softmax == SoftmaxScale::inverse_root_of_field) {
      scale = 1.0 / std::sqrt(scale);
      source = derived(section, {parts.softmax_field->path, "^-0.5"});
    }
  }
  encoding.attention.scale = scale;
  put(encoding, "softmax_scale", scale, source);
}

}  // namespace

Field<std::int64_t> read_head_dim(const Section& section, const ModelType& type, const char* names,
                                  std::int64_t fallback) {
  if (const auto given = section.whole(names, 2, kMaxHead)) {
    if (given->value % 2 == 0) return *given;
    fail(FindingCode::field_range, given->path, {given->path, " must be even, got ", given->value});
  }
  if (fallback != 0) return section.whole(names, fallback, 2, kMaxDims);
  const auto hidden = section.shape(type.spelling.hidden, type.shape.hidden);
  const auto heads = section.shape(type.spelling.heads, type.shape.heads);
  const std::int64_t width = hidden.value / heads.value;
  if (hidden.value % heads.value != 0) {
    fail(FindingCode::not_divisible, hidden.path,
         {hidden.path, " = ", hidden.value, " must be divisible by ", heads.path, " = ",
          heads.value});
  }
  if (width % 2 != 0 || width < 2 || width > kMaxHead) {
    fail(FindingCode::field_range, heads.path,
         {hidden.path, " / ", heads.path, " must be even for a rope, and at most ", kMaxHead,
          ", got ", width});
  }
  return {width, derived(section, {hidden.path, " / ", heads.path}), heads.path};
}

Field<std::int64_t> partial_rotary_dim(const Section& section, const Field<std::int64_t>& head_dim,
                                       const Field<double>& factor) {
  const auto dims = static_cast<std::int64_t>(static_cast<double>(head_dim.value) * factor.value);
  if (dims < 2 || dims % 2 != 0) {
    fail(FindingCode::rotary_odd, factor.path,
         {factor.path, " = ", factor.value, " rotates ", dims, " of ", head_dim.value,
          " dims, which must be an even number"});
  }
  if (dims == head_dim.value) return {dims, derived("head_dim"), head_dim.path};
  return {dims, derived(section, {"head_dim * ", factor.path}), factor.path};
}

std::optional<Field<std::int64_t>> read_max_position(const Reading& reading) {
  const char* names = reading.type.spelling.max_position;
  const std::int64_t fallback = reading.type.shape.max_position;
  if (fallback != 0) return reading.section.whole(names, fallback, 1, kMaxLength);
  return reading.section.whole(names, 1, kMaxLength);
}

void emit_rope(Reading& reading, const RopeParts& parts, std::vector<std::int64_t> layers) {
  const std::int64_t max_position = parts.max_position ? parts.max_position->value : 2048;
  Scaling scaling = read_scaling(parts.scaling, reading.type.rope,
                                 {.pairs = parts.rotary_dim.value / 2,
                                  .max_position = max_position,
                                  .original = parts.original,
                                  .base = parts.base,
                                  .head_dim = parts.head_dim,
                                  .rotary_dim = parts.rotary_dim});
  if (parts.scaling_is_usual) scaling.source = kClassDefault;
  RopeConfig config{.head_dim = static_cast<std::size_t>(parts.head_dim.value),
                    .rotary_dim = static_cast<std::size_t>(parts.rotary_dim.value),
                    .rotary_start = static_cast<std::size_t>(parts.rotary_start),
                    .base = parts.base.value,
                    .layout = parts.layout.value,
                    .scaling = std::move(scaling.scaling)};
  if (parts.sections.has_value()) {
    check_sections(*parts.sections, parts.rotary_dim.value / 2, parts.interleaved_sections);
  }
  ModelEncoding& encoding =
      emit(reading, parts.sections.has_value() ? "mrope" : "rope", std::move(layers));
  put(encoding, "head_dim", parts.head_dim);
  put(encoding, "rotary_dim", parts.rotary_dim);
  put(encoding, "placement", parts.rotary_start == 0 ? "prefix" : "last rotary_dim dims of a head",
      kModelCode);
  put(encoding, "base", parts.base);
  put(encoding, "layout", parts.layout.value == RopeLayout::half ? "half" : "interleaved",
      parts.layout.source);
  put(encoding, "scaling", std::move(scaling.told), scaling.source);
  if (parts.sections.has_value()) put_sections(encoding, parts, config);
  check_built(check(config), reading.section);
  put_attention_factor(encoding, config);
  if (const auto* yarn = std::get_if<Yarn>(&config.scaling)) {
    const YarnRamp ramp = yarn_ramp(*yarn, config.base, config.rotary_dim);
    put(encoding, "yarn_ramp", Value::Object{{"lo", ramp.low}, {"hi", ramp.high}},
        derived("base, rotary_dim, scaling"));
  }
  put_frequencies(encoding, config, max_position);
  put_softmax_scale(reading.section, encoding, parts, config);
  if (parts.max_position.has_value()) put(encoding, "max_position", *parts.max_position);
  put(encoding, "causal", parts.causal, kModelCode);
  encoding.attention.causal = parts.causal;
  if (parts.window.has_value()) {
    put(encoding, "window", *parts.window);
    encoding.attention.window = parts.window->value;
  }
  encoding.config = std::move(config);
}

}  // namespace posenc::detail
