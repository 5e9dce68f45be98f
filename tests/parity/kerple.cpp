#include "posenc/bias/kerple.hpp"

#include "bias_cases.hpp"

namespace posenc::parity {
namespace {

struct Setting {
  std::size_t heads;
  KerpleKind kind;
  bool causal;
  double minimum;
};

Setting setting_of(std::size_t index) {
  return {.heads = 1 + index % 5,
          .kind = index % 2 == 0 ? KerpleKind::log : KerpleKind::power,
          .causal = index / 2 % 2 == 0,
          .minimum = index % 3 == 0 ? 0.01 : 0.0};
}

Label label_of(const Setting& setting) {
  Label label;
  label("heads", setting.heads)("kind", setting.kind == KerpleKind::log ? "log" : "power");
  return label("causal", setting.causal ? "yes" : "no")("minimum", setting.minimum);
}

/// Parameters of trained size: p up to 2, a up to 16.
Kerple encoding_of(const Setting& setting, Case& one) {
  KerpleConfig config{.heads = setting.heads,
                      .kind = setting.kind,
                      .causal = setting.causal,
                      .minimum = setting.minimum};
  for (std::size_t head = 0; head < setting.heads; ++head) {
    const double p = one.generator().real(-6, 0), a = one.generator().real(-10, 3);
    config.p.push_back(p < 0 ? -p : p);
    config.a.push_back(a < 0 ? -a : a);
  }
  one.parameters("p", config.p);
  one.parameters("a", config.a);
  return Kerple(config);
}

void distances(Cases& cases) { add_distances(cases, 150, setting_of, label_of, encoding_of); }

void bias(Cases& cases) {
  add_pairs(cases, kPlaces, 200, setting_of, label_of, encoding_of, kCallBias);
}

void gradient(Cases& cases) {
  add_pairs(cases, kPlaces, 100, setting_of, label_of, encoding_of,
            [](const Kerple& kerple, Case& one, const Positions& queries, const Positions& keys) {
              const std::size_t heads = kerple.config().heads;
              const auto gradient =
                  one.input("gradient", {heads, queries.size(), keys.size()}, Values::tiny);
              const auto p = one.output_floats("p", {heads}), a = one.output_floats("a", {heads});
              one.succeed(kerple.gradient(queries, keys, gradient, p, a));
            });
}

}  // namespace

std::span<const Verb> kerple_verbs() {
  static constexpr Verb kVerbs[] = {
      {"kerple.distances", distances}, {"kerple.bias", bias}, {"kerple.gradient", gradient}};
  return kVerbs;
}

}  // namespace posenc::parity
