#include "posenc/bias/alibi.hpp"

#include "runner.hpp"

namespace posenc::fuzz {
namespace {

struct AlibiCall {
  static constexpr const char* kEncoding = "alibi";

  AlibiConfig config;
  Positions queries, keys;
  std::int64_t first = 0;
  Floats data;
  std::span<float> slopes;
  enum class Verb : std::uint8_t {
    distances,
    bias,
    key_bias,
    falcon_key_bias,
    slope_gradient
  } verb = Verb::distances;

  bool of_pairs() const { return verb == Verb::bias || verb == Verb::slope_gradient; }

  static AlibiCall valid(Trial& trial) {
    AlibiCall call;
    call.config.heads = trial.size(1, 20);
    if (trial.random().one_in(2)) call.config.slopes = AlibiSlopes::paper;
    if (trial.random().one_in(2)) call.config.form = AlibiForm::symmetric;
    if (trial.random().one_in(3)) call.config.alibi_heads = trial.size(1, call.config.heads);
    if (trial.random().one_in(5)) call.config.custom_slopes.assign(call.config.heads, 0.75);
    call.verb = static_cast<Verb>(trial.random().below(5));
    const std::size_t rows = call.of_pairs() ? trial.size(1, 4) : 1, columns = trial.size(1, 20);
    const double limit = trial.random().one_in(2) ? 1000.0 : 0x1p50;
    call.queries = trial.positions(rows, limit);
    call.keys = trial.positions(columns, limit);
    call.first = trial.random().between(-kMaxPosition, kMaxPosition);
    call.data = trial.data(call.config.heads * rows * columns);
    call.slopes = trial.floats(call.config.heads);
    return call;
  }

  Refusal spoil(Trial& trial) {
    switch (trial.random().below(7)) {
      case 0:
        config.heads = trial.random().one_in(2) ? 0 : kTooWide;
        return {Code::value_range, "heads"};
      case 1:
        config.alibi_bias_max = trial.random().one_in(2) ? 0.0 : kNan;
        return {Code::value_range, "alibi_bias_max"};
      case 2:
        config.alibi_heads = config.heads + 1;
        return {Code::value_range, "alibi_heads"};
      case 3:
        config.custom_slopes.assign(config.heads + 1, 1.0);
        return {Code::shape, "custom_slopes"};
      case 4:
        config.custom_slopes.assign(config.heads, kNan);
        return {Code::value_range, "custom_slopes"};
      case 5:
        return misplace(trial);
      default:
        if (config.heads == 1 && verb == Verb::distances) return {};
        data = resized(data, data.size() - 1);
        return {Code::shape};
    }
  }

  Refusal misplace(Trial& trial) {
    if (verb == Verb::distances) {
      const bool ends = trial.random().one_in(2);
      first = ends ? std::numeric_limits<std::int64_t>::max() : -2 * kMaxPosition - 1;
      return {Code::position_range, "first"};
    }
    const double position = trial.random().one_in(2) ? kNan : 0x1.1p50;
    if (of_pairs() && trial.random().one_in(2)) {
      queries = trial.repeated(queries.size(), position);
      return {Code::position_range, "queries"};
    }
    keys = trial.repeated(keys.size(), position);
    return {Code::position_range, "keys"};
  }

  void roughen(Trial& trial) {
    switch (trial.random().below(7)) {
      case 6:  // any number of queries, and no key
        queries = Positions::from(-9, trial.wild_size());
        keys = Positions();
        data = resized(data, 0);
        break;
      case 0:
        config.heads = trial.wild_size();
        break;
      case 1:
        config.alibi_heads = trial.wild_size();
        break;
      case 2:
        config.alibi_bias_max = trial.wild_real();
        break;
      case 3:
        first = trial.wild_whole();
        break;
      case 4:
        queries = Positions::from(trial.wild_whole(), trial.wild_size());
        break;
      default:
        keys = Positions::from(trial.wild_whole(), trial.wild_size());
        break;
    }
  }

  Status run() const {
    const Result<Alibi> made = make(config);
    if (!made.ok()) return made.status();
    const Alibi& alibi = made.value();
    switch (verb) {
      case Verb::distances:
        return alibi.distances(first, data);
      case Verb::bias:
        return alibi.bias(queries, keys, data);
      case Verb::key_bias:
        return alibi.key_bias(keys, data);
      case Verb::falcon_key_bias:
        return alibi.falcon_key_bias(keys, data);
      case Verb::slope_gradient:
        break;
    }
    return alibi.slope_gradient(queries, keys, data, slopes);
  }
};

}  // namespace

Tally fuzz_alibi(const Options& options) { return Runner<AlibiCall>(options).run(); }

}  // namespace posenc::fuzz
