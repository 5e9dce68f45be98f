// Models of several parts, each with a config of its own, and models without positions.

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "posenc/model/emit.hpp"
#include "posenc/model/model_type.hpp"

namespace posenc::detail {
namespace {

constexpr const char* kTextSections = "text_config|language_config|llm_config|text_model_config";
constexpr const char* kVisionSections = "vision_config|visual|vision_tower_config";
constexpr const char* kAudioSections = "audio_config|speech_config|audio_encoder_config";

/// Fields that a part's config has instead of the whole's.
constexpr const char* kOwned[] = {"rope_theta",
                                  "rope_scaling",
                                  "rope_parameters",
                                  "hidden_size",
                                  "num_attention_heads",
                                  "head_dim",
                                  "max_position_embeddings",
                                  "sliding_window",
                                  "num_hidden_layers",
                                  "partial_rotary_factor"};

std::string json_of(const Value& value) {
  std::string text;
  value.append_json(text);
  return text;
}

/// Says which fields of the whole's config a part's own hide.
void warn_of_hidden_fields(const Section& whole, const Section& part) {
  for (const char* name : kOwned) {
    const Value* outer = whole.find(name);
    const Value* inner = part.find(name);
    if (outer == nullptr || inner == nullptr || json_of(*outer) == json_of(*inner)) continue;
    whole.warn(FindingCode::field_ignored, name,
               {whole.path(name), " = ", shown(*outer), " has no effect: ", part.path(name), " = ",
                shown(*inner), " counts"});
  }
}

void must_be_object(const Section& whole, const char* spellings) {
  (void)whole.section(spellings);  // throws when it is something else
}

/// The row of a part: its own model_type's, or the one that the whole names for it, which counts
/// where a part has the whole's own name (Qwen3-VL's vision tower).
const ModelType* type_of_part(const Reading& whole, const Section& part, const char* usual) {
  const auto name = part.word("model_type");
  const bool names_whole = name.has_value() && name->value == whole.type.name;
  if (!name.has_value() || (names_whole && *usual != '\0')) return find_model_type(usual);
  return find_model_type(name->value);
}

void read_part(const Reading& whole, const Section& part, const ModelType& type, Site site) {
  Reading reading{type, part, site, whole.encodings, whole.assumed};
  if (site == Site::text) reading.site = type.site;
  read_model(reading);
}

bool has_rope_fields(const Section& section) {
  return section.has("rope_theta|rope_scaling|rope_parameters|rotary_emb_base|rotary_dim");
}

void read_text(const Reading& whole) {
  const Section& section = whole.section;
  const char* usual = whole.type.parts.text;
  const auto part = section.section(kTextSections);
  if (!part.has_value()) {
    if (*usual == '\0') return;
    const ModelType& type = *find_model_type(usual);
    // Older files have the text's fields in the whole's config.
    const bool is_flat = section.has(type.spelling.hidden) || section.has(type.spelling.heads) ||
                         has_rope_fields(section);
    if (is_flat) {
      read_part(whole, section, type, Site::text);
      return;
    }
    section.warn(FindingCode::default_used, "text_config",
                 {section.path("text_config"), " is missing; class defaults are taken"});
    read_part(whole, section.section_or_empty("text_config"), type, Site::text);
    return;
  }
  warn_of_hidden_fields(section, *part);
  if (const ModelType* type = type_of_part(whole, *part, usual)) {
    read_part(whole, *part, *type, Site::text);
  } else {
    read_unknown(whole.encodings, *part);
  }
}

void read_tower(const Reading& whole, const char* sections, const char* usual, Site site) {
  const Section& section = whole.section;
  const auto part = section.section(sections);
  if (!part.has_value()) return;
  if (const ModelType* type = type_of_part(whole, *part, usual)) {
    read_part(whole, *part, *type, site);
    return;
  }
  const auto name = part->word("model_type");
  part->warn(FindingCode::site_not_read, "model_type",
             {part->path("model_type"), name.has_value() ? " = " : " is missing, which",
              name.has_value() ? shown(Value(name->value)) : std::string(),
              " is not known: this part is left out"});
}

}  // namespace

void read_unknown(std::vector<ModelEncoding>& encodings, const Section& section) {
  const auto name = section.word("model_type");
  const std::string told = name.has_value() ? shown(Value(name->value)) : "no model_type";
  const bool is_rope =
      has_rope_fields(section) && section.has("hidden_size|n_embd|d_model|head_dim");
  const bool is_alibi =
      section.has("alibi") ? section.flag("alibi", false).value : section.has("alibi_bias_max");
  if (!is_rope && !is_alibi) {
    section.fail(FindingCode::model_type_unknown, "model_type",
                 {section.path("model_type"), " must be a known one, got ", told,
                  ", which has no fields of a rope or of ALiBi either"});
  }
  const ModelType& type = is_alibi ? generic_alibi() : generic_rope();
  section.warn(
      FindingCode::unknown_model_type_assumed, "model_type",
      {told, " is not known: its ", (is_alibi ? "ALiBi" : "rope"),
       " fields are read as most models mean them", (is_alibi ? "" : ", with the half layout")});
  Reading reading{type, section, Site::text, encodings, true};
  read_model(reading);
}

void read_unknown_parts(std::vector<ModelEncoding>& encodings, const Section& section) {
  constexpr ModelType kUnknown{.rule = read_parts};
  section.warn(FindingCode::unknown_model_type_assumed, "model_type",
               {section.path("model_type"), " is not known: its parts are read by their own"});
  Reading reading{kUnknown, section, Site::text, encodings, true};
  read_parts(reading);
}

void read_model(Reading& reading) {
  const bool has_parts = reading.section.find(kTextSections) != nullptr;
  must_be_object(reading.section, kTextSections);
  if (auto thinker = reading.section.section("thinker_config")) {
    const ModelType* type = find_model_type("qwen2_5_omni_thinker");
    Reading part{*type, *thinker, reading.site, reading.encodings, reading.assumed};
    read_model(part);
  } else if (has_parts && reading.type.rule != read_sam) {
    read_parts(reading);
  } else {
    reading.type.rule(reading);
  }
}

void read_parts(Reading& reading) {
  read_text(reading);
  read_tower(reading, kVisionSections, reading.type.parts.vision, Site::vision);
  read_tower(reading, kAudioSections, reading.type.parts.audio, Site::audio);
}

void read_recurrent(Reading& reading) {
  emit_none(reading, "recurrent or state-space model: order is its state");
}

void read_hybrid_without_positions(Reading& reading) {
  emit_none(reading, "hybrid with a state-space model; its attention layers use no positions");
}

}  // namespace posenc::detail
