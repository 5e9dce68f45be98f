#include "posenc/additive/multiscale.hpp"

#include "runner.hpp"

namespace posenc::fuzz {
namespace {

struct MultiscaleCall {
  static constexpr const char* kEncoding = "multiscale";

  std::vector<MultiscaleLevel> levels;
  bool sum = false, interleaved = false, add = false;
  std::vector<Positions> positions;
  Floats data;

  static MultiscaleCall valid(Trial& trial) {
    MultiscaleCall call;
    call.sum = trial.random().one_in(2);
    call.interleaved = trial.random().one_in(2);
    call.add = trial.random().one_in(2);
    const std::size_t tokens = trial.size(1, 5), levels = trial.size(1, 4);
    std::size_t dim = 2 * trial.size(1, 30), width = 0;
    for (std::size_t level = 0; level < levels; ++level) {
      if (!call.sum) dim = 2 * trial.size(1, 30);
      width = call.sum ? dim : width + dim;
      call.levels.push_back({.dim = dim, .scale = level == 0 ? 1.0 : 0.5});
      call.positions.push_back(trial.positions(tokens, 0x1p40));
    }
    call.data = trial.data(tokens * width);
    return call;
  }

  Refusal spoil(Trial& trial) {
    const bool coin = trial.random().one_in(2);
    MultiscaleLevel& level = levels[trial.random().below(levels.size())];
    switch (trial.random().below(7)) {
      case 0:
        levels.clear();
        return {Code::value_range, "levels"};
      case 1:
        level.dim = coin ? 0 : level.dim + 1;
        return {Code::value_range};
      case 2:
        level.base = coin ? kNan : 0.0;
        return {Code::value_range};
      case 3:
        level.scale = kInfinity;
        return {Code::value_range};
      case 4:
        positions.pop_back();
        return {Code::shape, "positions"};
      case 5:
        positions.back() = trial.repeated(positions[0].size(), coin ? kNan : 0x1.1p50);
        return {Code::position_range, "positions"};
      default:
        data = resized(data, data.size() - 1);
        return {Code::shape, add ? "x" : "out"};
    }
  }

  void roughen(Trial& trial) {
    switch (trial.random().below(4)) {
      case 0:
        levels[0].dim = trial.wild_size();
        break;
      case 1:
        levels.back().base = trial.wild_real();
        break;
      case 2:
        levels.back().scale = trial.wild_real();
        break;
      default:
        for (Positions& list : positions) {
          list = Positions::from(trial.wild_whole(), trial.wild_size());
        }
        break;
    }
  }

  Status run() const {
    const Result<Multiscale> made =
        make({.levels = levels,
              .combine = sum ? MultiscaleCombine::sum : MultiscaleCombine::concatenate,
              .interleaved = interleaved});
    if (!made.ok()) return made.status();
    return add ? made.value().add(positions, data) : made.value().table(positions, data);
  }
};

}  // namespace

Tally fuzz_multiscale(const Options& options) { return Runner<MultiscaleCall>(options).run(); }

}  // namespace posenc::fuzz
