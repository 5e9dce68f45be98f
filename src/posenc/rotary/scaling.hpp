#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace posenc {

/// The published ways of changing a rope's frequencies for contexts longer than it was trained on.
/// `d` is rotary_dim, f[i] = base^(-2i/d) the frequency as trained. Factors are 1e-30 to 1e30
/// unless a narrower range is stated.

/// Frequencies as trained.
struct NoScaling {};

/// Position interpolation: f[i] / factor (Chen et al. 2023, arXiv 2306.15595).
struct Linear {
  double factor = 1.0;
};

/// NTK-aware base: base * factor^(d / (d - 2)), whatever the length. Needs d > 2.
struct StaticNtk {
  double factor = 1.0;
};

/// NTK-aware base that grows with the sequence: base * (factor * L / max - (factor - 1))^(d/(d-2))
/// with L = max(length, max_position_embeddings), so lengths that were trained on change nothing
/// (transformers' "dynamic"). Needs d > 2 and `RopeConfig::length`, or `set_length` while decoding.
struct DynamicNtk {
  /// At least 1.
  double factor = 1.0;
  std::int64_t max_position_embeddings = 0;
};

/// YaRN (Peng et al. 2023, arXiv 2309.00071): pairs that turn more than beta_fast times within the
/// original length keep their frequency, those that turn less than beta_slow times are interpolated
/// by `factor`, a linear ramp over the pair's index blends between.
struct Yarn {
  /// At least 1.
  double factor = 1.0;
  std::int64_t original_max_position_embeddings = 0;
  double beta_fast = 32.0;
  double beta_slow = 1.0;
  /// The ramp's ends are rounded outwards to whole indices; false for gpt-oss.
  bool truncate = true;
  /// With both not 0 the attention factor is g(factor, mscale) / g(factor, mscale_all_dim),
  /// g(s, m) = 0.1 m ln s + 1; else it is g(factor, 1).
  double mscale = 0.0;
  /// Not 0 (DeepSeek): the softmax scale is multiplied by g(factor, mscale_all_dim)^2; see
  /// `Rope::softmax_scale_factor`.
  double mscale_all_dim = 0.0;
  /// Replaces the attention factor that the rules above give.
  std::optional<double> attention_factor{};
};

/// LongRoPE (Ding et al. 2024, arXiv 2402.13753; Phi-3): f[i] / short_factor[i] up to the original
/// length, f[i] / long_factor[i] for any longer sequence (strictly). Needs `RopeConfig::length`, or
/// `set_length` while decoding.
struct LongRope {
  /// rotary_dim/2 each.
  std::vector<double> short_factor{};
  std::vector<double> long_factor{};
  std::int64_t original_max_position_embeddings = 0;
  /// How far the context was extended: max_position_embeddings / original. The attention factor is
  /// sqrt(1 + ln factor / ln original), 1 when factor <= 1.
  double factor = 1.0;
  /// Replaces that attention factor, for both branches or for one (Phi-3.5-MoE's short_mscale and
  /// long_mscale).
  std::optional<double> short_attention_factor{};
  std::optional<double> long_attention_factor{};
};

/// Llama 3.1: wavelengths above original / low_freq_factor are interpolated by `factor`, those
/// below original / high_freq_factor kept, those between blended linearly in original / wavelength.
struct Llama3 {
  double factor = 8.0;
  double low_freq_factor = 1.0;
  double high_freq_factor = 4.0;
  std::int64_t original_max_position_embeddings = 8192;
};

/// Gemma 4: the first int(partial_rotary_factor * head_dim) / 2 frequencies are
/// base^(-2i / head_dim) / factor, the others 0: pairs span the whole head, its tail does not turn.
/// Not the same as a partial rotary_dim. Needs rotary_dim = head_dim.
struct Proportional {
  /// 0 to 1.
  double partial_rotary_factor = 1.0;
  double factor = 1.0;
};

/// Frequencies of the caller's own, in radians per position: learned ones, "mixed" ones of several
/// axes and heads, or those of a file. Each at most 1e30 in magnitude; 0 does not turn.
struct CustomFrequencies {
  /// [axes, frequency_heads, rotary_dim/2]; the angle of a pair is the sum over the axes.
  std::vector<double> inv_freq{};
  /// 1 to 8.
  std::size_t axes = 1;
  /// 1, or one set of frequencies for each head.
  std::size_t frequency_heads = 1;
  double attention_factor = 1.0;
};

using RopeScaling = std::variant<NoScaling, Linear, StaticNtk, DynamicNtk, Yarn, LongRope, Llama3,
                                 Proportional, CustomFrequencies>;

/// Where YaRN's ramp over the pair's index starts and ends, clamped and, with truncate, rounded.
struct YarnRamp {
  double low;
  double high;
};

}  // namespace posenc
