#include "posenc/relative/gated_position_bias.hpp"

#include "cases.hpp"
#include "sizes.hpp"

namespace posenc::parity {
namespace {

GatedPositionBias encoding_of(Case& one, std::size_t heads, std::size_t head_dim) {
  const auto input = [&](const char* name, Case::Shape shape) {
    return one.input(name, shape, Values::tiny);
  };
  return GatedPositionBias({.heads = heads,
                            .head_dim = head_dim,
                            .gate_weight = input("gate_weight", {std::size_t{8}, head_dim}),
                            .gate_bias = input("gate_bias", {std::size_t{8}}),
                            .gate_const = input("gate_const", {heads})});
}

void gate(Cases& cases) {
  std::size_t index = 0;
  for (const std::size_t head_dim : sizes_to(36, {64, 65})) {
    for (std::size_t step = 0; step < 2; ++step, ++index) {
      const std::size_t heads = 1 + index % 4, length = 1 + index % 6, batch = 1 + step;
      Label label;
      label("heads", heads)("head_dim", head_dim)("length", length)("batch", batch);
      cases.add_stored(label, [&](Case& one) {
        const GatedPositionBias encoding = encoding_of(one, heads, head_dim);
        const auto hidden = one.input("hidden", {batch, length, heads * head_dim}, Values::tiny);
        one.succeed(encoding.gate(hidden, length, one.output("out", {batch, heads, length})));
      });
    }
  }
}

void bias(Cases& cases) {
  std::size_t index = 0;
  for (const std::size_t keys : sizes_to(36, {128, 257})) {
    const std::size_t heads = 1 + index % 4, queries = 1 + index % 5, batch = 1 + index % 2;
    ++index;
    Label label;
    label("heads", heads)("queries", queries)("keys", keys)("batch", batch);
    cases.add_stored(label, [&](Case& one) {
      const GatedPositionBias encoding = encoding_of(one, heads, 3);
      const auto gates = one.input("gate", {batch, heads, queries});
      const auto positions = one.input("position_bias", {heads, queries, keys});
      const auto out = one.output("out", {batch, heads, queries, keys});
      one.succeed(encoding.bias(gates, positions, queries, keys, out));
    });
  }
}

}  // namespace

std::span<const Verb> gated_position_bias_verbs() {
  static constexpr Verb kVerbs[] = {{"gated_position_bias.gate", gate},
                                    {"gated_position_bias.bias", bias}};
  return kVerbs;
}

}  // namespace posenc::parity
