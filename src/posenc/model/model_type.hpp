#pragma once

// Private: what a row of the table of model types holds.

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "posenc/model/encodings.hpp"
#include "posenc/model/section.hpp"

namespace posenc::detail {

struct ModelType;

/// What a rule reads and where it puts what it finds.
struct Reading {
  const ModelType& type;
  Section section;
  Site site;
  std::vector<ModelEncoding>& encodings;
  /// Whether the model type is unknown and a generic row stands for it.
  bool assumed = false;
};

using Rule = void (*)(Reading&);

/// Spellings of the fields of a model's shape.
struct Spelling {
  const char* hidden = "hidden_size";
  const char* heads = "num_attention_heads";
  const char* layers = "num_hidden_layers";
  const char* max_position = "max_position_embeddings";
};

/// Class defaults of these; 0: there is no such field.
struct Shape {
  std::int32_t hidden = 0;
  std::int32_t heads = 0;
  std::int32_t layers = 0;
  std::int32_t max_position = 0;
};

/// How the kind of each layer is told when there is no `layer_types`.
enum class LayerRule : std::uint8_t {
  /// All are alike; a `sliding_window` holds for all.
  uniform,
  /// Layers from max_window_layers on slide, with use_sliding_window (Qwen2).
  window_from,
  /// Every n-th layer is full, the others slide.
  last_of_n_full,
  /// As that, counted from the first layer (ModernBERT).
  first_of_n_full,
  /// Layers of no_rope_layers that are 0, or every n-th, have no rope.
  no_rope_list,
  /// Every n-th layer is full, the others are linear attention (Qwen3-Next).
  last_of_n_full_linear,
  /// hybrid_layer_pattern: 1 slides (MiMo).
  hybrid_list,
  /// full_attn_idxs attend, the others are convolutions (LFM2).
  index_list,
  /// block_types repeats; "attention" slides, the others are recurrent (RecurrentGemma).
  block_types,
};

/// What multiplies q.k.
enum class SoftmaxScale : std::uint8_t {
  /// 1 / sqrt(head_dim), which is not stated.
  usual,
  /// A field to the power of -1/2 (Gemma: query_pre_attn_scalar).
  inverse_root_of_field,
  /// A field as it is (Granite: attention_multiplier).
  field,
  /// 1 / sqrt(head_dim) times YaRN's factor when mscale_all_dim is not 0 (DeepSeek).
  mla,
};

struct RopeRow {
  double base = 10000.0;
  const char* base_names = "rope_theta";
  RopeLayout layout = RopeLayout::half;
  /// A flag that tells the layout, where the model has one.
  const char* interleaved_names = "";
  /// 0: hidden / heads.
  std::int32_t head_dim = 0;
  const char* head_dim_names = "head_dim";
  /// The share of a head that rotates.
  double partial = 1.0;
  const char* partial_names = "partial_rotary_factor";
  /// Dims that rotate, where the model has a field for them; 0: the partial factor counts.
  std::int32_t rotary_dim = 0;
  const char* rotary_dim_names = "";
  /// Multi-head latent attention: dims of a head without and with positions.
  std::int32_t nope_dim = 0;
  std::int32_t rope_dim = 0;
  /// False for models whose code does not read rope_scaling.
  bool reads_scaling = true;
  /// Phi-3: "yarn" is an old name of longrope.
  bool yarn_is_longrope = false;
  /// Class default of original_max_position_embeddings; 0: there is none.
  std::int32_t original = 0;
  /// What the class takes for rope_parameters when neither they nor rope_scaling are there: JSON.
  const char* usual_parameters = "";
  /// YaRN's ramp is rounded to whole pairs unless the config says otherwise.
  bool truncate = true;

  LayerRule layers = LayerRule::uniform;
  /// Fields of the layer rule's n, and its default.
  const char* interval_names = "";
  std::int32_t interval = 0;
  /// The last layer is full whatever else is said (Gemma 4).
  bool last_is_full = false;
  /// The first layer that slides (Qwen2).
  std::int32_t max_window_layers = 28;
  const char* window_names = "sliding_window";
  std::int32_t window = 0;
  /// Full layers have no rope (Cohere 2, EXAONE 4).
  bool full_is_nope = false;
  /// Base of the sliding layers where it differs; 0: it does not.
  double local_base = 0.0;
  const char* local_base_names = "";
  /// rope_scaling holds for full layers alone.
  bool scales_full_only = false;
  /// Where full or sliding layers have a head_dim of their own.
  const char* full_head_dim_names = "";
  std::int32_t full_head_dim = 0;
  const char* sliding_head_dim_names = "";

  SoftmaxScale softmax = SoftmaxScale::usual;
  const char* softmax_names = "";
  double softmax_value = 0.0;

  /// M-RoPE's sections; all 0: one axis.
  std::array<std::int32_t, 3> sections{};
  bool interleaved_sections = false;
  bool causal = true;
};

/// Spellings that published code has for a table of sinusoids.
enum class SinusoidVariant : std::uint8_t {
  interleaved,
  /// [sin | cos], exponent 2i / dim.
  half_paper,
  /// [sin | cos], exponent i / (dim/2 - 1).
  half_t2t,
};

/// A learned or sinusoidal table of positions.
struct TableRow {
  const char* dim_names = "";
  std::int32_t dim = 0;
  /// Rows that the table has beside max_position, and the row of position 0 (OPT, BART: 2).
  std::int32_t extra_rows = 0;
  std::int32_t row_offset = 0;
  /// Positions start after the padding's: row padding_idx + 1 + n (RoBERTa).
  bool after_padding = false;
  std::int32_t padding_idx = -1;
  /// Inputs are multiplied by sqrt(dim): always, or when the field says so.
  bool scales_input = false;
  const char* scale_names = "";
  SinusoidVariant variant = SinusoidVariant::interleaved;
  bool causal = false;
};

/// Images cut into patches.
struct PatchRow {
  std::int32_t image = 224;
  std::int32_t patch = 16;
  std::int32_t prefix_tokens = 1;
};

/// The parts of a model of several modalities: the model types of sub-configs that name none.
struct PartsRow {
  const char* text = "";
  const char* vision = "";
  const char* audio = "";
};

/// A row of the table.
struct ModelType {
  const char* name = "";
  Rule rule = nullptr;
  Shape shape{};
  Spelling spelling{};
  RopeRow rope{};
  TableRow table{};
  PatchRow patch{};
  PartsRow parts{};
  Site site = Site::text;
};

/// The row of a model type; nullptr when there is none.
const ModelType* find_model_type(std::string_view name) noexcept;
/// The row whose class an architecture belongs to ("LlamaForCausalLM"); nullptr when there is none.
const ModelType* find_architecture(std::string_view architecture) noexcept;
/// Every row, for tests.
std::span<const std::span<const ModelType>> model_types() noexcept;

/// What a model of an unknown type with fields of a rope is taken for.
const ModelType& generic_rope() noexcept;
const ModelType& generic_alibi() noexcept;

/// Reads a section by the row's rule, or its parts where it has sub-configs.
void read_model(Reading& reading);
/// Reads a section of an unknown model type by its fields, with a warning; throws Failure when it
/// has none that tell.
void read_unknown(std::vector<ModelEncoding>& encodings, const Section& section);
/// As that, for a config with the configs of parts in it.
void read_unknown_parts(std::vector<ModelEncoding>& encodings, const Section& section);

// Rules.
void read_parts(Reading& reading);
void read_rope(Reading& reading);
void read_chatglm(Reading& reading);
void read_baichuan(Reading& reading);
void read_falcon(Reading& reading);
void read_qwen(Reading& reading);
void read_alibi(Reading& reading);
void read_mpt(Reading& reading);
void read_dbrx(Reading& reading);
void read_learned(Reading& reading);
void read_bert(Reading& reading);
void read_distilbert(Reading& reading);
void read_esm(Reading& reading);
void read_mpnet(Reading& reading);
void read_layoutlm(Reading& reading);
void read_layoutlmv3(Reading& reading);
void read_learned_pair(Reading& reading);
void read_sinusoidal(Reading& reading);
void read_sinusoidal_pair(Reading& reading);
void read_whisper(Reading& reading);
void read_whisper_encoder(Reading& reading);
void read_t5(Reading& reading);
void read_umt5(Reading& reading);
void read_deberta(Reading& reading);
void read_deberta_v2(Reading& reading);
void read_transformer_xl(Reading& reading);
void read_xlnet(Reading& reading);
void read_wav2vec2(Reading& reading);
void read_wavlm(Reading& reading);
void read_wav2vec2_bert(Reading& reading);
void read_patches(Reading& reading);
void read_vit_mae(Reading& reading);
void read_detr(Reading& reading);
void read_beit(Reading& reading);
void read_swin(Reading& reading);
void read_swinv2(Reading& reading);
void read_sam(Reading& reading);
void read_dinov3(Reading& reading);
void read_pixtral(Reading& reading);
void read_qwen2_vl_vision(Reading& reading);
void read_qwen2_5_vl_vision(Reading& reading);
void read_qwen3_vl_vision(Reading& reading);
void read_recurrent(Reading& reading);
void read_hybrid_without_positions(Reading& reading);

}  // namespace posenc::detail
