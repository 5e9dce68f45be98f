#include "posenc/rotary/rope.hpp"

#include "cases.hpp"
#include "sizes.hpp"

namespace posenc::parity {
namespace {

constexpr double kBases[] = {10000, 500000, 1, 1e6, 100, 1e30};
constexpr double kFactors[] = {1, 4, 2.5, 0.5, 40};

RopeConfig config_of(std::size_t pairs, std::size_t copied, RopeLayout layout, std::size_t index) {
  RopeConfig config{.head_dim = 2 * pairs + copied,
                    .rotary_dim = copied == 0 && index % 2 == 0 ? 0 : 2 * pairs,
                    .base = turn(kBases, index),
                    .layout = layout};
  const double factor = turn(kFactors, index / 2);
  if (factor != 1.0) config.scaling = Linear{.factor = factor};
  return config;
}

/// Where a frequency is above one radian per position, the farthest positions are an error.
const Place& place_for(const RopeConfig& config, std::size_t index) {
  const auto* linear = std::get_if<Linear>(&config.scaling);
  const bool fast = linear != nullptr && linear->factor < 1.0;
  return fast ? kPlaces[index % 5] : turn(kPlaces, index);
}

Label label_of(const RopeConfig& config) {
  Label label;
  label("head_dim", config.head_dim)("rotary_dim", config.rotary_dim)("base", config.base);
  if (const auto* linear = std::get_if<Linear>(&config.scaling)) label("linear", linear->factor);
  return label("layout", config.layout == RopeLayout::half ? "half" : "interleaved");
}

/// The tensor of a case: RotaryArgs but for the positions, and how it is called.
struct Tensor {
  RotaryArgs args;
  std::size_t size = 0;
  bool own_positions = false;
  bool in_place = false;

  std::size_t table_rows() const { return (own_positions ? args.batch : 1) * args.length; }
};

/// Strides with gaps of an odd number of floats between rows, and larger ones between the rest.
void add_gaps(Tensor& tensor, std::size_t head_dim) {
  RotaryArgs& args = tensor.args;
  const std::size_t row = head_dim + 3;
  if (args.order == RotaryOrder::heads_first) {
    args.length_stride = row;
    args.head_stride = args.length * row + 5;
    args.batch_stride = args.heads * args.head_stride + 7;
  } else {
    args.head_stride = row;
    args.length_stride = args.heads * row + 5;
    args.batch_stride = args.length * args.length_stride + 7;
  }
  tensor.size = args.batch * args.batch_stride;
}

Tensor tensor_of(std::size_t head_dim, std::size_t batch, std::size_t heads, std::size_t length,
                 std::size_t form) {
  Tensor tensor;
  tensor.args.batch = batch;
  tensor.args.heads = heads;
  tensor.args.length = length;
  tensor.size = batch * heads * length * head_dim;
  tensor.in_place = form % 2 == 0;
  if (form / 2 % 2 == 1) tensor.args.order = RotaryOrder::length_first;
  tensor.own_positions = batch > 1 && form / 4 % 2 == 1;
  if (form / 8 % 2 == 1) add_gaps(tensor, head_dim);
  return tensor;
}

Label label_of(const RopeConfig& config, const Tensor& tensor) {
  const RotaryArgs& args = tensor.args;
  Label label = label_of(config);
  label("batch", args.batch)("heads", args.heads)("length", args.length);
  label("order", args.order == RotaryOrder::heads_first ? "heads" : "length");
  label("strides", args.head_stride == 0 ? "none" : "gaps");
  label("own", tensor.own_positions ? "yes" : "no");
  return label("in_place", tensor.in_place ? "yes" : "no");
}

/// Every width and layout in every form; then every length.
template <class Visit>
void for_each_tensor(const Visit& visit) {
  std::size_t index = 0;
  for (const auto layout : {RopeLayout::half, RopeLayout::interleaved}) {
    for (const std::size_t pairs : sizes_to(34, {63, 64, 65, 100, 130})) {
      for (std::size_t form = 0; form < 16; ++form, ++index) {
        const RopeConfig config = config_of(pairs, index % 3 * 2, layout, index);
        visit(config, tensor_of(config.head_dim, 2, 1 + index % 3, 1 + index % 4, form), index);
      }
    }
    for (const std::size_t length : sizes_to(18, {33})) {
      for (std::size_t form = 0; form < 16; ++form, ++index) {
        const RopeConfig config = config_of(1 + index % 9, index % 3 * 2, layout, index);
        visit(config, tensor_of(config.head_dim, 1 + index % 3, 2, length, form), index);
      }
    }
  }
}

/// `call(rope, x, out, args)`, x and out the same memory in place.
template <class Call>
void call_on(Case& one, const Tensor& tensor, const Call& call) {
  if (tensor.in_place) {
    const Floats x = one.in_place("x", {tensor.size});
    one.succeed(call(x, x));
  } else {
    const ConstFloats x = one.input("x", {tensor.size});
    one.succeed(call(x, one.output("out", {tensor.size})));
  }
}

template <class Call>
void turns(Cases& cases, const Call& call) {
  for_each_tensor([&](const RopeConfig& config, const Tensor& tensor, std::size_t index) {
    const Place& place = place_for(config, index / 3);
    cases.add_stored(label_of(config, tensor)("at", place.name), [&](Case& one) {
      RotaryArgs args = tensor.args;
      args.positions = one.positions("positions", place, tensor.table_rows());
      const Rope rope(config);
      call_on(one, tensor, [&](ConstFloats x, Floats out) { return call(rope, x, out, args); });
    });
  });
}

void apply(Cases& cases) {
  turns(cases, [](const Rope& rope, ConstFloats x, Floats out, const RotaryArgs& args) {
    return rope.apply(x, out, args);
  });
}

void unapply(Cases& cases) {
  turns(cases, [](const Rope& rope, ConstFloats x, Floats out, const RotaryArgs& args) {
    return rope.unapply(x, out, args);
  });
}

void rotate(Cases& cases) {
  for_each_tensor([&](const RopeConfig& config, const Tensor& tensor, std::size_t) {
    cases.add_stored(label_of(config, tensor), [&](Case& one) {
      const Rope rope(config);
      const std::size_t rows = tensor.table_rows(), pairs = rope.config().rotary_dim / 2;
      const auto cos = one.input_floats("cos", {rows, pairs}),
                 sin = one.input_floats("sin", {rows, pairs});
      call_on(one, tensor, [&](ConstFloats x, Floats out) {
        return rope.rotate(x, out, cos, sin, tensor.args);
      });
    });
  });
}

template <class Visit>
void for_each_config(const Visit& visit) {
  std::size_t index = 0;
  for (const std::size_t pairs : sizes_to(34, {63, 64, 65, 128, 300})) {
    for (const double base : kBases) {
      RopeConfig config = config_of(pairs, 0, RopeLayout::half, index++);
      config.base = base;
      visit(config);
    }
  }
}

void inv_freq(Cases& cases) {
  for_each_config([&](const RopeConfig& config) {
    cases.add(label_of(config),
              [&](Case& one) { one.result("inv_freq", Rope(config).inv_freq()); });
  });
}

void angles(Cases& cases) {
  std::size_t index = 0;
  for_each_config([&](const RopeConfig& config) {
    for (std::size_t step = 0; step < 5; ++step, ++index) {
      const Place& place = place_for(config, index);
      const std::size_t rows = 1 + index % 4;
      cases.add(label_of(config)("at", place.name)("rows", rows), [&](Case& one) {
        const Rope rope(config);
        const std::size_t pairs = rope.config().rotary_dim / 2;
        const Positions positions = one.positions("positions", place, rows);
        const auto cos = one.output_floats("cos", {rows, pairs}),
                   sin = one.output_floats("sin", {rows, pairs});
        one.succeed(rope.angles(positions, cos, sin));
      });
    }
  });
}

}  // namespace

std::span<const Verb> rope_verbs() {
  static constexpr Verb kVerbs[] = {{"rope.inv_freq", inv_freq},
                                    {"rope.angles", angles},
                                    {"rope.rotate", rotate},
                                    {"rope.apply", apply},
                                    {"rope.unapply", unapply}};
  return kVerbs;
}

}  // namespace posenc::parity
