// Rules of models whose positions are biases of the scores: ALiBi and T5.

#include <string>
#include <utility>

#include "posenc/model/emit.hpp"
#include "posenc/model/tables.hpp"

namespace posenc::detail {
namespace {

/// The form in which a model's code adds the bias.
struct AlibiRule {
  const char* form;
  bool causal = true;
  bool bfloat16 = false;
};

void emit_alibi(Reading& reading, const Field<std::int64_t>& heads, const Field<double>& bias_max,
                const AlibiRule& rule) {
  if (heads.value > kMaxHead) {
    fail(FindingCode::field_range, heads.path,
         {heads.path, " must be at most ", kMaxHead, ", got ", heads.value});
  }
  AlibiConfig config{.heads = static_cast<std::size_t>(heads.value),
                     .form = rule.causal ? AlibiForm::causal : AlibiForm::symmetric,
                     .alibi_bias_max = bias_max.value};
  check_built(check(config), reading.section);
  ModelEncoding& encoding = emit(reading, "alibi");
  put(encoding, "heads", heads);
  put(encoding, "alibi_bias_max", bias_max);
  const Alibi alibi(config);
  put(encoding, "slopes", alibi.slopes(), derived("heads, alibi_bias_max"));
  put(encoding, "form", rule.form, kModelCode);
  put(encoding, "causal", rule.causal, kModelCode);
  if (rule.bfloat16) {
    put(encoding, "rounding", "bfloat16", kModelCode);
    put(encoding, "added", "before the scores are scaled", kModelCode);
  }
  encoding.attention.causal = rule.causal;
  encoding.config = std::move(config);
}

Field<double> usual_bias_max() { return {8.0, kModelCode, ""}; }

struct T5Rule {
  bool bidirectional = true;
  const char* sharing = "table in layer 0, reused by all layers";
  bool softmax_scaled = false;
};

void emit_t5(Reading& reading, const Field<std::int64_t>& heads, const Field<std::int64_t>& buckets,
             const Field<std::int64_t>& max_distance, const T5Rule& rule) {
  const T5Config config{.heads = static_cast<std::size_t>(heads.value),
                        .bidirectional = rule.bidirectional,
                        .num_buckets = static_cast<std::size_t>(buckets.value),
                        .max_distance = max_distance.value};
  const std::int64_t exact = buckets.value / (rule.bidirectional ? 4 : 2);
  if (max_distance.value <= exact) {
    fail(FindingCode::field_range, max_distance.path,
         {max_distance.path, " must be above the ", exact,
          " distances with a bucket of their own, got ", max_distance.value});
  }
  check_built(check(config), reading.section);
  ModelEncoding& encoding = emit(reading, "t5_bias");
  put(encoding, "num_buckets", buckets);
  put(encoding, "max_distance", max_distance);
  put(encoding, "bidirectional", rule.bidirectional, kModelCode);
  put(encoding, "heads", heads);
  put(encoding, "sharing", rule.sharing, kModelCode);
  put(encoding, "softmax_scaled", rule.softmax_scaled, kModelCode);
  encoding.attention.causal = !rule.bidirectional;
  if (!rule.softmax_scaled) encoding.attention.scale = 1.0;
  encoding.config = config;
}

Field<std::int64_t> read_buckets(const Section& section, const char* names, std::int64_t fallback) {
  const auto buckets = section.whole(names, fallback, 4, 65536);
  if (buckets.value % 2 != 0) {
    section.warn(FindingCode::t5_buckets_odd, names,
                 {buckets.path, " = ", buckets.value,
                  " is odd: its last row is used by one direction only"});
  }
  return buckets;
}

Field<std::int64_t> read_heads(const Reading& reading) {
  return reading.section.shape(reading.type.spelling.heads, reading.type.shape.heads);
}

void read_t5_pair(Reading& reading, const char* sharing) {
  const auto heads = read_heads(reading);
  const auto buckets = read_buckets(reading.section, "relative_attention_num_buckets", 32);
  const auto distance =
      reading.section.whole("relative_attention_max_distance", 128, 1, std::int64_t{1} << 31);
  for (const Site site : {Site::encoder, Site::decoder}) {
    reading.site = site;
    emit_t5(reading, heads, buckets, distance,
            {.bidirectional = site == Site::encoder, .sharing = sharing});
  }
}

void emit_convolution(Reading& reading) {
  ModelEncoding& encoding = emit(reading, "convolutional");
  put(encoding, "kernel", reading.section.whole("num_conv_pos_embeddings", 128, 1, kMaxDims));
  put(encoding, "groups", reading.section.whole("num_conv_pos_embedding_groups", 16, 1, kMaxDims));
  put(encoding, "added_to", "input of the encoder", kModelCode);
}

}  // namespace

void read_alibi(Reading& reading) {
  const bool falcon = reading.type.rule == read_falcon;
  emit_alibi(
      reading, read_heads(reading),
      reading.assumed ? Field<double>{8.0, {Source::Kind::assumption, ""}, ""} : usual_bias_max(),
      {.form = "key", .bfloat16 = falcon});
}

void read_mpt(Reading& reading) {
  const Section& section = reading.section;
  const auto attention = section.section_or_empty("attn_config");
  if (attention.flag("alibi", true).value) {
    const auto bias_max = attention.number("alibi_bias_max", 8.0, 1e-30, 1000.0);
    emit_alibi(reading, read_heads(reading), bias_max, {.form = "key"});
    section.ignore("learned_pos_emb", "ALiBi takes the place of a learned table");
  } else if (section.flag("learned_pos_emb", true).value) {
    read_learned(reading);
  } else {
    emit_none(reading, "neither ALiBi nor a learned table");
  }
}

void emit_symmetric_alibi(Reading& reading) {
  emit_alibi(reading, read_heads(reading), usual_bias_max(),
             {.form = "symmetric", .causal = false});
}

void read_t5(Reading& reading) { read_t5_pair(reading, "table in layer 0, reused by all layers"); }

void read_umt5(Reading& reading) { read_t5_pair(reading, "own table in every layer"); }

void read_mpnet(Reading& reading) {
  read_learned(reading);
  emit_t5(reading, read_heads(reading),
          read_buckets(reading.section, "relative_attention_num_buckets", 32),
          {128, kModelCode, "relative_attention_max_distance"},
          {.sharing = "one table for all layers", .softmax_scaled = true});
}

void read_layoutlmv3(Reading& reading) {
  read_learned(reading);
  const Section& section = reading.section;
  const auto heads = read_heads(reading);
  const std::int64_t longest = std::int64_t{1} << 31;
  const T5Rule rule{.sharing = "one table for all layers", .softmax_scaled = true};
  if (section.flag("has_relative_attention_bias", true).value) {
    emit_t5(reading, heads, read_buckets(section, "rel_pos_bins", 32),
            section.whole("max_rel_pos", 128, 1, longest), rule);
    put(reading.encodings.back(), "axis", "1d position", kModelCode);
  }
  if (section.flag("has_spatial_attention_bias", true).value) {
    emit_t5(reading, heads, read_buckets(section, "rel_2d_pos_bins", 64),
            section.whole("max_rel_2d_pos", 256, 1, longest), rule);
    put(reading.encodings.back(), "axis", "box x and box y (two tables)", kModelCode);
  }
}

void read_wav2vec2(Reading& reading) { emit_convolution(reading); }

void read_wavlm(Reading& reading) {
  emit_convolution(reading);
  emit_t5(reading, read_heads(reading), read_buckets(reading.section, "num_buckets", 320),
          reading.section.whole("max_bucket_distance", 800, 1, std::int64_t{1} << 31),
          {.sharing = "table in layer 0, gate per layer", .softmax_scaled = true});
  put(reading.encodings.back(), "gated", true, kModelCode);
}

}  // namespace posenc::detail
