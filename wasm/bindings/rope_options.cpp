#include "rope_options.hpp"

#include <emscripten/bind.h>

namespace posenc::wasm {
namespace {

RopeScaling scaling_of(const ScalingOptions& options) {
  const auto trained_length = static_cast<std::int64_t>(options.trained_length);
  switch (options.type) {
    case 1:
      return Linear{.factor = options.factor};
    case 2:
      return StaticNtk{.factor = options.factor};
    case 3:
      return DynamicNtk{.factor = options.factor, .max_position_embeddings = trained_length};
    case 4:
      return Yarn{.factor = options.factor,
                  .original_max_position_embeddings = trained_length,
                  .beta_fast = options.beta_fast,
                  .beta_slow = options.beta_slow,
                  .truncate = options.truncate,
                  .mscale = options.mscale,
                  .mscale_all_dim = options.mscale_all_dim,
                  .attention_factor = given(options.attention_factor)};
    case 5:
      return LongRope{.short_factor = doubles(options.short_factor),
                      .long_factor = doubles(options.long_factor),
                      .original_max_position_embeddings = trained_length,
                      .factor = options.factor,
                      .short_attention_factor = given(options.short_attention_factor),
                      .long_attention_factor = given(options.long_attention_factor)};
    case 6:
      return Llama3{.factor = options.factor,
                    .low_freq_factor = options.low_freq_factor,
                    .high_freq_factor = options.high_freq_factor,
                    .original_max_position_embeddings = trained_length};
    case 7:
      return Proportional{.partial_rotary_factor = options.partial_rotary_factor,
                          .factor = options.factor};
    case 8:
      return CustomFrequencies{.inv_freq = doubles(options.inv_freq),
                               .axes = options.axes,
                               .frequency_heads = options.frequency_heads,
                               .attention_factor = options.attention_factor};
    default:
      return NoScaling{};
  }
}

RopeAxes axes_of(const AxesOptions& options) {
  if (options.type == 1) {
    return Mrope{.sections = {options.time_pairs, options.height_pairs, options.width_pairs},
                 .interleaved = options.interleaved};
  }
  if (options.type == 2) {
    return Axial{.bands = static_cast<AxialBands>(options.bands),
                 .order = static_cast<AxialOrder>(options.order),
                 .max_resolution = options.max_resolution};
  }
  return OneAxis{};
}

}  // namespace

RopeConfig rope_config(const RopeOptions& options) {
  RopeConfig config{.head_dim = options.head_dim,
                    .rotary_dim = options.rotary_dim,
                    .rotary_start = options.rotary_start,
                    .base = options.base,
                    .layout = static_cast<RopeLayout>(options.layout),
                    .scaling = scaling_of(options.scaling),
                    .length = static_cast<std::int64_t>(options.length),
                    .angles = static_cast<Angles>(options.angles),
                    .axes = axes_of(options.axes)};
  if (options.has_xpos) {
    config.xpos = Xpos{.scale_base = options.xpos_scale_base, .origin = given(options.xpos_origin)};
  }
  return config;
}

EMSCRIPTEN_BINDINGS(rope_options) {
  emscripten::value_object<ScalingOptions>("ScalingOptions")
      .field("type", &ScalingOptions::type)
      .field("factor", &ScalingOptions::factor)
      .field("trainedLength", &ScalingOptions::trained_length)
      .field("betaFast", &ScalingOptions::beta_fast)
      .field("betaSlow", &ScalingOptions::beta_slow)
      .field("truncate", &ScalingOptions::truncate)
      .field("mscale", &ScalingOptions::mscale)
      .field("mscaleAllDim", &ScalingOptions::mscale_all_dim)
      .field("attentionFactor", &ScalingOptions::attention_factor)
      .field("shortFactor", &ScalingOptions::short_factor)
      .field("longFactor", &ScalingOptions::long_factor)
      .field("shortAttentionFactor", &ScalingOptions::short_attention_factor)
      .field("longAttentionFactor", &ScalingOptions::long_attention_factor)
      .field("lowFreqFactor", &ScalingOptions::low_freq_factor)
      .field("highFreqFactor", &ScalingOptions::high_freq_factor)
      .field("partialRotaryFactor", &ScalingOptions::partial_rotary_factor)
      .field("invFreq", &ScalingOptions::inv_freq)
      .field("axes", &ScalingOptions::axes)
      .field("frequencyHeads", &ScalingOptions::frequency_heads);
  emscripten::value_object<AxesOptions>("AxesOptions")
      .field("type", &AxesOptions::type)
      .field("timePairs", &AxesOptions::time_pairs)
      .field("heightPairs", &AxesOptions::height_pairs)
      .field("widthPairs", &AxesOptions::width_pairs)
      .field("interleaved", &AxesOptions::interleaved)
      .field("bands", &AxesOptions::bands)
      .field("order", &AxesOptions::order)
      .field("maxResolution", &AxesOptions::max_resolution);
  emscripten::value_object<RopeOptions>("RopeOptions")
      .field("headDim", &RopeOptions::head_dim)
      .field("rotaryDim", &RopeOptions::rotary_dim)
      .field("rotaryStart", &RopeOptions::rotary_start)
      .field("base", &RopeOptions::base)
      .field("layout", &RopeOptions::layout)
      .field("scaling", &RopeOptions::scaling)
      .field("length", &RopeOptions::length)
      .field("angles", &RopeOptions::angles)
      .field("axes", &RopeOptions::axes)
      .field("hasXpos", &RopeOptions::has_xpos)
      .field("xposScaleBase", &RopeOptions::xpos_scale_base)
      .field("xposOrigin", &RopeOptions::xpos_origin);
}

}  // namespace posenc::wasm
