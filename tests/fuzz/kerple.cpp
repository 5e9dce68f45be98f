#include "posenc/bias/kerple.hpp"

#include "bias_call.hpp"

namespace posenc::fuzz {
namespace {

struct Form {
  static constexpr const char* kEncoding = "kerple";
  static constexpr bool kHasDistances = true;
  static constexpr const char* kGradientField = "p";

  /// p's, then a's.
  static std::size_t gradient_size(const KerpleConfig& config) { return 2 * config.heads; }
  static Status gradient(const Kerple& kerple, const Positions& queries, const Positions& keys,
                         ConstFloats gradient, std::span<float> outputs) {
    const std::size_t heads = outputs.size() / 2;
    return kerple.gradient(queries, keys, gradient, outputs.first(heads), outputs.subspan(heads));
  }

  static KerpleConfig valid(Trial& trial) {
    KerpleConfig config{.heads = trial.size(1, 6)};
    if (trial.random().one_in(2)) config.kind = KerpleKind::power;
    config.causal = trial.random().one_in(2);
    for (std::size_t head = 0; head < config.heads; ++head) {
      config.p.push_back(static_cast<double>(trial.size(0, 20)) * 0.1);
      config.a.push_back(static_cast<double>(trial.size(0, 20)) * 0.3);
    }
    return config;
  }

  static Refusal spoil(KerpleConfig& config, Trial& trial) {
    const bool coin = trial.random().one_in(2);
    switch (trial.random().below(4)) {
      case 0:
        config.heads = coin ? 0 : kTooWide;
        return {Code::value_range, "heads"};
      case 1:
        config.p.push_back(1.0);
        return {Code::shape, "p"};
      case 2:
        config.a[0] = coin ? kNan : -1.0;
        return {Code::value_range, "a"};
      default:
        config.minimum = coin ? kNan : -1.0;
        return {Code::value_range, "minimum"};
    }
  }

  static void roughen(KerpleConfig& config, Trial& trial) {
    if (trial.random().one_in(4)) config.heads = trial.wild_size();
    double* reals[] = {&config.minimum, &config.p_maximum, &config.p.back(), &config.a.back()};
    *trial.random().pick(reals) = trial.wild_real();
  }
};

}  // namespace

Tally fuzz_kerple(const Options& options) {
  return Runner<BiasCall<Form, Kerple, KerpleConfig>>(options).run();
}

}  // namespace posenc::fuzz
