// Rules of models with rotary positions.

#include <algorithm>
#include <string>
#include <utility>

#include "posenc/model/emit.hpp"
#include "posenc/model/layers.hpp"
#include "posenc/model/rope_parts.hpp"

namespace posenc::detail {
namespace {

/// Whether rope_parameters hold an object per layer type.
bool is_per_layer_type(const Section& parameters) {
  return std::ranges::any_of(parameters.members(), [](const Member& member) {
    return member.value.get_if<Value::Object>() != nullptr;
  });
}

/// rope_scaling or rope_parameters of the layers of one kind; `is_own` tells whether that kind has
/// parameters of its own.
std::optional<Section> parameters_of(const Section& section, LayerKind kind, bool& is_own) {
  is_own = false;
  const auto old_form = section.section("rope_scaling");
  const auto new_form = section.section("rope_parameters");
  if (old_form.has_value() && old_form->members().empty()) {
    section.warn(FindingCode::rope_scaling_empty, "rope_scaling",
                 {section.path("rope_scaling"), " is empty: nothing is scaled"});
    return new_form;
  }
  if (old_form.has_value() && new_form.has_value()) {
    section.warn(FindingCode::rope_both_forms, "rope_parameters",
                 {section.path("rope_parameters"),
                  " and rope_scaling are both there; "
                  "rope_scaling counts"});
  }
  if (old_form.has_value()) return old_form;
  if (!new_form.has_value() || !is_per_layer_type(*new_form)) return new_form;
  const char* name = layer_type_name(kind);
  const auto own = new_form->section(name);
  if (!own.has_value()) {
    new_form->fail(FindingCode::field_missing, name,
                   {new_form->path(name), " is missing, and there are such layers"});
  }
  is_own = true;
  return own;
}

Field<double> read_base(const Section& section, const RopeRow& row, LayerKind kind,
                        const std::optional<Section>& parameters, bool is_own) {
  const bool is_local = kind == LayerKind::sliding && row.local_base != 0.0;
  if (parameters.has_value() && (is_own || !is_local)) {
    if (const auto base = parameters->number("rope_theta", 1.0, kMaxBase)) return *base;
  }
  if (is_local) return section.number(row.local_base_names, row.local_base, 1.0, kMaxBase);
  return section.number(row.base_names, row.base, 1.0, kMaxBase);
}

Field<std::int64_t> read_rotary_dim(const Section& section, const RopeRow& row,
                                    const Field<std::int64_t>& head_dim,
                                    const std::optional<Section>& parameters) {
  if (*row.rotary_dim_names != '\0') {
    const auto found = section.whole(row.rotary_dim_names, row.rotary_dim, 2, head_dim.value);
    if (found.value == 0) return head_dim;
    if (found.value % 2 == 0 && found.value <= head_dim.value) return found;
    fail(FindingCode::rotary_odd, found.path,
         {found.path, " must be even and at most head_dim = ", head_dim.value, ", got ",
          found.value});
  }
  Field<double> factor = section.number(row.partial_names, row.partial, 0.0, 1.0);
  if (parameters.has_value()) {
    if (const auto own = parameters->number("partial_rotary_factor", 0.0, 1.0)) factor = *own;
    // A proportional scaling spans the whole head and reads the factor itself.
    const auto type = parameters->word("rope_type|type");
    if (type.has_value() && type->value == "proportional") return head_dim;
  }
  const auto dims = partial_rotary_dim(section, head_dim, factor);
  const auto other = section.whole("rotary_dim", 1, kMaxDims);
  if (std::string_view(row.partial_names).find("rotary_dim") == std::string_view::npos &&
      other.has_value() && other->value != dims.value) {
    section.warn(FindingCode::field_ignored, "rotary_dim",
                 {other->path, " = ", other->value, " has no effect: ", factor.path, " counts"});
  }
  return dims;
}

std::optional<Field<std::int64_t>> read_window(const Section& section, const RopeRow& row,
                                               LayerKind kind, bool uniform) {
  const bool slides = kind == LayerKind::sliding || row.layers == LayerRule::block_types ||
                      (uniform && row.layers == LayerRule::uniform);
  if (!slides || *row.window_names == '\0') return std::nullopt;
  const auto given = section.whole(row.window_names, 1, kMaxLength);
  if (given.has_value() || row.window == 0 || section.is_null(row.window_names)) return given;
  return section.whole(row.window_names, row.window, 1, kMaxLength);
}

/// Three sections for time, height and width, where the model has axes.
std::optional<Field<std::vector<std::int64_t>>> read_sections(
    const Section& section, const RopeRow& row, const std::optional<Section>& parameters) {
  if (row.sections[2] == 0) return std::nullopt;
  if (parameters.has_value()) {
    if (auto given = parameters->wholes("mrope_section", 0, kMaxDims)) return given;
  }
  const char* path = section.path("rope_scaling.mrope_section");
  section.warn(FindingCode::default_used, "rope_scaling.mrope_section",
               {path, " is missing; the class's own sections are taken"});
  return Field<std::vector<std::int64_t>>{
      {row.sections.begin(), row.sections.end()}, kClassDefault, path};
}

/// The widths of multi-head latent attention; false when the config switches it off.
bool read_latent_widths(const Section& section, const RopeRow& row, RopeParts& parts) {
  const auto rope = section.whole("qk_rope_head_dim", row.rope_dim, 0, kMaxHead);
  const auto rest = section.whole("qk_nope_head_dim", row.nope_dim, 0, kMaxHead);
  if (rope.value == 0) {
    section.warn(FindingCode::mla_disabled, "qk_rope_head_dim",
                 {rope.path,
                  " is 0: plain attention with hidden_size / num_attention_heads and "
                  "the half layout"});
    return false;
  }
  if (rope.value % 2 != 0) {
    fail(FindingCode::rotary_odd, rope.path, {rope.path, " must be even, got ", rope.value});
  }
  parts.rotary_dim = rope;
  parts.rotary_start = rest.value;
  parts.head_dim = {rest.value + rope.value, derived(section, {rest.path, " + ", rope.path}),
                    rope.path};
  return true;
}

void read_widths(const Reading& reading, LayerKind kind, const std::optional<Section>& parameters,
                 RopeParts& parts) {
  const Section& section = reading.section;
  const RopeRow& row = reading.type.rope;
  parts.layout = {row.layout, kModelCode, ""};
  if (section.has(row.interleaved_names)) {
    const auto interleaved = section.flag(row.interleaved_names, false);
    parts.layout = interleaved.as(interleaved.value ? RopeLayout::interleaved : RopeLayout::half);
  }
  if (reading.assumed) parts.layout.source = {Source::Kind::assumption, "the most common layout"};
  if (row.rope_dim != 0) {
    if (read_latent_widths(section, row, parts)) return;
    parts.layout.value = RopeLayout::half;
    parts.softmax = SoftmaxScale::usual;
  }
  const char* names = row.head_dim_names;
  std::int64_t fallback = row.head_dim;
  if (kind == LayerKind::full && section.has(row.full_head_dim_names)) {
    names = row.full_head_dim_names;
  } else if (kind == LayerKind::full && row.full_head_dim != 0) {
    names = row.full_head_dim_names;
    fallback = row.full_head_dim;
  } else if (kind == LayerKind::sliding && section.has(row.sliding_head_dim_names)) {
    names = row.sliding_head_dim_names;
  }
  parts.head_dim = read_head_dim(section, reading.type, names, fallback);
  parts.rotary_dim = read_rotary_dim(section, row, parts.head_dim, parameters);
}

/// `usual`: the class's own parameters, for a config without any.
RopeParts read_parts_of(const Reading& reading, LayerKind kind, bool uniform,
                        const std::optional<Section>& usual) {
  const Section& section = reading.section;
  const RopeRow& row = reading.type.rope;
  bool is_own = false;
  std::optional<Section> parameters;
  if (row.reads_scaling) parameters = parameters_of(section, kind, is_own);
  const bool is_usual = !parameters.has_value() && usual.has_value() &&
                        !section.is_null("rope_scaling") && !section.is_null("rope_parameters");
  if (is_usual) parameters = usual;
  RopeParts parts{.head_dim = {}, .rotary_dim = {}, .base = {}, .layout = {}};
  parts.softmax = row.softmax;
  read_widths(reading, kind, parameters, parts);
  parts.base = read_base(section, row, kind, parameters, is_own);
  parts.max_position = read_max_position(reading);
  const auto original = section.whole("original_max_position_embeddings", 1, kMaxLength);
  if (original.has_value()) {
    parts.original = original->value;
  } else if (row.original != 0) {
    parts.original = row.original;
  }
  parts.window = read_window(section, row, kind, uniform);
  parts.sections = read_sections(section, row, parameters);
  parts.interleaved_sections = row.interleaved_sections;
  if (parameters.has_value()) {
    parts.interleaved_sections =
        parameters->flag("mrope_interleaved", row.interleaved_sections).value;
  }
  parts.causal = row.causal;
  if (*row.softmax_names != '\0') {
    parts.softmax_field = section.number(row.softmax_names, row.softmax_value, 1e-30, 1e30);
  }
  const bool unscaled = kind == LayerKind::sliding && row.scales_full_only && !is_own;
  if (!unscaled) parts.scaling = parameters;
  parts.scaling_is_usual = is_usual;
  return parts;
}

const char* reason_of(LayerKind kind, const RopeRow& row) {
  switch (kind) {
    case LayerKind::linear:
      return "linear attention layer";
    case LayerKind::recurrent:
      return "recurrent block";
    case LayerKind::full:
      return row.full_is_nope ? "global NoPE in hybrid models" : "";
    default:
      return "NoPE layer";
  }
}

/// Whether a hybrid model's full layers have no rope: only while it has a window.
bool full_is_nope(const Section& section, const RopeRow& row) {
  return row.full_is_nope && !section.is_null(row.window_names);
}

}  // namespace

void read_rope(Reading& reading) {
  const RopeRow& row = reading.type.rope;
  const auto kinds = layer_kinds(reading);
  Value usual_value;
  std::optional<Section> usual;
  if (*row.usual_parameters != '\0') {
    std::vector<Finding> none;
    usual_value = read_json(row.usual_parameters, none);
    usual = reading.section.as_if("rope_parameters", usual_value);
  }
  if (!row.reads_scaling) {
    reading.section.ignore("rope_scaling", "the model's code does not read it");
    reading.section.ignore("rope_theta", "the model's code does not read it");
  }
  for (const LayerKind kind : {LayerKind::full, LayerKind::chunked, LayerKind::sliding,
                               LayerKind::nope, LayerKind::linear, LayerKind::recurrent}) {
    if (std::ranges::find(kinds, kind) == kinds.end()) continue;
    auto layers = layers_of(kinds, kind);
    const bool bare = kind == LayerKind::nope || kind == LayerKind::linear ||
                      kind == LayerKind::recurrent ||
                      (kind == LayerKind::full && full_is_nope(reading.section, row));
    if (bare) {
      emit_none(reading, reason_of(kind, row), std::move(layers));
    } else {
      emit_rope(reading, read_parts_of(reading, kind, kinds.size() == 1, usual), std::move(layers));
    }
  }
}

}  // namespace posenc::detail
