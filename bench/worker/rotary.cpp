#include <memory>

#include "workload.hpp"

namespace posenc::bench {
namespace {

struct Rotation {
  Rope rope;
  std::size_t heads;
  Buffer<float> cos, sin, x, out;
  Buffer<Float16> half;
};

RopeLayout layout_of(const Shape& shape) {
  return shape.word("layout") == "half" ? RopeLayout::half : RopeLayout::interleaved;
}

/// Fills half from seed 1.
void fill_half(Rotation& state) {
  for (std::size_t i = 0; i < state.half.size(); ++i)
    state.half[i] = to_float16(element(static_cast<std::uint32_t>(i), 1));
}

/// With the tables of `length` positions ready: in place, to other memory, or in float16.
Workload rope(const Shape& shape) {
  const std::size_t heads = shape.size("heads"), length = shape.size("length");
  const std::size_t dim = shape.size("dim"), count = heads * length * dim;
  const bool half = shape.word("storage") == "float16", apart = shape.word("place") == "out";
  auto state = std::make_shared<Rotation>(
      Rotation{.rope = Rope({.head_dim = dim, .layout = layout_of(shape)}),
               .heads = heads,
               .cos = Buffer<float>(length * dim / 2),
               .sin = Buffer<float>(length * dim / 2),
               .x = Buffer<float>(half ? 0 : count),
               .out = Buffer<float>(apart ? count : 0),
               .half = Buffer<Float16>(half ? count : 0)});
  state->rope.angles(Positions::from(0, length), state->cos, state->sin).or_throw();
  Workload workload;
  workload.reset = [state] {
    fill(state->x, 1);
    fill_half(*state);
  };
  workload.run = [state, half, apart] {
    Rotation& s = *state;
    const RotaryArgs args{.heads = s.heads};
    if (half)
      s.rope.rotate(s.half, s.cos, s.sin, args).or_throw();
    else if (apart)
      s.rope.rotate(s.x, s.out, s.cos, s.sin, args).or_throw();
    else
      s.rope.rotate(s.x, s.cos, s.sin, args).or_throw();
  };
  workload.results = [state, half, apart]() -> std::vector<ConstFloats> {
    if (half) return {state->half};
    return {apart ? state->out : state->x};
  };
  workload.reset();
  return workload;
}

/// One token: the row of a ready table, or the angles too.
Workload decode(const Shape& shape) {
  const std::size_t heads = shape.size("heads"), dim = shape.size("dim");
  const auto position = static_cast<std::int64_t>(shape.size("position"));
  auto state = std::make_shared<Rotation>(Rotation{.rope = Rope({.head_dim = dim}),
                                                   .heads = heads,
                                                   .cos = Buffer<float>(dim / 2),
                                                   .sin = Buffer<float>(dim / 2),
                                                   .x = Buffer<float>(heads * dim),
                                                   .out = {},
                                                   .half = {}});
  const Positions positions = Positions::from(position, 1);
  state->rope.angles(positions, state->cos, state->sin).or_throw();
  Workload workload;
  workload.reset = [state] { fill(state->x, 1); };
  if (shape.word("table") == "ready") {
    workload.run = [state] {
      state->rope.rotate(state->x, state->cos, state->sin, {.heads = state->heads}).or_throw();
    };
  } else {
    workload.run = [state, positions] {
      state->rope.apply(state->x, {.heads = state->heads, .positions = positions}).or_throw();
    };
  }
  workload.results = [state]() -> std::vector<ConstFloats> { return {state->x}; };
  workload.reset();
  return workload;
}

Workload angles(const Shape& shape) {
  const std::size_t length = shape.size("length"), pairs = shape.size("pairs");
  const Angles rule = shape.word("rule") == "exact" ? Angles::exact : Angles::float32;
  auto state =
      std::make_shared<Rotation>(Rotation{.rope = Rope({.head_dim = 2 * pairs, .angles = rule}),
                                          .heads = 1,
                                          .cos = Buffer<float>(length * pairs),
                                          .sin = Buffer<float>(length * pairs),
                                          .x = {},
                                          .out = {},
                                          .half = {}});
  Workload workload;
  workload.run = [state, length] {
    state->rope.angles(Positions::from(0, length), state->cos, state->sin).or_throw();
  };
  workload.results = [state]() -> std::vector<ConstFloats> { return {state->cos, state->sin}; };
  return workload;
}

}  // namespace

void add_rotary(std::map<std::string, Maker>& makers) {
  makers["rope"] = rope;
  makers["decode"] = decode;
  makers["angles"] = angles;
}

}  // namespace posenc::bench
