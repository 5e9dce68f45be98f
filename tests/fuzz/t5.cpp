#include "posenc/bias/t5.hpp"

#include "runner.hpp"

namespace posenc::fuzz {
namespace {

struct T5Call {
  static constexpr const char* kEncoding = "t5";

  T5Config config;
  Positions queries, keys;
  std::int64_t first = 0;
  Floats data;
  std::span<float> sums;
  enum class Verb : std::uint8_t { distances, bias, table_gradient } verb = Verb::distances;

  static T5Call valid(Trial& trial) {
    T5Call call;
    T5Config& config = call.config;
    config.heads = trial.size(1, 9);
    config.bidirectional = trial.random().one_in(2);
    config.num_buckets = trial.size(4, 40);
    config.max_distance = trial.random().between(21, trial.random().one_in(2) ? 200 : 2147483647);
    config.table = trial.data(config.num_buckets * config.heads);
    call.sums = trial.floats(config.num_buckets * config.heads);
    call.verb = static_cast<Verb>(trial.random().below(3));
    const std::size_t rows = call.verb == Verb::distances ? 1 : trial.size(1, 4);
    const std::size_t columns = trial.size(1, 30);
    const std::int64_t limit = trial.random().one_in(2) ? 500 : kMaxPosition;
    call.queries = trial.whole_positions(rows, -limit, limit);
    call.keys = trial.whole_positions(columns, -limit, limit);
    call.first = trial.random().between(-limit, limit);
    call.data = trial.data(config.heads * rows * columns);
    return call;
  }

  Refusal spoil(Trial& trial) {
    switch (trial.random().below(9)) {
      case 0:
        config.heads = trial.random().one_in(2) ? 0 : kTooWide;
        return {Code::value_range, "heads"};
      case 1:
        config.bidirectional.reset();
        return {Code::value_range, "bidirectional"};
      case 2:
        config.num_buckets = trial.random().one_in(2) ? 1 : (std::size_t{1} << 16) + 1;
        return {Code::value_range, "num_buckets"};
      case 3:
        config.max_distance = trial.random().one_in(2) ? 1 : std::int64_t{1} << 31;
        return {Code::value_range, "max_distance"};
      case 4:
        config.table = resized(config.table, config.table.size() - 1);
        return {config.table.empty() && verb == Verb::table_gradient ? Code::ok : Code::shape};
      case 5:
        return misplace(trial);
      case 6:
        return overlap();
      default:
        if (config.heads == 1 && verb == Verb::distances) return {};
        data = resized(data, data.size() - 1);
        return {Code::shape};
    }
  }

  Refusal misplace(Trial& trial) {
    if (verb == Verb::distances) {
      first = std::numeric_limits<std::int64_t>::min();
      return {Code::position_range, "first"};
    }
    keys = trial.repeated(keys.size(), trial.random().one_in(2) ? 0.5 : 0x1.1p50);
    return {Code::position_range, "keys"};
  }

  /// Puts the table where the verb writes.
  Refusal overlap() {
    if (verb == Verb::table_gradient || data.size() < config.table.size()) return {};
    config.table = resized(data, config.table.size());
    return {Code::overlap, "out"};
  }

  void roughen(Trial& trial) {
    switch (trial.random().below(7)) {
      case 5:  // any number of queries, and no key
        queries = Positions::from(-9, trial.wild_size());
        keys = Positions();
        data = resized(data, 0);
        break;
      case 0:
        config.heads = trial.wild_size();
        break;
      case 1:
        config.num_buckets = trial.wild_size();
        break;
      case 2:
        config.max_distance = trial.wild_whole();
        break;
      case 3:
        first = trial.wild_whole();
        break;
      case 4:
        queries = Positions::from(trial.wild_whole(), trial.wild_size());
        break;
      default:
        keys = trial.repeated(keys.size() <= 30 ? keys.size() : 1, trial.wild_real());
        break;
    }
  }

  Status run() const {
    const Result<T5> made = make(config);
    if (!made.ok()) return made.status();
    const T5& t5 = made.value();
    if (verb == Verb::distances) return t5.distances(first, data);
    return verb == Verb::bias ? t5.bias(queries, keys, data)
                              : t5.table_gradient(queries, keys, data, sums);
  }
};

}  // namespace

Tally fuzz_t5(const Options& options) { return Runner<T5Call>(options).run(); }

}  // namespace posenc::fuzz
