#include "posenc/bias/alibi.hpp"

#include "bias_call.hpp"

namespace posenc::fuzz {
namespace {

struct Form {
  static constexpr const char* kEncoding = "alibi";
  static constexpr bool kHasDistances = true;
  static constexpr const char* kGradientField = "slopes";

  static std::size_t gradient_size(const AlibiConfig& config) { return config.heads; }
  static Status gradient(const Alibi& alibi, const Positions& queries, const Positions& keys,
                         ConstFloats gradient, std::span<float> slopes) {
    return alibi.slope_gradient(queries, keys, gradient, slopes);
  }

  static AlibiConfig valid(Trial& trial) {
    AlibiConfig config{.heads = trial.size(1, 20)};
    if (trial.random().one_in(2)) config.slopes = AlibiSlopes::paper;
    if (trial.random().one_in(2)) config.form = AlibiForm::symmetric;
    if (trial.random().one_in(3)) config.alibi_heads = trial.size(1, config.heads);
    if (trial.random().one_in(5)) config.custom_slopes.assign(config.heads, 0.75);
    return config;
  }

  static Refusal spoil(AlibiConfig& config, Trial& trial) {
    const bool coin = trial.random().one_in(2);
    switch (trial.random().below(5)) {
      case 0:
        config.heads = coin ? 0 : kTooWide;
        return {Code::value_range, "heads"};
      case 1:
        config.alibi_bias_max = coin ? 0.0 : kNan;
        return {Code::value_range, "alibi_bias_max"};
      case 2:
        config.alibi_heads = config.heads + 1;
        return {Code::value_range, "alibi_heads"};
      case 3:
        config.custom_slopes.assign(config.heads + 1, 1.0);
        return {Code::shape, "custom_slopes"};
      default:
        config.custom_slopes.assign(config.heads, kNan);
        return {Code::value_range, "custom_slopes"};
    }
  }

  static void roughen(AlibiConfig& config, Trial& trial) {
    std::size_t* sizes[] = {&config.heads, &config.alibi_heads};
    if (trial.random().one_in(3)) {
      config.alibi_bias_max = trial.wild_real();
    } else {
      *trial.random().pick(sizes) = trial.wild_size();
    }
  }
};

/// The biases of keys alone.
struct KeysCall {
  static constexpr const char* kEncoding = "alibi";

  AlibiConfig config;
  Positions keys;
  Floats data;
  bool falcon = false;

  static KeysCall valid(Trial& trial) {
    KeysCall call;
    call.config = Form::valid(trial);
    const std::size_t count = trial.size(1, 300);
    call.keys = trial.positions(count, trial.random().one_in(2) ? 1000.0 : 0x1p50);
    call.data = trial.data(call.config.heads * count);
    call.falcon = trial.random().one_in(2);
    return call;
  }

  Refusal spoil(Trial& trial) {
    switch (trial.random().below(3)) {
      case 0:
        return Form::spoil(config, trial);
      case 1:
        keys = trial.repeated(keys.size(), trial.random().one_in(2) ? kNan : 0x1.1p50);
        return {Code::position_range, "keys"};
      default:
        data = resized(data, data.size() - 1);
        return {Code::shape, "out"};
    }
  }

  void roughen(Trial& trial) {
    if (trial.random().one_in(2)) {
      Form::roughen(config, trial);
    } else {
      keys = Positions::from(trial.wild_whole(), trial.wild_size());
    }
  }

  Status run() const {
    const Result<Alibi> made = make(config);
    if (!made.ok()) return made.status();
    return falcon ? made.value().falcon_key_bias(keys, data) : made.value().key_bias(keys, data);
  }
};

}  // namespace

Tally fuzz_alibi(const Options& options) {
  return Runner<BiasCall<Form, Alibi, AlibiConfig>>(options).run();
}

Tally fuzz_alibi_keys(const Options& options) { return Runner<KeysCall>(options).run(); }

}  // namespace posenc::fuzz
