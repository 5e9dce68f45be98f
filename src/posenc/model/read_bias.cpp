// Rules of models whose positions are biases of the scores: ALiBi, T5 and the windows of vision.

#include <algorithm>
#include <string>
#include <utility>

#include "posenc/model/emit.hpp"
#include "posenc/model/patches.hpp"
#include "posenc/model/tables.hpp"

namespace posenc::detail {
namespace {

void put_wholes(ModelEncoding& encoding, std::string_view name,
                const Field<std::vector<std::int64_t>>& field) {
  put(encoding, name, Value::Array(field.value.begin(), field.value.end()), field.source);
}

/// The form in which a model's code adds the bias.
struct AlibiRule {
  std::string_view form;
  bool causal = true;
  bool bfloat16 = false;
};

void emit_alibi(Reading& reading, const Field<std::int64_t>& heads, const Field<double>& bias_max,
                const AlibiRule& rule) {
  AlibiConfig config{.heads = static_cast<std::size_t>(heads.value),
                     .form = rule.causal ? AlibiForm::causal : AlibiForm::symmetric,
                     .alibi_bias_max = bias_max.value};
  check_built(check(config), reading.section);
  ModelEncoding& encoding = emit(reading, "alibi");
  put(encoding, "heads", heads);
  put(encoding, "alibi_bias_max", bias_max);
  const Alibi alibi(config);
  put(encoding, "slopes", Value::Array(alibi.slopes().begin(), alibi.slopes().end()),
      derived("heads, alibi_bias_max"));
  put(encoding, "form", rule.form, model_code());
  put(encoding, "causal", rule.causal, model_code());
  if (rule.bfloat16) {
    put(encoding, "rounding", "bfloat16", model_code());
    put(encoding, "added", "before the scores are scaled", model_code());
  }
  encoding.attention.causal = rule.causal;
  encoding.config = std::move(config);
}

Field<double> usual_bias_max() { return {8.0, model_code(), ""}; }

struct T5Rule {
  bool bidirectional = true;
  std::string_view sharing = "table in layer 0, reused by all layers";
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
  put(encoding, "bidirectional", rule.bidirectional, model_code());
  put(encoding, "heads", heads);
  put(encoding, "sharing", rule.sharing, model_code());
  put(encoding, "softmax_scaled", rule.softmax_scaled, model_code());
  encoding.attention.causal = !rule.bidirectional;
  if (!rule.softmax_scaled) encoding.attention.scale = 1.0;
  encoding.config = config;
}

Field<std::int64_t> read_buckets(const Section& section, std::string_view names,
                                 std::int64_t fallback) {
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

void read_t5_pair(Reading& reading, std::string_view sharing) {
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
  put(encoding, "added_to", "input of the encoder", model_code());
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
  const auto attention = section.section("attn_config")
                             .value_or(Section(section.warnings(), section.path("attn_config")));
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
          {128, model_code(), "relative_attention_max_distance"},
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
    put(reading.encodings.back(), "axis", "1d position", model_code());
  }
  if (section.flag("has_spatial_attention_bias", true).value) {
    emit_t5(reading, heads, read_buckets(section, "rel_2d_pos_bins", 64),
            section.whole("max_rel_2d_pos", 256, 1, longest), rule);
    put(reading.encodings.back(), "axis", "box x and box y (two tables)", model_code());
  }
}

void read_wav2vec2(Reading& reading) { emit_convolution(reading); }

void read_wavlm(Reading& reading) {
  emit_convolution(reading);
  emit_t5(reading, read_heads(reading), read_buckets(reading.section, "num_buckets", 320),
          reading.section.whole("max_bucket_distance", 800, 1, std::int64_t{1} << 31),
          {.sharing = "table in layer 0, gate per layer", .softmax_scaled = true});
  put(reading.encodings.back(), "gated", true, model_code());
}

void read_beit(Reading& reading) {
  const Section& section = reading.section;
  const Patches patches = read_patch_grid(reading);
  const bool absolute = section.flag("use_absolute_position_embeddings", false).value;
  const bool shared = section.flag("use_shared_relative_position_bias", false).value;
  const bool own = section.flag("use_relative_position_bias", false).value;
  if (absolute) emit_patch_table(reading, patches, 1);
  if (shared || own) {
    const auto heads = read_heads(reading);
    ModelEncoding& encoding = emit(reading, "swin_bias");
    put(encoding, "window", Value::Array{patches.rows, patches.columns}, patches.source);
    put(encoding, "table_rows", (2 * patches.rows - 1) * (2 * patches.columns - 1) + 3,
        derived("window"));
    put(encoding, "extra_rows", 3, model_code());
    put(encoding, "heads", heads);
    put(encoding, "sharing", shared ? "one table for all layers" : "own table in every layer",
        model_code());
    encoding.config = SwinConfig{.window_height = static_cast<std::size_t>(patches.rows),
                                 .window_width = static_cast<std::size_t>(patches.columns),
                                 .heads = static_cast<std::size_t>(heads.value)};
  }
  if (!absolute && !shared && !own) {
    emit_none(reading, "all three position switches are false");
  }
}

namespace {

/// A stage of a Swin model: its window is the config's unless its grid is smaller.
struct Stages {
  std::vector<std::int64_t> windows{};
  Field<std::vector<std::int64_t>> depths;
  Field<std::vector<std::int64_t>> heads;
  Field<std::int64_t> window;
};

Field<std::vector<std::int64_t>> wholes_or(const Section& section, std::string_view name,
                                           std::vector<std::int64_t> fallback) {
  return section.wholes(name, 1, kMaxDims)
      .value_or(Field<std::vector<std::int64_t>>{std::move(fallback), class_default(),
                                                 section.path(name)});
}

Stages read_stages(const Reading& reading, std::int64_t least_window) {
  const Section& section = reading.section;
  const Patches patches = read_patch_grid(reading);
  Stages stages{.depths = wholes_or(section, "depths", {2, 2, 6, 2}),
                .heads = wholes_or(section, "num_heads", {3, 6, 12, 24}),
                .window = section.whole("window_size", 7, least_window, 4096)};
  if (stages.depths.value.size() != stages.heads.value.size() || stages.heads.value.empty() ||
      stages.heads.value.size() > 16) {
    fail(FindingCode::layer_list_length, stages.heads.path,
         {stages.heads.path, " must have an entry for each of the ", stages.depths.value.size(),
          " stages, got ", stages.heads.value.size()});
  }
  for (std::size_t stage = 0; stage < stages.depths.value.size(); ++stage) {
    const std::int64_t side = std::min(patches.rows, patches.columns) >> stage;
    stages.windows.push_back(std::max<std::int64_t>(std::min(stages.window.value, side), 1));
  }
  return stages;
}

void put_stages(ModelEncoding& encoding, const Stages& stages) {
  put(encoding, "window", Value::Array{stages.window.value, stages.window.value},
      stages.window.source);
  put(encoding, "window_per_stage", Value::Array(stages.windows.begin(), stages.windows.end()),
      derived("window_size, image_size, patch_size"));
  put_wholes(encoding, "heads_per_stage", stages.heads);
  put_wholes(encoding, "depths", stages.depths);
}

}  // namespace

void read_swin(Reading& reading) {
  const Stages stages = read_stages(reading, 1);
  if (reading.section.flag("use_absolute_embeddings", false).value) {
    emit_patch_table(reading, read_patch_grid(reading), 0);
  }
  ModelEncoding& encoding = emit(reading, "swin_bias");
  const std::int64_t span = 2 * stages.window.value - 1;
  put_stages(encoding, stages);
  put(encoding, "table_rows", span * span, derived("window_size"));
  put(encoding, "extra_rows", 0, model_code());
  put(encoding, "sharing", "own table in every layer", model_code());
  const auto side = static_cast<std::size_t>(stages.window.value);
  encoding.config = SwinConfig{.window_height = side,
                               .window_width = side,
                               .heads = static_cast<std::size_t>(stages.heads.value.front())};
}

void read_swinv2(Reading& reading) {
  const Stages stages = read_stages(reading, 2);
  auto pretrained = reading.section.wholes("pretrained_window_sizes", 0, 4096);
  ModelEncoding& encoding = emit(reading, "swin_cpb");
  put_stages(encoding, stages);
  const Field<std::vector<std::int64_t>> sizes =
      pretrained.value_or(Field<std::vector<std::int64_t>>{
          std::vector<std::int64_t>(stages.windows.size(), 0), class_default(), ""});
  if (sizes.value.size() != stages.windows.size()) {
    fail(FindingCode::layer_list_length, sizes.path,
         {sizes.path, " must have an entry for each of the ", stages.windows.size(),
          " stages, got ", sizes.value.size()});
  }
  put_wholes(encoding, "pretrained_window", sizes);
  put(encoding, "output", "16 * sigmoid", model_code());
  put(encoding, "attention", "cosine", model_code());
  const auto side = static_cast<std::size_t>(stages.window.value);
  const auto trained = static_cast<std::size_t>(sizes.value.front());
  encoding.config = SwinCpbConfig{.window_height = side,
                                  .window_width = side,
                                  .pretrained_height = trained,
                                  .pretrained_width = trained,
                                  .heads = static_cast<std::size_t>(stages.heads.value.front())};
}

}  // namespace posenc::detail
