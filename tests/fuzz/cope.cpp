#include "posenc/relative/cope.hpp"

#include "runner.hpp"

namespace posenc::fuzz {
namespace {

struct CopeCall {
  static constexpr const char* kEncoding = "cope";

  CopeConfig config;
  Positions queries, keys;
  ConstFloats q, logits;
  Floats positions;
  std::span<float> out;
  bool of_positions = false;

  static CopeCall valid(Trial& trial) {
    CopeCall call;
    call.config = {.head_dim = trial.size(1, 12),
                   .max_pos = trial.size(1, 20),
                   .causal = trial.random().one_in(2)};
    call.config.table = trial.data(call.config.head_dim * call.config.max_pos);
    const std::size_t heads = trial.size(1, 3);
    const std::size_t query_count = trial.size(1, 4), key_count = trial.size(1, 9);
    call.queries = trial.positions(query_count, 100.0);
    call.keys = trial.positions(key_count, 100.0);
    call.q = trial.data(heads * query_count * call.config.head_dim);
    call.logits = trial.data(heads * query_count * key_count);
    call.positions = trial.data(heads * query_count * key_count);
    call.out = trial.floats(heads * query_count * key_count);
    call.of_positions = trial.random().one_in(2);
    return call;
  }

  Refusal spoil(Trial& trial) {
    const bool coin = trial.random().one_in(2);
    switch (trial.random().below(6)) {
      case 0:
        config.head_dim = coin ? 0 : 4097;
        return {Code::value_range, "head_dim"};
      case 1:
        config.max_pos = coin ? 0 : 4097;
        return {Code::value_range, "max_pos"};
      case 2:
        config.table = resized(config.table, config.table.size() - 1);
        return {Code::shape, "table"};
      case 3:
        keys = trial.repeated(keys.size(), coin ? 0x1.1p50 : kNan);
        return {Code::position_range, "keys"};
      case 4:
        logits = of_positions ? ConstFloats(positions) : ConstFloats(out);
        return {Code::overlap, "out"};
      default:
        out = out.first(out.size() - 1);
        positions = resized(positions, positions.size() - 1);
        return {Code::shape};
    }
  }

  void roughen(Trial& trial) {
    std::size_t* sizes[] = {&config.head_dim, &config.max_pos};
    if (trial.random().one_in(4)) {  // any number of queries, and no key
      queries = Positions::from(-9, trial.wild_size());
      keys = Positions();
      logits = resized(logits, 0);
      positions = resized(positions, 0);
      out = out.first(0);
    } else if (trial.random().one_in(2)) {
      queries = Positions::from(trial.wild_whole(), trial.wild_size());
    } else {
      *trial.random().pick(sizes) = trial.wild_size();
    }
  }

  Status run() const {
    const Result<Cope> made = make(config);
    if (!made.ok()) return made.status();
    return of_positions ? made.value().positions(logits, queries, keys, positions)
                        : made.value().scores(q, logits, queries, keys, out);
  }
};

}  // namespace

Tally fuzz_cope(const Options& options) { return Runner<CopeCall>(options).run(); }

}  // namespace posenc::fuzz
