// Rules of models whose positions are read with the content: Shaw, DeBERTa, Transformer-XL.

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "posenc/model/emit.hpp"
#include "posenc/model/relative_parts.hpp"

namespace posenc::detail {
namespace {

/// The largest distance that `ShawConfig` takes.
constexpr std::int64_t kMaxClip = 2047;

Field<std::int64_t> read_width(const Reading& reading) {
  const ModelType& type = reading.type;
  const auto hidden = reading.section.shape(type.spelling.hidden, type.shape.hidden);
  const auto heads = reading.section.shape(type.spelling.heads, type.shape.heads);
  if (hidden.value % heads.value == 0) {
    return {hidden.value / heads.value, derived(reading.section, {hidden.path, " / ", heads.path}),
            heads.path};
  }
  fail(
      FindingCode::not_divisible, hidden.path,
      {hidden.path, " = ", hidden.value, " must be divisible by ", heads.path, " = ", heads.value});
}

struct ShawParts {
  Field<std::int64_t> left;
  Field<std::int64_t> right;
  std::vector<std::string> terms{};
};

ModelEncoding& emit_shaw(Reading& reading, const ShawParts& parts) {
  const auto width = read_width(reading);
  ModelEncoding& encoding = emit(reading, "shaw");
  put(encoding, "rows", parts.left.value + parts.right.value + 1,
      derived("left_clip + right_clip + 1"));
  put(encoding, "left_clip", parts.left);
  put(encoding, "right_clip", parts.right);
  put(encoding, "terms", Value::Array(parts.terms.begin(), parts.terms.end()), kModelCode);
  put(encoding, "value_term", false, kModelCode);
  put(encoding, "dim", width);
  if (parts.left.value == parts.right.value && parts.left.value <= kMaxClip) {
    encoding.config =
        ShawConfig{.head_dim = static_cast<std::size_t>(width.value),
                   .max_relative_position = static_cast<std::size_t>(parts.left.value)};
  }
  return encoding;
}

bool has_term(const std::vector<std::string>& terms, std::string_view term) {
  for (const std::string& each : terms) {
    if (each == term) return true;
  }
  return false;
}

/// pos_att_type: a list or a string such as "c2p|p2c".
std::vector<std::string> read_terms(const Section& section, Origin& source) {
  std::vector<std::string> terms;
  const Value* value = section.find("pos_att_type");
  source = {Source::Kind::config, section.path("pos_att_type")};
  if (value == nullptr) {
    source = kClassDefault;
    return terms;
  }
  const auto add = [&](std::string_view term, const char* name) {
    if (term == "c2p" || term == "p2c") {
      if (!has_term(terms, term)) terms.emplace_back(term);
    } else {
      section.fail(FindingCode::field_value, name,
                   {section.path(name), " must be c2p or p2c, got ", shown(Value(term))});
    }
  };
  if (const auto* word = value->get_if<std::string>()) {
    std::string_view rest = *word;
    while (!rest.empty()) {
      const std::size_t end = rest.find('|');
      const std::string_view term = rest.substr(0, end);
      if (!term.empty()) add(term, "pos_att_type");
      rest = end == std::string_view::npos ? "" : rest.substr(end + 1);
    }
    return terms;
  }
  const Value::Array& items = *section.array("pos_att_type");
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string name = indexed("pos_att_type", i);
    const auto* word = items[i].get_if<std::string>();
    add(word != nullptr ? std::string_view(*word) : std::string_view("no string"), name.c_str());
  }
  return terms;
}

/// The distances: max_relative_positions, or max_position_embeddings where that is not positive.
Field<std::int64_t> read_max_relative(const Reading& reading) {
  const auto given = reading.section.whole("max_relative_positions", -1, -1, kMaxDims);
  if (given.value >= 1) return given;
  auto positions = reading.section.whole(reading.type.spelling.max_position,
                                         reading.type.shape.max_position, 1, kMaxDims);
  return {positions.value, derived(positions.path), positions.path};
}

void emit_deberta(Reading& reading, std::int64_t version) {
  const Section& section = reading.section;
  const auto width = read_width(reading);
  const auto heads = section.shape(reading.type.spelling.heads, reading.type.shape.heads);
  const auto max_relative = read_max_relative(reading);
  const auto buckets = section.whole("position_buckets", -1, -1, 4096);
  const bool has_buckets = version == 2 && buckets.value > 0;
  const std::int64_t span = has_buckets ? buckets.value : max_relative.value;
  Origin terms_source;
  const auto terms = read_terms(section, terms_source);
  const bool absolute = section.flag("position_biased_input", true).value;
  const auto share = section.flag("share_att_key", false);
  const auto norm = section.word("norm_rel_ebd");
  const bool is_normed =
      version == 2 && norm.has_value() && norm->value.find("layer_norm") != std::string::npos;
  const std::int64_t scale_terms = 1 + static_cast<std::int64_t>(terms.size());
  const double scale = 1.0 / std::sqrt(static_cast<double>(width.value * scale_terms));
  ModelEncoding& encoding = emit(reading, "deberta");
  put(encoding, "version", version, kModelCode);
  put(encoding, "buckets", has_buckets ? Value(buckets.value) : Value(), buckets.source);
  put(encoding, "max_relative_positions", max_relative);
  put(encoding, "span", span, derived(has_buckets ? "buckets" : "max_relative_positions"));
  put(encoding, "table_rows", 2 * span, derived("2 * span"));
  put(encoding, "terms", Value::Array(terms.begin(), terms.end()), terms_source);
  put(encoding, "scale_terms", scale_terms, derived("1 + terms"));
  put(encoding, "softmax_scale", scale, derived("(head_dim * scale_terms)^-0.5"));
  put(encoding, "share_att_key", version == 2 && share.value, share.source);
  put(encoding, "norm_rel_embeddings", is_normed, kModelCode);
  put(encoding, "absolute_input", absolute, kModelCode);
  put(encoding, "heads", heads);
  put(encoding, "head_dim", width);
  encoding.attention.scale = scale;
  const DebertaConfig config{
      .heads = static_cast<std::size_t>(heads.value),
      .head_dim = static_cast<std::size_t>(width.value),
      .c2p = has_term(terms, "c2p"),
      .p2c = has_term(terms, "p2c"),
      .position_buckets = has_buckets ? static_cast<std::size_t>(buckets.value) : 0,
      .max_relative_positions = static_cast<std::size_t>(max_relative.value),
      .att_span = static_cast<std::size_t>(span)};
  if (terms.empty()) return;  // nothing is added to the scores
  check_built(check(config), section);
  encoding.config = config;
}

void read_either_deberta(Reading& reading, std::int64_t version) {
  const bool relative = reading.section.flag("relative_attention", false).value;
  const bool absolute = reading.section.flag("position_biased_input", true).value;
  if (relative) emit_deberta(reading, version);
  if (absolute) read_learned(reading);
  if (!relative && !absolute) {
    emit_none(reading, "neither relative_attention nor position_biased_input");
  }
}

struct RecurrenceParts {
  const char* variant;
  Field<std::int64_t> width;
  Field<std::int64_t> clamp_len;
  bool bidirectional = false;
  const char* first_row;
  const char* last_row;
};

void emit_transformer_xl(Reading& reading, const RecurrenceParts& parts) {
  const auto dim = reading.section.shape(reading.type.spelling.hidden, reading.type.shape.hidden);
  const auto heads = reading.section.shape(reading.type.spelling.heads, reading.type.shape.heads);
  if (dim.value % 2 != 0) {
    fail(FindingCode::field_range, dim.path, {dim.path, " must be even, got ", dim.value});
  }
  const TransformerXlConfig config{.heads = static_cast<std::size_t>(heads.value),
                                   .head_dim = static_cast<std::size_t>(parts.width.value),
                                   .d_model = static_cast<std::size_t>(dim.value),
                                   .clamp_len = parts.clamp_len.value};
  ModelEncoding& encoding = emit(reading, "transformer_xl");
  put(encoding, "variant", parts.variant, kModelCode);
  put(encoding, "dim", dim);
  put(encoding, "heads", heads);
  put(encoding, "d_head", parts.width);
  put(encoding, "base", config.base, kModelCode);
  put(encoding, "layout", "[sin|cos]", kModelCode);
  put(encoding, "clamp_len", parts.clamp_len);
  put(encoding, "first_row", parts.first_row, kModelCode);
  put(encoding, "last_row", parts.last_row, kModelCode);
  put(encoding, "bidirectional", parts.bidirectional, kModelCode);
  encoding.attention.causal = !parts.bidirectional;
  encoding.config = config;
}

}  // namespace

void emit_bert_shaw(Reading& reading, bool both) {
  const auto length = reading.section.whole(reading.type.spelling.max_position,
                                            reading.type.shape.max_position, 1, kMaxDims);
  const Field<std::int64_t> clip{length.value - 1, derived(reading.section, {length.path, " - 1"}),
                                 length.path};
  ShawParts parts{.left = clip, .right = clip, .terms = {"query"}};
  if (both) parts.terms.emplace_back("key");
  put(emit_shaw(reading, parts), "clipped", false, kModelCode);
}

void read_wav2vec2_bert(Reading& reading) {
  const Section& section = reading.section;
  const auto kind = section.word("position_embeddings_type");
  const std::string_view name = kind.has_value() ? kind->value : "relative_key";
  if (name == "relative_key") {
    const auto left = section.whole("left_max_position_embeddings", 64, 0, kMaxDims);
    const auto right = section.whole("right_max_position_embeddings", 8, 0, kMaxDims);
    emit_shaw(reading, {.left = left, .right = right, .terms = {"query-key"}});
  } else if (name == "rotary") {
    read_rope(reading);
  } else if (name == "relative") {
    emit_transformer_xl(reading, {.variant = "transformer_xl",
                                  .width = read_width(reading),
                                  .clamp_len = {-1, kModelCode, ""},
                                  .bidirectional = true,
                                  .first_row = "length-1",
                                  .last_row = "-length+1"});
  } else {
    fail(FindingCode::position_type_unknown, kind->path,
         {kind->path, " must be relative_key, relative or rotary, got ", shown(Value(name))});
  }
}

void read_deberta(Reading& reading) { read_either_deberta(reading, 1); }

void read_deberta_v2(Reading& reading) { read_either_deberta(reading, 2); }

void read_transformer_xl(Reading& reading) {
  const Section& section = reading.section;
  emit_transformer_xl(reading, {.variant = "transformer_xl",
                                .width = section.whole("d_head", 64, 1, 4096),
                                .clamp_len = section.whole("clamp_len", 1000, -1, kMaxLength),
                                .first_row = "klen-1",
                                .last_row = "0"});
}

void read_xlnet(Reading& reading) {
  const Section& section = reading.section;
  const auto kind = section.word("attn_type");
  const bool both_ways = !kind.has_value() || kind->value == "bi";
  if (kind.has_value() && kind->value != "bi" && kind->value != "uni") {
    fail(FindingCode::field_value, kind->path,
         {kind->path, " must be bi or uni, got ", shown(Value(kind->value))});
  }
  emit_transformer_xl(reading, {.variant = "xlnet",
                                .width = read_width(reading),
                                .clamp_len = section.whole("clamp_len", -1, -1, kMaxLength),
                                .bidirectional = both_ways,
                                .first_row = "klen",
                                .last_row = both_ways ? "-qlen+1" : "0"});
}

}  // namespace posenc::detail
