#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "posenc/additive/detr_sine.hpp"
#include "posenc/additive/learned.hpp"
#include "posenc/additive/sincos_grid.hpp"
#include "posenc/additive/sinusoidal.hpp"
#include "posenc/bias/alibi.hpp"
#include "posenc/bias/swin.hpp"
#include "posenc/bias/swin_cpb.hpp"
#include "posenc/bias/t5.hpp"
#include "posenc/model/value.hpp"
#include "posenc/relative/deberta.hpp"
#include "posenc/relative/decomposed.hpp"
#include "posenc/relative/shaw.hpp"
#include "posenc/relative/transformer_xl.hpp"
#include "posenc/rotary/rope.hpp"

namespace posenc {

/// The part of a model that an encoding belongs to.
enum class Site : std::uint8_t { text, encoder, decoder, vision, audio };

/// "text", "encoder", ...
std::string_view site_name(Site site) noexcept;

/// Where a parameter's value came from.
struct Source {
  enum class Kind : std::uint8_t {
    /// A field of the config: `from` is its path.
    config,
    /// What the model's class takes when the field is missing.
    class_default,
    /// Computed: `from` says of what ("hidden_size / num_attention_heads").
    derived,
    /// The rule of the model's code, which no field tells (the layout of a rope).
    model_code,
    /// Taken for granted for an unknown model, with a warning.
    assumption,
  };
  Kind kind;
  std::string from;
};

/// "config", "class default", "derived", "model code", "assumption".
std::string_view kind_name(Source::Kind kind) noexcept;

/// A parameter of an encoding as `posenc explain` prints it.
struct ModelParameter {
  std::string name;
  Value value;
  Source source;
};

/// What attention needs beside the encoding.
struct AttentionRule {
  /// Not given: 1 / sqrt(head_dim), or unknown.
  std::optional<double> scale{};
  bool causal = false;
  /// Keys at this distance or more are not seen.
  std::optional<std::int64_t> window{};
};

/// The config from which an encoding is made; the trained tables are still to be put in. monostate:
/// nothing to make (no positions, or a convolution).
using EncodingConfig =
    std::variant<std::monostate, RopeConfig, SinusoidalConfig, LearnedConfig, SincosGridConfig,
                 DetrSineConfig, AlibiConfig, T5Config, SwinConfig, SwinCpbConfig, ShawConfig,
                 DebertaConfig, TransformerXlConfig, DecomposedConfig>;

/// One position encoding of a model.
struct ModelEncoding {
  Site site = Site::text;
  /// "rope", "mrope", "axial_rope", "learned", "sinusoidal", "sincos2d", "alibi", "t5_bias",
  /// "deberta", "shaw", "transformer_xl", "swin_bias", "swin_cpb", "decomposed_rel_pos",
  /// "convolutional" or "none".
  std::string encoding{};
  /// Layers, from 0; empty: all of the site.
  std::vector<std::int64_t> layers{};
  std::vector<ModelParameter> params{};
  EncodingConfig config{};
  AttentionRule attention{};

  /// A parameter's value; nullptr when there is none of that name.
  const Value* find(std::string_view name) const noexcept;
  bool in_layer(std::int64_t layer) const noexcept;
};

}  // namespace posenc
