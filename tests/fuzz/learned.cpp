#include "posenc/additive/learned.hpp"

#include "runner.hpp"

namespace posenc::fuzz {
namespace {

struct LearnedCall {
  static constexpr const char* kEncoding = "learned";

  LearnedConfig config;
  Positions positions;
  Floats data;
  /// [rows, dim], for scatter.
  std::span<float> sums;
  enum class Verb : std::uint8_t { table, add, scatter } verb = Verb::table;

  std::int64_t rows() const { return static_cast<std::int64_t>(config.rows.size() / config.dim); }
  const char* data_field() const {
    constexpr const char* kFields[] = {"out", "x", "gradient"};
    return kFields[static_cast<std::size_t>(verb)];
  }

  static LearnedCall valid(Trial& trial) {
    LearnedCall call;
    call.config.dim = trial.size(1, 70);
    const std::size_t rows = trial.size(1, 9);
    call.config.rows = trial.data(rows * call.config.dim);
    call.config.row_offset = trial.random().between(0, call.rows() - 1);
    if (trial.random().one_in(3)) call.config.scale = 0.125;
    if (trial.random().one_in(3)) call.config.padding_row = 0;
    const std::size_t count = trial.size(1, 6);
    const std::int64_t offset = call.config.row_offset;
    call.positions = trial.whole_positions(count, -offset, call.rows() - 1 - offset);
    call.data = trial.data(count * call.config.dim);
    call.sums = trial.floats(rows * call.config.dim);
    call.verb = static_cast<Verb>(trial.random().below(3));
    return call;
  }

  Refusal spoil(Trial& trial) {
    const std::size_t count = positions.size();
    switch (trial.random().below(10)) {
      case 0:
        config.dim = trial.random().one_in(2) ? 0 : kTooWide;
        return {Code::value_range, "dim"};
      case 1:
        config.rows = {};
        return {Code::shape, "rows"};
      case 2:
        if (config.dim == 1) return {};
        config.rows = resized(config.rows, config.rows.size() - 1);
        return {Code::shape, "rows"};
      case 3:
        config.row_offset = trial.random().one_in(2) ? -1 : rows();
        return {Code::value_range, "row_offset"};
      case 4:
        positions = Positions::from(rows() - config.row_offset, count);
        return {Code::position_range, "positions"};
      case 5:
        positions = trial.repeated(count, static_cast<double>(-config.row_offset - 1));
        return {Code::position_range, "positions"};
      case 6:
        positions = trial.repeated(count, trial.random().one_in(2) ? kNan : 0.5);
        return {Code::position_range, "positions"};
      case 7:
        config.scale = kNan;
        return {Code::value_range, "scale"};
      case 8:
        return overlap();
      default:
        data = resized(data, data.size() - 1);
        return {Code::shape, data_field()};
    }
  }

  /// Puts the table where the verb writes.
  Refusal overlap() {
    if (verb == Verb::scatter) return {};
    if (data.size() < config.dim) return {};
    config.rows = resized(data, data.size() / config.dim * config.dim);
    config.row_offset = 0;
    config.padding_row.reset();
    return {Code::overlap, data_field()};
  }

  void roughen(Trial& trial) {
    switch (trial.random().below(6)) {
      case 0:
        config.dim = trial.wild_size();
        break;
      case 1:
        config.row_offset = trial.wild_whole();
        break;
      case 2:
        config.padding_row = trial.wild_whole();
        break;
      case 3:
        positions = Positions::from(trial.wild_whole(), trial.wild_size());
        break;
      case 4:
        positions = trial.repeated(positions.size() <= 6 ? positions.size() : 1, trial.wild_real());
        break;
      default:
        config.rows = resized(config.rows, trial.size(0, config.rows.size()));
        break;
    }
  }

  Status run() const {
    const Result<Learned> made = make(config);
    if (!made.ok()) return made.status();
    if (verb == Verb::scatter) return made.value().scatter(positions, data, sums);
    return verb == Verb::add ? made.value().add(positions, data)
                             : made.value().table(positions, data);
  }
};

}  // namespace

Tally fuzz_learned(const Options& options) { return Runner<LearnedCall>(options).run(); }

}  // namespace posenc::fuzz
