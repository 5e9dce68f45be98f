#include "posenc/bias/fire.hpp"

#include "bias_cases.hpp"
#include "mlp_layers.hpp"

namespace posenc::parity {
namespace {

struct Setting {
  std::size_t hidden;
  FireConfig config;
};

Setting setting_of(std::size_t index) {
  constexpr double kThresholds[] = {0, 512, 3.5};
  return {.hidden = 1 + index % 33,
          .config = {.heads = 1 + index % 4,
                     .causal = index % 2 == 0,
                     .c = index % 3 == 0 ? 0.1 : -2.5,
                     .threshold = turn(kThresholds, index / 2),
                     .eps = index % 5 == 0 ? 0.0 : 1e-6}};
}

Label label_of(const Setting& setting) {
  const FireConfig& config = setting.config;
  Label label;
  label("heads", config.heads)("hidden", setting.hidden)("causal", config.causal ? "yes" : "no");
  return label("c", config.c)("threshold", config.threshold)("eps", config.eps);
}

Fire encoding_of(const Setting& setting, Case& one) {
  FireConfig config = setting.config;
  config.layers = layers_of(one, 1, setting.hidden, config.heads);
  return Fire(config);
}

void bias(Cases& cases) {
  add_pairs(cases, kPlaces, 200, setting_of, label_of, encoding_of, kCallBias);
}

}  // namespace

std::span<const Verb> fire_verbs() {
  static constexpr Verb kVerbs[] = {{"fire.bias", bias}};
  return kVerbs;
}

}  // namespace posenc::parity
