#include "posenc/relative/pope.hpp"

#include "runner.hpp"

namespace posenc::fuzz {
namespace {

struct PopeCall {
  static constexpr const char* kEncoding = "pope";

  PopeConfig config;
  Positions positions;
  ConstFloats x;
  Floats out;
  bool keys = false;

  static PopeCall valid(Trial& trial) {
    PopeCall call;
    call.config = {.heads = trial.size(1, 3), .head_dim = trial.size(1, 40)};
    const std::size_t width = call.config.heads * call.config.head_dim;
    if (trial.random().one_in(2)) call.config.delta = trial.data(width);
    const std::size_t rows = trial.size(1, 4);
    call.positions = trial.positions(rows, trial.random().one_in(2) ? 1000.0 : 0x1p49);
    call.x = trial.data(rows * width);
    call.out = trial.data(2 * rows * width);
    call.keys = trial.random().one_in(2);
    return call;
  }

  Refusal spoil(Trial& trial) {
    const bool coin = trial.random().one_in(2);
    switch (trial.random().below(6)) {
      case 0:
        config.heads = coin ? 0 : kTooWide;
        return {Code::value_range, "heads"};
      case 1:
        config.base = coin ? kNan : 0.5;
        return {Code::value_range, "base"};
      case 2:
        config.delta = resized(x, config.heads * config.head_dim + 1);
        return {Code::shape, "delta"};
      case 3:
        positions = trial.repeated(positions.size(), coin ? kNan : 0x1.1p50);
        return {Code::position_range, "positions"};
      case 4:
        x = resized(out, x.size());
        return {Code::overlap, "out"};
      default:
        out = resized(out, out.size() - 1);
        return {Code::shape, "out"};
    }
  }

  void roughen(Trial& trial) {
    switch (trial.random().below(4)) {
      case 0:
        config.heads = trial.wild_size();
        break;
      case 1:
        config.head_dim = trial.wild_size();
        break;
      case 2:
        config.base = trial.wild_real();
        break;
      default:
        positions = Positions::from(trial.wild_whole(), trial.wild_size());
        break;
    }
  }

  Status run() const {
    const Result<Pope> made = make(config);
    if (!made.ok()) return made.status();
    return keys ? made.value().embed_keys(x, positions, out)
                : made.value().embed_queries(x, positions, out);
  }
};

}  // namespace

Tally fuzz_pope(const Options& options) { return Runner<PopeCall>(options).run(); }

}  // namespace posenc::fuzz
