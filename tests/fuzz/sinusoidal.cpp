#include "posenc/additive/sinusoidal.hpp"

#include "runner.hpp"

namespace posenc::fuzz {
namespace {

struct SinusoidalCall {
  static constexpr const char* kEncoding = "sinusoidal";

  SinusoidalConfig config;
  Positions positions;
  Floats data;
  bool add = false;

  static SinusoidalCall valid(Trial& trial) {
    tests::Generator& random = trial.random();
    constexpr double kBases[] = {10000, 1, 1e30, 2.5, 500000};
    SinusoidalCall call;
    call.config.dim = trial.size(1, 80);
    call.config.base = random.pick(kBases);
    if (random.one_in(2)) call.config.layout = SinusoidalLayout::half;
    if (random.one_in(2)) call.config.order = SinusoidalOrder::cosine_first;
    if (random.one_in(2)) call.config.odd_width = OddWidth::zero;
    if (random.one_in(3))
      call.config.frequency_denominator = static_cast<double>(trial.size(1, 99));
    const std::size_t rows = trial.size(1, 5);
    call.positions = trial.positions(rows, random.one_in(2) ? 1e5 : 0x1p49);
    call.data = trial.data(rows * call.config.dim);
    call.add = random.one_in(2);
    return call;
  }

  Refusal spoil(Trial& trial) {
    const std::size_t rows = positions.size();
    switch (trial.random().below(11)) {
      case 0:
        config.dim = trial.random().one_in(2) ? 0 : kTooWide;
        return {Code::value_range, "dim"};
      case 1:
        config.base = trial.random().one_in(2) ? 0.99 : kInfinity;
        return {Code::value_range, "base"};
      case 2:
        config.base = kNan;
        return {Code::value_range, "base"};
      case 3:
        config.frequency_denominator = trial.random().one_in(2) ? -1.0 : kNan;
        return {Code::value_range, "frequency_denominator"};
      case 4:
        config.scale = kInfinity;
        return {Code::value_range, "scale"};
      case 5:
        config.position_scale = trial.random().one_in(2) ? 0.0 : kNan;
        return {Code::value_range, "position_scale"};
      case 6:
        positions = trial.repeated(rows, trial.random().one_in(2) ? kNan : -kInfinity);
        return {Code::position_range, "positions"};
      case 7:
        positions = Positions::from(std::numeric_limits<std::int64_t>::max(), rows);
        return {Code::position_range, "positions"};
      case 8:
        positions = Positions::from(-kMaxPosition - 1, rows);
        return {Code::position_range, "positions"};
      case 9:
        positions = Positions::from(0, kHuge);
        return {Code::size_limit, add ? "x" : "out"};
      default:
        data = resized(data, data.size() - 1);
        return {Code::shape, add ? "x" : "out"};
    }
  }

  void roughen(Trial& trial) {
    switch (trial.random().below(7)) {
      case 0:
        config.dim = trial.wild_size();
        break;
      case 1:
        config.base = trial.wild_real();
        break;
      case 2:
        config.frequency_denominator = trial.wild_real();
        break;
      case 3:
        config.position_scale = trial.wild_real();
        break;
      case 4:
        config.scale = trial.wild_real();
        break;
      case 5:
        positions = Positions::from(trial.wild_whole(), trial.wild_size());
        break;
      default:
        data = resized(data, trial.size(0, data.size()));
        break;
    }
  }

  Status run() const {
    const Result<Sinusoidal> made = make(config);
    if (!made.ok()) return made.status();
    return add ? made.value().add(positions, data) : made.value().table(positions, data);
  }
};

}  // namespace

Tally fuzz_sinusoidal(const Options& options) { return Runner<SinusoidalCall>(options).run(); }

}  // namespace posenc::fuzz
