#include "posenc/relative/forgetting_bias.hpp"

#include "cases.hpp"
#include "sizes.hpp"

namespace posenc::parity {
namespace {

void bias(Cases& cases) {
  std::size_t index = 0;
  for (const std::size_t length : sizes_to(36)) {
    for (std::size_t step = 0; step < 4; ++step, ++index) {
      const ForgettingBiasConfig config{
          .heads = 1 + index % 3, .causal = step % 2 == 0, .log_scale = step < 2 ? 1.0 : 0.3};
      Label label;
      label("heads", config.heads)("length", length)("causal", config.causal ? "yes" : "no");
      cases.add_stored(label("log_scale", config.log_scale), [&](Case& one) {
        const std::size_t rows = config.causal ? config.heads : 2 * config.heads;
        const Values values = step < 2 ? Values::tiny : Values::masked;  // gates that are shut
        const auto logits = one.input("gate_logits", {rows, length}, values);
        std::vector<double> workspace(ForgettingBias::workspace_size(length));
        const auto out = one.output("out", {config.heads, length, length});
        one.succeed(ForgettingBias(config).bias(logits, workspace, out));
      });
    }
  }
}

}  // namespace

std::span<const Verb> forgetting_bias_verbs() {
  static constexpr Verb kVerbs[] = {{"forgetting_bias.bias", bias}};
  return kVerbs;
}

}  // namespace posenc::parity
