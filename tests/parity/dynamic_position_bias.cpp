#include "posenc/bias/dynamic_position_bias.hpp"

#include "bias_cases.hpp"
#include "mlp_layers.hpp"

namespace posenc::parity {
namespace {

struct Setting {
  std::size_t heads, hidden;
  bool log_distance;
};

Setting setting_of(std::size_t index) {
  return {.heads = 1 + index % 4, .hidden = 1 + index % 33, .log_distance = index % 2 == 0};
}

Label label_of(const Setting& setting) {
  Label label;
  label("heads", setting.heads)("hidden", setting.hidden);
  return label("log_distance", setting.log_distance ? "yes" : "no");
}

DynamicPositionBias encoding_of(const Setting& setting, Case& one) {
  return DynamicPositionBias({.heads = setting.heads,
                              .log_distance = setting.log_distance,
                              .layers = layers_of(one, 1, setting.hidden, setting.heads)});
}

void distances(Cases& cases) { add_distances(cases, 150, setting_of, label_of, encoding_of); }

void bias(Cases& cases) {
  add_pairs(cases, kPlaces, 150, setting_of, label_of, encoding_of, kCallBias);
}

}  // namespace

std::span<const Verb> dynamic_position_bias_verbs() {
  static constexpr Verb kVerbs[] = {{"dynamic_position_bias.distances", distances},
                                    {"dynamic_position_bias.bias", bias}};
  return kVerbs;
}

}  // namespace posenc::parity
