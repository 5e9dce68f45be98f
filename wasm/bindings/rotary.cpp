#include <emscripten/bind.h>

#include <cmath>

#include "glue.hpp"
#include "posenc/rotary/rope.hpp"
#include "rope_options.hpp"

namespace posenc::wasm {
namespace {

Address rope_make(const RopeOptions& options) {
  return made<Rope>([&] { return rope_config(options); });
}

int rope_set_length(Address self, double length) {
  return guarded([&] { return at<Rope>(self).set_length(static_cast<std::int64_t>(length)); });
}

Address rope_inv_freq(Address self) {
  return reinterpret_cast<Address>(at<Rope>(self).inv_freq().data());
}
std::size_t rope_inv_freq_count(Address self) { return at<Rope>(self).inv_freq().size(); }
double rope_attention_factor(Address self) { return at<Rope>(self).attention_factor(); }
double rope_softmax_scale_factor(Address self) { return at<Rope>(self).softmax_scale_factor(); }
double rope_softmax_scale(Address self) { return at<Rope>(self).softmax_scale(); }
double rope_scaled_base(Address self) { return at<Rope>(self).scaled_base(); }
/// Where YaRN's ramp starts or ends; NaN with other scalings.
double rope_yarn_ramp(Address self, bool end) {
  const auto ramp = at<Rope>(self).yarn_ramp();
  if (!ramp.has_value()) return std::nan("");
  return end ? ramp->high : ramp->low;
}
std::size_t rope_axis_count(Address self) { return at<Rope>(self).axis_count(); }

int rope_angles(Address self, unsigned kind, double first, std::size_t count, Address cos,
                std::size_t cos_size, Address sin, std::size_t sin_size) {
  return guarded([&] {
    return at<Rope>(self).angles(positions(kind, first, count), float32(cos, cos_size),
                                 float32(sin, sin_size));
  });
}

// Hot verbs take flat scalars, which cost a third of an object's conversion.

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

int rope_rotate(Address self, Address x, Size size, Address out, Size out_size, Address cos,
                std::size_t cos_size, Address sin, std::size_t sin_size, std::size_t batch,
                std::size_t heads, std::size_t length, unsigned order, unsigned side,
                std::size_t batch_stride, std::size_t head_stride, std::size_t length_stride) {
  return guarded([&] {
    return at<Rope>(self).rotate(
        floats(x, size), floats(out, out_size), float32(cos, cos_size), float32(sin, sin_size),
        rotary_args(batch, heads, length, order, side, batch_stride, head_stride, length_stride));
  });
}

using Turn = Status (Rope::*)(ConstFloats, Floats, const RotaryArgs&) const noexcept;

/// `apply`, `unapply` and `backward`.
template <Turn verb>
int rope_turn(Address self, Address x, Size size, Address out, Size out_size, unsigned kind,
              double first, std::size_t count, std::size_t batch, std::size_t heads,
              std::size_t length, unsigned order, unsigned side, std::size_t batch_stride,
              std::size_t head_stride, std::size_t length_stride) {
  return guarded([&] {
    RotaryArgs args =
        rotary_args(batch, heads, length, order, side, batch_stride, head_stride, length_stride);
    args.positions = positions(kind, first, count);
    return (at<Rope>(self).*verb)(floats(x, size), floats(out, out_size), args);
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

int rope_rerotate(Address self, Address from, Address x, Size size, Address out, Size out_size,
                  unsigned from_kind, double from_first, std::size_t from_count, unsigned to_kind,
                  double to_first, std::size_t to_count, std::size_t batch, std::size_t heads,
                  std::size_t length, unsigned order, unsigned side, std::size_t batch_stride,
                  std::size_t head_stride, std::size_t length_stride) {
  return guarded([&] {
    RotaryArgs args =
        rotary_args(batch, heads, length, order, side, batch_stride, head_stride, length_stride);
    args.positions = positions(from_kind, from_first, from_count);
    return at<Rope>(self).rerotate(floats(x, size), floats(out, out_size), at<Rope>(from), args,
                                   positions(to_kind, to_first, to_count));
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(rotary) {
  emscripten::function("rope_make", &rope_make);
  emscripten::function("rope_dispose", &disposed<Rope>);
  emscripten::function("rope_set_length", &rope_set_length);
  emscripten::function("rope_inv_freq", &rope_inv_freq);
  emscripten::function("rope_inv_freq_count", &rope_inv_freq_count);
  emscripten::function("rope_attention_factor", &rope_attention_factor);
  emscripten::function("rope_softmax_scale_factor", &rope_softmax_scale_factor);
  emscripten::function("rope_softmax_scale", &rope_softmax_scale);
  emscripten::function("rope_scaled_base", &rope_scaled_base);
  emscripten::function("rope_yarn_ramp", &rope_yarn_ramp);
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
