#include <emscripten/bind.h>

#include "glue.hpp"
#include "posenc/rotary/rope.hpp"

namespace posenc::wasm {
namespace {

/// RopeConfig with enums as their numbers and the scaling as its alternative's number.
struct RopeOptions {
  std::size_t head_dim;
  std::size_t rotary_dim;
  double base;
  unsigned layout;
  unsigned scaling;
  double factor;
};

RopeScaling scaling(const RopeOptions& options) {
  if (options.scaling == 1) return Linear{.factor = options.factor};
  return NoScaling{};
}

Address rope_make(const RopeOptions& options) {
  return made<Rope>(RopeConfig{
      .head_dim = options.head_dim,
      .rotary_dim = options.rotary_dim,
      .base = options.base,
      .layout = static_cast<RopeLayout>(options.layout),
      .scaling = scaling(options),
  });
}

Address rope_inv_freq(Address self) {
  return reinterpret_cast<Address>(at<Rope>(self).inv_freq().data());
}

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
                       std::size_t batch_stride, std::size_t head_stride,
                       std::size_t length_stride) noexcept {
  return {.batch = batch,
          .heads = heads,
          .length = length,
          .order = static_cast<RotaryOrder>(order),
          .batch_stride = batch_stride,
          .head_stride = head_stride,
          .length_stride = length_stride};
}

int rope_rotate(Address self, Address x, Address out, std::size_t size, Address cos,
                std::size_t cos_size, Address sin, std::size_t sin_size, std::size_t batch,
                std::size_t heads, std::size_t length, unsigned order, std::size_t batch_stride,
                std::size_t head_stride, std::size_t length_stride) {
  return guarded([&] {
    return at<Rope>(self).rotate(
        floats(x, size), floats(out, size), floats(cos, cos_size), floats(sin, sin_size),
        rotary_args(batch, heads, length, order, batch_stride, head_stride, length_stride));
  });
}

using Turn = Status (Rope::*)(ConstFloats, Floats, const RotaryArgs&) const noexcept;

/// `apply` and `unapply`.
template <Turn turn>
int rope_turn(Address self, Address x, Address out, std::size_t size, unsigned kind, double first,
              std::size_t count, std::size_t batch, std::size_t heads, std::size_t length,
              unsigned order, std::size_t batch_stride, std::size_t head_stride,
              std::size_t length_stride) {
  return guarded([&] {
    RotaryArgs args =
        rotary_args(batch, heads, length, order, batch_stride, head_stride, length_stride);
    args.positions = positions(kind, first, count);
    return (at<Rope>(self).*turn)(floats(x, size), floats(out, size), args);
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(rotary) {
  emscripten::value_object<RopeOptions>("RopeOptions")
      .field("headDim", &RopeOptions::head_dim)
      .field("rotaryDim", &RopeOptions::rotary_dim)
      .field("base", &RopeOptions::base)
      .field("layout", &RopeOptions::layout)
      .field("scaling", &RopeOptions::scaling)
      .field("factor", &RopeOptions::factor);
  emscripten::function("rope_make", &rope_make);
  emscripten::function("rope_dispose", &disposed<Rope>);
  emscripten::function("rope_inv_freq", &rope_inv_freq);
  emscripten::function("rope_angles", &rope_angles);
  emscripten::function("rope_rotate", &rope_rotate);
  emscripten::function("rope_apply", &rope_turn<&Rope::apply>);
  emscripten::function("rope_unapply", &rope_turn<&Rope::unapply>);
}

}  // namespace posenc::wasm
