#include <limits>

#include "conformance/families.hpp"
#include "posenc/bias/alibi.hpp"
#include "posenc/bias/dynamic_position_bias.hpp"
#include "posenc/bias/fire.hpp"
#include "posenc/bias/kerple.hpp"
#include "posenc/bias/swin.hpp"
#include "posenc/bias/swin_cpb.hpp"
#include "posenc/bias/t5.hpp"
#include "posenc/relative/gated_position_bias.hpp"

namespace posenc::conformance {
namespace {

/// Queries come last among the keys unless query_offset says otherwise.
template <class Encoding>
void write_bias(Case& c, std::size_t heads, const Encoding& encoding) {
  const std::size_t queries = c.size("query_len"), keys = c.size("key_len");
  const auto last = static_cast<std::int64_t>(keys) - static_cast<std::int64_t>(queries);
  const Positions rows = Positions::from(c.whole_or("query_offset", last), queries);
  std::vector<float> bias = c.room({heads, queries, keys});
  encoding.bias(rows, Positions::from(0, keys), bias).or_throw();
  c.output("bias", {heads, queries, keys}, bias);
}

std::vector<double> doubles(const Tensor& tensor) {
  return {tensor.values.begin(), tensor.values.end()};
}

KerpleConfig kerple_config(Case& c, KerpleKind kind) {
  KerpleConfig config{.heads = c.size("heads"), .kind = kind, .causal = c.flag("causal")};
  config.p = doubles(c.input("p", {config.heads}));
  config.a = doubles(c.input("a", {config.heads}));
  if (!c.has("clamp") || c.any("clamp").is_null()) return config;
  for (const auto& [name, value] : c.any("clamp").items()) {
    if (value.is_null()) continue;
    if (name == "min") config.minimum = number_of(value, "clamp: min");
    if (name == "p_max") config.p_maximum = number_of(value, "clamp: p_max");
    if (name != "min" && name != "p_max") unsupported("parameter \"clamp\" has " + name);
  }
  return config;
}

void kerple_log(Case& c) {
  const Kerple kerple(kerple_config(c, KerpleKind::log));
  write_bias(c, kerple.config().heads, kerple);
}

void kerple_power(Case& c) {
  const Kerple kerple(kerple_config(c, KerpleKind::power));
  write_bias(c, kerple.config().heads, kerple);
}

void kerple_grad(Case& c) {
  c.one_of("kind", {"log", "power"});
  const bool log = c.any("kind") == "log";
  const Kerple kerple(kerple_config(c, log ? KerpleKind::log : KerpleKind::power));
  const std::size_t heads = kerple.config().heads;
  const std::size_t queries = c.size("query_len"), keys = c.size("key_len");
  const Tensor dbias = c.input("dbias", {heads, queries, keys});
  const auto offset = static_cast<std::int64_t>(keys) - static_cast<std::int64_t>(queries);
  std::vector<float> dp(heads), da(heads);
  kerple.gradient(Positions::from(offset, queries), Positions::from(0, keys), dbias.values, dp, da)
      .or_throw();
  c.output("dp", {heads}, dp);
  c.output("da", {heads}, da);
}

/// The layers w1, b1, w2, ...; a bias may be missing. They keep the tensors that they view.
struct Layers {
  std::vector<Tensor> tensors;
  std::vector<MlpLayer> layers;
};

Layers layers_of(Case& c) {
  Layers network;
  network.tensors.reserve(64);
  for (int i = 1; c.has_input("w" + std::to_string(i)); ++i) {
    const Tensor& weight = network.tensors.emplace_back(c.input("w" + std::to_string(i)));
    MlpLayer layer{.weight = weight.values};
    if (c.has_input("b" + std::to_string(i))) {
      layer.bias = network.tensors.emplace_back(c.input("b" + std::to_string(i))).values;
    }
    network.layers.push_back(layer);
  }
  return network;
}

void fire(Case& c) {
  const Layers network = layers_of(c);
  c.one_of("activation", {"relu"});
  c.describes({"mlp_width", "hidden_layers"});
  const Fire encoding({.heads = c.size("heads"),
                       .causal = c.flag("causal"),
                       .c = c.number("c"),
                       .threshold = c.number("threshold"),
                       .eps = c.number("eps"),
                       .layers = network.layers});
  write_bias(c, encoding.config().heads, encoding);
}

void dynamic_position_bias(Case& c) {
  const Layers network = layers_of(c);
  c.one_of("activation", {"silu"});
  c.describes({"dim", "depth"});
  const DynamicPositionBias encoding(
      {.heads = c.size("heads"), .log_distance = c.flag("log_distance"), .layers = network.layers});
  write_bias(c, encoding.config().heads, encoding);
}

/// [height, width], or one number for both.
std::pair<std::size_t, std::size_t> sides(const Json& json) {
  if (!json.is_array()) return {size_of(json, "a side"), size_of(json, "a side")};
  return {size_of(json.at(0), "a side"), size_of(json.at(1), "a side")};
}

void swin_table_bias(Case& c) {
  const auto [height, width] = sides(c.any("window"));
  const std::size_t heads = c.size("heads"), cells = height * width;
  const Tensor table = c.input("table", {(2 * height - 1) * (2 * width - 1), heads});
  const Swin swin({height, width, heads, table.values});
  std::vector<float> bias = c.room({heads, cells, cells});
  swin.bias(bias).or_throw();
  c.output("bias", {heads, cells, cells}, bias);
}

void swin_cpb_bias(Case& c) {
  const auto [height, width] = sides(c.any("window"));
  SwinCpbConfig config{.window_height = height, .window_width = width, .heads = c.size("heads")};
  if (const Json& pretrained = c.any("pretrained_window"); !pretrained.is_null()) {
    std::tie(config.pretrained_height, config.pretrained_width) = sides(pretrained);
  }
  c.one_of("activation", {"relu"});
  c.describes({"hidden"});
  const Layers network = layers_of(c);
  config.layers = network.layers;
  const std::size_t cells = height * width;
  std::vector<float> bias = c.room({config.heads, cells, cells});
  SwinCpb(config).bias(bias).or_throw();
  c.output("bias", {config.heads, cells, cells}, bias);
}

/// The index of a window, or the coordinates of Swin v2.
void swin(Case& c) {
  const auto [height, width] = sides(c.any("window"));
  if (!c.has("pretrained_window")) {
    const std::size_t cells = height * width;
    std::vector<std::int32_t> index(cells * cells);
    Swin({height, width, 1, {}}).index(index).or_throw();
    return c.output("index", {cells, cells}, std::vector<double>(index.begin(), index.end()));
  }
  SwinCpbConfig config{.window_height = height, .window_width = width, .heads = 1};
  std::tie(config.pretrained_height, config.pretrained_width) = sides(c.any("pretrained_window"));
  const Shape shape{1, 2 * height - 1, 2 * width - 1, 2};
  std::vector<float> coordinates = c.room(shape);
  SwinCpb(config).coordinates(coordinates).or_throw();
  c.output("coords", shape, coordinates);
}

void gated_relative_bias(Case& c) {
  const std::size_t batch = c.size("batch"), heads = c.size("heads"), dim = c.size("head_dim");
  const std::size_t length = c.size("seq");
  const Tensor weight = c.input("gate_weight", {8, dim}), bias_terms = c.input("gate_bias", {8});
  const Tensor constant = c.input("gate_const", {heads});
  const GatedPositionBias encoding({.heads = heads,
                                    .head_dim = dim,
                                    .gate_weight = weight.values,
                                    .gate_bias = bias_terms.values,
                                    .gate_const = constant.values});
  const Tensor hidden = c.input("hidden", {batch, length, heads * dim});
  std::vector<float> gate = c.room({batch, heads, length});
  encoding.gate(hidden.values, length, gate).or_throw();
  const Tensor table = c.input("table", {c.size("num_buckets"), heads});
  const T5 t5({.heads = heads,
               .bidirectional = c.flag("bidirectional"),
               .num_buckets = table.shape[0],
               .max_distance = static_cast<std::int64_t>(c.size("max_distance")),
               .table = table.values});
  std::vector<float> position_bias = c.room({heads, length, length});
  const Positions positions = Positions::from(0, length);
  t5.bias(positions, positions, position_bias).or_throw();
  std::vector<float> bias = c.room({batch, heads, length, length});
  encoding.bias(gate, position_bias, length, length, bias).or_throw();
  c.output("gate", {batch, heads, length}, gate);
  c.output("bias", {batch, heads, length, length}, bias);
}

void alibi_partial(Case& c) {
  c.one_of("order", {"paper/BLOOM"});
  const bool causal = c.flag("causal");
  const Alibi alibi({.heads = c.size("total_heads"),
                     .form = causal ? AlibiForm::causal : AlibiForm::symmetric,
                     .alibi_heads = c.size("alibi_heads")});
  write_bias(c, alibi.config().heads, alibi);
}

constexpr Family kFamilies[] = {
    {"kerple_log", kerple_log},
    {"kerple_power", kerple_power},
    {"kerple_grad", kerple_grad},
    {"fire", fire},
    {"dynamic_position_bias", dynamic_position_bias},
    {"swin", swin},
    {"swin_bias", swin_table_bias},
    {"swin_cpb_bias", swin_cpb_bias},
    {"gated_relative_bias", gated_relative_bias},
    {"alibi_partial", alibi_partial},
};

}  // namespace

std::span<const Family> bias_more_families() { return kFamilies; }

}  // namespace posenc::conformance
