#include <emscripten/bind.h>

#include "glue.hpp"
#include "posenc/rotary/rope.hpp"

namespace posenc::wasm {
namespace {

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

RopeScaling scaling(const ScalingOptions& options) {
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

RopeAxes axes(const AxesOptions& options) {
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

Address rope_make(const RopeOptions& options) {
  return made<Rope>([&] {
    RopeConfig config{.head_dim = options.head_dim,
                      .rotary_dim = options.rotary_dim,
                      .rotary_start = options.rotary_start,
                      .base = options.base,
                      .layout = static_cast<RopeLayout>(options.layout),
                      .scaling = scaling(options.scaling),
                      .length = static_cast<std::int64_t>(options.length),
                      .angles = static_cast<Angles>(options.angles),
                      .axes = axes(options.axes)};
    if (options.has_xpos) {
      config.xpos =
          Xpos{.scale_base = options.xpos_scale_base, .origin = given(options.xpos_origin)};
    }
    return config;
  });
}

int rope_set_length(Address self, double length) {
  return guarded([&] { return at<Rope>(self).set_length(static_cast<std::int64_t>(length)); });
}

Address rope_inv_freq(Address self) {
  return reinterpret_cast<Address>(at<Rope>(self).inv_freq().data());
}
std::size_t rope_inv_freq_count(Address self) { return at<Rope>(self).inv_freq().size(); }
double rope_attention_factor(Address self) { return at<Rope>(self).attention_factor(); }
double rope_softmax_scale(Address self) { return at<Rope>(self).softmax_scale(); }
std::size_t rope_axis_count(Address self) { return at<Rope>(self).axis_count(); }

int rope_angles(Address self, unsigned kind, double first, std::size_t count, Address cos,
                std::size_t cos_size, Address sin, std::size_t sin_size) {
  return guarded([&] {
    return at<Rope>(self).angles(positions(kind, first, count), floats(cos, cos_size),
                                 floats(sin, sin_size));
  });
}

// Hot verbs take flat scalars, which cost a third of an object's conversion. `x` and `out` have one
// size.

RotaryArgs rotary_args(std::size_t batch, std::size_t heads, std::size_t length, unsigned order,
                       unsigned side, std::size_t batch_stride, std::size_t head_stride,
                       std::size_t length_stride) noexcept {
  return {.batch = batch,
          .heads = heads,
          .length = length,
          .order = static_cast<RotaryOrder>(order),
          .batch_stride = batch_stride,
          .head_stride = head_stride,
          .length_stride = length_stride,
          .side = static_cast<RotarySide>(side)};
}

int rope_rotate(Address self, Address x, Address out, std::size_t size, Address cos,
                std::size_t cos_size, Address sin, std::size_t sin_size, std::size_t batch,
                std::size_t heads, std::size_t length, unsigned order, unsigned side,
                std::size_t batch_stride, std::size_t head_stride, std::size_t length_stride) {
  return guarded([&] {
    return at<Rope>(self).rotate(
        floats(x, size), floats(out, size), floats(cos, cos_size), floats(sin, sin_size),
        rotary_args(batch, heads, length, order, side, batch_stride, head_stride, length_stride));
  });
}

using Turn = Status (Rope::*)(ConstFloats, Floats, const RotaryArgs&) const noexcept;

/// `apply`, `unapply` and `backward`.
template <Turn verb>
int rope_turn(Address self, Address x, Address out, std::size_t size, unsigned kind, double first,
              std::size_t count, std::size_t batch, std::size_t heads, std::size_t length,
              unsigned order, unsigned side, std::size_t batch_stride, std::size_t head_stride,
              std::size_t length_stride) {
  return guarded([&] {
    RotaryArgs args =
        rotary_args(batch, heads, length, order, side, batch_stride, head_stride, length_stride);
    args.positions = positions(kind, first, count);
    return (at<Rope>(self).*verb)(floats(x, size), floats(out, size), args);
  });
}

int rope_apply_both(Address self, Address q, std::size_t q_size, Address k, std::size_t k_size,
                    std::size_t kv_heads, unsigned kind, double first, std::size_t count,
                    std::size_t batch, std::size_t heads, std::size_t length, unsigned order) {
  return guarded([&] {
    const RotaryArgs args{.batch = batch,
                          .heads = heads,
                          .positions = positions(kind, first, count),
                          .length = length,
                          .order = static_cast<RotaryOrder>(order)};
    return at<Rope>(self).apply(floats(q, q_size), floats(k, k_size), args, kv_heads);
  });
}

int rope_rerotate(Address self, Address from, Address x, Address out, std::size_t size,
                  unsigned from_kind, double from_first, std::size_t from_count, unsigned to_kind,
                  double to_first, std::size_t to_count, std::size_t batch, std::size_t heads,
                  std::size_t length, unsigned order, unsigned side, std::size_t batch_stride,
                  std::size_t head_stride, std::size_t length_stride) {
  return guarded([&] {
    RotaryArgs args =
        rotary_args(batch, heads, length, order, side, batch_stride, head_stride, length_stride);
    args.positions = positions(from_kind, from_first, from_count);
    return at<Rope>(self).rerotate(floats(x, size), floats(out, size), at<Rope>(from), args,
                                   positions(to_kind, to_first, to_count));
  });
}

void declare_options() {
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

}  // namespace

EMSCRIPTEN_BINDINGS(rotary) {
  declare_options();
  emscripten::function("rope_make", &rope_make);
  emscripten::function("rope_dispose", &disposed<Rope>);
  emscripten::function("rope_set_length", &rope_set_length);
  emscripten::function("rope_inv_freq", &rope_inv_freq);
  emscripten::function("rope_inv_freq_count", &rope_inv_freq_count);
  emscripten::function("rope_attention_factor", &rope_attention_factor);
  emscripten::function("rope_softmax_scale", &rope_softmax_scale);
  emscripten::function("rope_axis_count", &rope_axis_count);
  emscripten::function("rope_angles", &rope_angles);
  emscripten::function("rope_rotate", &rope_rotate);
  emscripten::function("rope_apply", &rope_turn<&Rope::apply>);
  emscripten::function("rope_apply_both", &rope_apply_both);
  emscripten::function("rope_unapply", &rope_turn<&Rope::unapply>);
  emscripten::function("rope_backward", &rope_turn<&Rope::backward>);
  emscripten::function("rope_rerotate", &rope_rerotate);
}

}  // namespace posenc::wasm
