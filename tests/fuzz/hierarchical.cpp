#include "posenc/additive/hierarchical.hpp"

#include "runner.hpp"

namespace posenc::fuzz {
namespace {

struct HierarchicalCall {
  static constexpr const char* kEncoding = "hierarchical";

  HierarchicalConfig config;
  Positions positions;
  Floats data;
  bool add = false;

  static HierarchicalCall valid(Trial& trial) {
    HierarchicalCall call;
    call.config.dim = trial.size(1, 70);
    const std::size_t rows = trial.size(1, 9), count = trial.size(1, 6);
    call.config.rows = trial.data(rows * call.config.dim);
    if (trial.random().one_in(2)) call.config.alpha = trial.random().real(-4, 2) + 8.5;
    const auto end = static_cast<std::int64_t>(rows * rows);
    call.positions = trial.whole_positions(count, 0, end - 1);
    call.data = trial.data(count * call.config.dim);
    call.add = trial.random().one_in(2);
    return call;
  }

  Refusal spoil(Trial& trial) {
    const bool coin = trial.random().one_in(2);
    switch (trial.random().below(6)) {
      case 0:
        config.dim = coin ? 0 : kTooWide;
        return {Code::value_range, "dim"};
      case 1:
        config.rows = {};
        return {Code::shape, "rows"};
      case 2:
        config.alpha = coin ? 1.0 : kNan;
        return {Code::value_range, "alpha"};
      case 3:
        positions = trial.repeated(positions.size(), coin ? -1.0 : 82.0);
        return {Code::position_range, "positions"};
      case 4:
        if (data.size() < config.dim) return {};
        config.rows = resized(data, config.dim);
        return {Code::overlap, add ? "x" : "out"};
      default:
        data = resized(data, data.size() - 1);
        return {Code::shape, add ? "x" : "out"};
    }
  }

  void roughen(Trial& trial) {
    switch (trial.random().below(4)) {
      case 0:
        config.dim = trial.wild_size();
        break;
      case 1:
        config.alpha = trial.wild_real();
        break;
      case 2:
        positions = Positions::from(trial.wild_whole(), trial.wild_size());
        break;
      default:
        positions = trial.repeated(trial.size(0, 6), trial.wild_real());
        break;
    }
  }

  Status run() const {
    const Result<Hierarchical> made = make(config);
    if (!made.ok()) return made.status();
    return add ? made.value().add(positions, data) : made.value().table(positions, data);
  }
};

}  // namespace

Tally fuzz_hierarchical(const Options& options) { return Runner<HierarchicalCall>(options).run(); }

}  // namespace posenc::fuzz
