#include "posenc/relative/decomposed.hpp"

#include "runner.hpp"

namespace posenc::fuzz {
namespace {

struct DecomposedCall {
  static constexpr const char* kEncoding = "decomposed";

  DecomposedConfig config;
  ConstFloats q;
  std::span<float> out;

  static DecomposedCall valid(Trial& trial) {
    DecomposedCall call;
    call.config = {.query_height = trial.size(1, 4),
                   .query_width = trial.size(1, 4),
                   .key_height = trial.size(1, 4),
                   .key_width = trial.size(1, 4),
                   .head_dim = trial.size(1, 20)};
    call.config.table_h = trial.data(trial.size(1, 9) * call.config.head_dim);
    call.config.table_w = trial.data(trial.size(1, 9) * call.config.head_dim);
    const std::size_t heads = trial.size(1, 3);
    const std::size_t queries = call.config.query_height * call.config.query_width;
    const std::size_t keys = call.config.key_height * call.config.key_width;
    call.q = trial.data(heads * queries * call.config.head_dim);
    call.out = trial.floats(heads * queries * keys);
    return call;
  }

  Refusal spoil(Trial& trial) {
    const bool coin = trial.random().one_in(2);
    switch (trial.random().below(5)) {
      case 0:
        config.query_height = coin ? 0 : 2049;
        return {Code::value_range, "query_height"};
      case 1:
        config.head_dim = coin ? 0 : 4097;
        return {Code::value_range, "head_dim"};
      case 2:
        config.table_h = {};
        return {Code::value_range, "table_h"};
      case 3:
        if (q.size() > out.size()) return {};
        q = ConstFloats(out.data(), q.size());
        return {Code::overlap, "out"};
      default:
        out = out.first(out.size() - 1);
        return {Code::shape, "out"};
    }
  }

  void roughen(Trial& trial) {
    std::size_t* sizes[] = {&config.query_height, &config.query_width, &config.key_height,
                            &config.key_width, &config.head_dim};
    *trial.random().pick(sizes) = trial.wild_size();
  }

  Status run() const {
    const Result<Decomposed> made = make(config);
    return made.ok() ? made.value().scores(q, out) : made.status();
  }
};

}  // namespace

Tally fuzz_decomposed(const Options& options) { return Runner<DecomposedCall>(options).run(); }

}  // namespace posenc::fuzz
