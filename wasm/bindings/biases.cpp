#include <emscripten/bind.h>

#include "bias_verbs.hpp"
#include "glue.hpp"
#include "posenc/bias/dynamic_position_bias.hpp"
#include "posenc/bias/fire.hpp"
#include "posenc/bias/kerple.hpp"
#include "posenc/bias/swin.hpp"
#include "posenc/bias/swin_cpb.hpp"
#include "posenc/relative/forgetting_bias.hpp"
#include "posenc/relative/gated_position_bias.hpp"

namespace posenc::wasm {
namespace {

Address kerple_make(std::size_t heads, unsigned kind, bool causal, double minimum, double p_maximum,
                    Address p, std::size_t p_count, Address a, std::size_t a_count) {
  return made<Kerple>([&] {
    return KerpleConfig{.heads = heads,
                        .kind = static_cast<KerpleKind>(kind),
                        .causal = causal,
                        .p = doubles({p, p_count}),
                        .a = doubles({a, a_count}),
                        .minimum = minimum,
                        .p_maximum = p_maximum};
  });
}

/// `out` is [2, heads]: the gradient of p, then that of a.
int kerple_gradient(Address self, unsigned query_kind, double query_first, std::size_t query_count,
                    unsigned key_kind, double key_first, std::size_t key_count, Address bias,
                    Size bias_size, Address out, Size size) {
  return guarded([&] {
    const std::span<float> both = float32(out, size);
    return at<Kerple>(self).gradient(
        positions(query_kind, query_first, query_count), positions(key_kind, key_first, key_count),
        floats(bias, bias_size), both.first(size / 2), both.subspan(size / 2));
  });
}

/// The layers of a network, each four doubles: address and size of its weight, then of its bias.
std::vector<MlpLayer> layers(Address address, std::size_t count) {
  const std::vector<double> values = doubles({address, count});
  const auto buffer = [&](std::size_t i) {
    return floats(static_cast<Address>(values[i]), static_cast<Size>(values[i + 1]));
  };
  std::vector<MlpLayer> result;
  for (std::size_t i = 0; i < count; i += 4) result.push_back({buffer(i), buffer(i + 2)});
  return result;
}

Address fire_make(std::size_t heads, bool causal, double c, double threshold, double eps,
                  Address network, std::size_t count) {
  return made<Fire>([&] {
    return FireConfig{.heads = heads,
                      .causal = causal,
                      .c = c,
                      .threshold = threshold,
                      .eps = eps,
                      .layers = layers(network, count)};
  });
}

Address dynamic_position_bias_make(std::size_t heads, bool log_distance, Address network,
                                   std::size_t count) {
  return made<DynamicPositionBias>([&] {
    return DynamicPositionBiasConfig{
        .heads = heads, .log_distance = log_distance, .layers = layers(network, count)};
  });
}

Address swin_make(std::size_t height, std::size_t width, std::size_t heads, Address table,
                  Size size) {
  return made<Swin>([&] {
    return SwinConfig{.window_height = height,
                      .window_width = width,
                      .heads = heads,
                      .table = floats(table, size)};
  });
}

int swin_index(Address self, Address out, std::size_t size) {
  return guarded(
      [&] { return at<Swin>(self).index({reinterpret_cast<std::int32_t*>(out), size}); });
}

Address swin_cpb_make(std::size_t height, std::size_t width, std::size_t pretrained_height,
                      std::size_t pretrained_width, std::size_t heads, unsigned coordinates,
                      Address network, std::size_t count) {
  return made<SwinCpb>([&] {
    return SwinCpbConfig{.window_height = height,
                         .window_width = width,
                         .pretrained_height = pretrained_height,
                         .pretrained_width = pretrained_width,
                         .heads = heads,
                         .coordinates = static_cast<SwinCoordinates>(coordinates),
                         .layers = layers(network, count)};
  });
}

/// Verbs of a window, which write all that there is.
template <class Encoding, Status (Encoding::*verb)(Floats) const noexcept>
int window(Address self, Address out, Size size) {
  return guarded([&] { return (at<Encoding>(self).*verb)(floats(out, size)); });
}

int swin_cpb_bias_from_output(Address self, Address output, Size output_size, Address out,
                              Size size) {
  return guarded([&] {
    return at<SwinCpb>(self).bias_from_output(floats(output, output_size), floats(out, size));
  });
}

Address gated_position_bias_make(std::size_t heads, std::size_t head_dim, Address weight,
                                 Size weight_size, Address bias, Size bias_size, Address constant,
                                 Size constant_size) {
  return made<GatedPositionBias>([&] {
    return GatedPositionBiasConfig{.heads = heads,
                                   .head_dim = head_dim,
                                   .gate_weight = floats(weight, weight_size),
                                   .gate_bias = floats(bias, bias_size),
                                   .gate_const = floats(constant, constant_size)};
  });
}

int gated_position_bias_gate(Address self, Address hidden, Size hidden_size, std::size_t length,
                             Address out, Size size) {
  return guarded([&] {
    return at<GatedPositionBias>(self).gate(floats(hidden, hidden_size), length, floats(out, size));
  });
}

int gated_position_bias_bias(Address self, Address gate, Size gate_size, Address position_bias,
                             Size position_bias_size, std::size_t queries, std::size_t keys,
                             Address out, Size size) {
  return guarded([&] {
    return at<GatedPositionBias>(self).bias(floats(gate, gate_size),
                                            floats(position_bias, position_bias_size), queries,
                                            keys, floats(out, size));
  });
}

Address forgetting_bias_make(std::size_t heads, bool causal, double log_scale) {
  return made<ForgettingBias>([&] {
    return ForgettingBiasConfig{.heads = heads, .causal = causal, .log_scale = log_scale};
  });
}

int forgetting_bias_bias(Address self, Address gate_logits, Size gate_size, Address workspace,
                         std::size_t length, Address out, Size size) {
  return guarded([&] {
    return at<ForgettingBias>(self).bias(floats(gate_logits, gate_size),
                                         {reinterpret_cast<double*>(workspace), length},
                                         floats(out, size));
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(biases) {
  emscripten::function("kerple_make", &kerple_make);
  emscripten::function("kerple_dispose", &disposed<Kerple>);
  emscripten::function("kerple_distances", &distances<Kerple>);
  emscripten::function("kerple_bias", &bias<Kerple>);
  emscripten::function("kerple_gradient", &kerple_gradient);

  emscripten::function("fire_make", &fire_make);
  emscripten::function("fire_dispose", &disposed<Fire>);
  emscripten::function("fire_bias", &bias<Fire>);

  emscripten::function("dynamic_position_bias_make", &dynamic_position_bias_make);
  emscripten::function("dynamic_position_bias_dispose", &disposed<DynamicPositionBias>);
  emscripten::function("dynamic_position_bias_distances", &distances<DynamicPositionBias>);
  emscripten::function("dynamic_position_bias_bias", &bias<DynamicPositionBias>);

  emscripten::function("swin_make", &swin_make);
  emscripten::function("swin_dispose", &disposed<Swin>);
  emscripten::function("swin_index", &swin_index);
  emscripten::function("swin_bias", &window<Swin, &Swin::bias>);

  emscripten::function("swin_cpb_make", &swin_cpb_make);
  emscripten::function("swin_cpb_dispose", &disposed<SwinCpb>);
  emscripten::function("swin_cpb_coordinates", &window<SwinCpb, &SwinCpb::coordinates>);
  emscripten::function("swin_cpb_bias", &window<SwinCpb, &SwinCpb::bias>);
  emscripten::function("swin_cpb_bias_from_output", &swin_cpb_bias_from_output);

  emscripten::function("gated_position_bias_make", &gated_position_bias_make);
  emscripten::function("gated_position_bias_dispose", &disposed<GatedPositionBias>);
  emscripten::function("gated_position_bias_gate", &gated_position_bias_gate);
  emscripten::function("gated_position_bias_bias", &gated_position_bias_bias);

  emscripten::function("forgetting_bias_make", &forgetting_bias_make);
  emscripten::function("forgetting_bias_dispose", &disposed<ForgettingBias>);
  emscripten::function("forgetting_bias_bias", &forgetting_bias_bias);
}

}  // namespace posenc::wasm
