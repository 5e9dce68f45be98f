#pragma once

#include <cstddef>

#include "glue.hpp"
#include "posenc/rotary/rope.hpp"

namespace posenc::wasm {

/// The fields of every alternative of RopeScaling; `type` is the alternative's number.
struct ScalingOptions {
  unsigned type;
  double factor;
  /// max_position_embeddings of DynamicNtk, original_max_position_embeddings of the others.
  double trained_length;
  double beta_fast;
  double beta_slow;
  bool truncate;
  double mscale;
  double mscale_all_dim;
  double attention_factor;
  Values short_factor;
  Values long_factor;
  double short_attention_factor;
  double long_attention_factor;
  double low_freq_factor;
  double high_freq_factor;
  double partial_rotary_factor;
  Values inv_freq;
  std::size_t axes;
  std::size_t frequency_heads;
};

/// The fields of every alternative of RopeAxes; `type` is the alternative's number.
struct AxesOptions {
  unsigned type;
  std::size_t time_pairs;
  std::size_t height_pairs;
  std::size_t width_pairs;
  bool interleaved;
  unsigned bands;
  unsigned order;
  double max_resolution;
};

/// RopeConfig with enums as their numbers; NaN stands for an optional number that is not given.
struct RopeOptions {
  std::size_t head_dim;
  std::size_t rotary_dim;
  std::size_t rotary_start;
  double base;
  unsigned layout;
  ScalingOptions scaling;
  double length;
  unsigned angles;
  AxesOptions axes;
  bool has_xpos;
  double xpos_scale_base;
  double xpos_origin;
};

RopeConfig rope_config(const RopeOptions& options);

}  // namespace posenc::wasm
