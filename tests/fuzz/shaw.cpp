#include "posenc/relative/shaw.hpp"

#include "runner.hpp"

namespace posenc::fuzz {
namespace {

struct ShawCall {
  static constexpr const char* kEncoding = "shaw";

  ShawConfig config;
  Positions queries, keys;
  double scale = 0.5;
  /// q, or the probabilities.
  ConstFloats data;
  std::span<float> scores;
  Floats out;
  std::span<std::int32_t> rows;
  enum class Verb : std::uint8_t { scores, add_values, index } verb = Verb::scores;

  static ShawCall valid(Trial& trial) {
    ShawCall call;
    const std::size_t clip = trial.size(0, 6), rows = 2 * clip + 1, heads = trial.size(1, 3);
    const std::size_t width = trial.size(1, 12), value_dim = trial.size(1, 12);
    call.config = {.head_dim = width,
                   .max_relative_position = clip,
                   .keys = trial.data(rows * width),
                   .values = trial.data(rows * value_dim),
                   .value_dim = value_dim};
    const std::size_t query_count = trial.size(1, 4), key_count = trial.size(1, 9);
    const std::int64_t limit = trial.random().one_in(2) ? 20 : kMaxPosition;
    call.queries = trial.whole_positions(query_count, -limit, limit);
    call.keys = trial.whole_positions(key_count, -limit, limit);
    call.verb = static_cast<Verb>(trial.random().below(3));
    const bool probabilities = call.verb == Verb::add_values;
    call.data = trial.data(heads * query_count * (probabilities ? key_count : width));
    call.rows = trial.whole_numbers<std::int32_t>(query_count * key_count);
    call.scores = trial.floats(heads * query_count * key_count);
    call.out = trial.data(heads * query_count * value_dim);
    return call;
  }

  Refusal spoil(Trial& trial) {
    const bool coin = trial.random().one_in(2);
    switch (trial.random().below(8)) {
      case 0:
        config.head_dim = coin ? 0 : 4097;
        return {Code::value_range, "head_dim"};
      case 1:
        config.max_relative_position = 2048;
        return {Code::value_range, "max_relative_position"};
      case 2:
        config.keys = resized(config.keys, config.keys.size() - 1);
        return {Code::shape, "keys"};
      case 3:
        config.values = resized(config.values, config.values.size() + 1);
        return {Code::shape, "values"};
      case 4:
        keys = trial.repeated(keys.size(), coin ? 0.5 : kNan);
        return {Code::position_range, "keys"};
      case 5:
        if (verb != Verb::scores) return {};
        scale = coin ? kNan : kInfinity;
        return {Code::value_range, "scale"};
      case 6:
        if (verb != Verb::add_values) return {};
        config.values = {};
        return {Code::shape, "values"};
      default:
        out = resized(out, out.size() - 1);
        scores = scores.first(scores.size() - 1);
        rows = rows.first(rows.size() - 1);
        return {Code::shape};
    }
  }

  void roughen(Trial& trial) {
    std::size_t* sizes[] = {&config.head_dim, &config.max_relative_position, &config.value_dim};
    switch (trial.random().below(4)) {
      case 0:
        scale = trial.wild_real();
        break;
      case 1:
        queries = Positions::from(trial.wild_whole(), trial.wild_size());
        break;
      case 2:
        data = resized(data, trial.size(0, data.size()));
        break;
      default:
        *trial.random().pick(sizes) = trial.wild_size();
        break;
    }
  }

  Status run() const {
    const Result<Shaw> made = make(config);
    if (!made.ok()) return made.status();
    if (verb == Verb::index) return made.value().index(queries, keys, rows);
    return verb == Verb::add_values ? made.value().add_values(data, queries, keys, out)
                                    : made.value().scores(data, queries, keys, scale, scores);
  }
};

}  // namespace

Tally fuzz_shaw(const Options& options) { return Runner<ShawCall>(options).run(); }

}  // namespace posenc::fuzz
