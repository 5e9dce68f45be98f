#include "posenc/relative/gated_position_bias.hpp"

#include "runner.hpp"

namespace posenc::fuzz {
namespace {

struct GatedPositionBiasCall {
  static constexpr const char* kEncoding = "gated_position_bias";

  GatedPositionBiasConfig config;
  ConstFloats hidden, gate, position_bias;
  std::size_t queries = 0, keys = 0;
  Floats gates, out;
  bool of_gate = false;

  static GatedPositionBiasCall valid(Trial& trial) {
    GatedPositionBiasCall call;
    const std::size_t heads = trial.size(1, 4), width = trial.size(1, 12);
    call.config = {.heads = heads,
                   .head_dim = width,
                   .gate_weight = trial.data(8 * width),
                   .gate_bias = trial.data(8),
                   .gate_const = trial.data(heads)};
    call.queries = trial.size(1, 5);
    call.keys = trial.size(1, 9);
    const std::size_t batch = trial.size(1, 2), rows = batch * heads * call.queries;
    call.hidden = trial.data(rows * width);
    call.gates = trial.data(rows);
    call.gate = trial.data(rows);
    call.position_bias = trial.data(heads * call.queries * call.keys);
    call.out = trial.data(rows * call.keys);
    call.of_gate = trial.random().one_in(2);
    return call;
  }

  Refusal spoil(Trial& trial) {
    const bool coin = trial.random().one_in(2);
    switch (trial.random().below(6)) {
      case 0:
        config.heads = coin ? 0 : kTooWide;
        return {Code::value_range, "heads"};
      case 1:
        config.head_dim = coin ? 0 : 4097;
        return {Code::value_range, "head_dim"};
      case 2:
        config.gate_weight = resized(config.gate_weight, config.gate_weight.size() - 1);
        return {Code::shape, "gate_weight"};
      case 3:
        config.gate_const = {};
        return {Code::shape, "gate_const"};
      case 4:
        if (of_gate && gates.size() < config.heads) return {};
        if (of_gate) config.gate_const = resized(gates, config.heads);
        gate = resized(out, gate.size());
        return {Code::overlap, "out"};
      default:
        if (of_gate && config.heads * queries == 1) return {};
        gates = resized(gates, gates.size() - 1);
        if (!of_gate && config.heads * queries * keys == 1) return {};
        out = resized(out, out.size() - 1);
        return {Code::shape};
    }
  }

  void roughen(Trial& trial) {
    std::size_t* sizes[] = {&config.heads, &config.head_dim, &queries, &keys};
    *trial.random().pick(sizes) = trial.wild_size();
  }

  Status run() const {
    const Result<GatedPositionBias> made = make(config);
    if (!made.ok()) return made.status();
    return of_gate ? made.value().gate(hidden, queries, gates)
                   : made.value().bias(gate, position_bias, queries, keys, out);
  }
};

}  // namespace

Tally fuzz_gated_position_bias(const Options& options) {
  return Runner<GatedPositionBiasCall>(options).run();
}

}  // namespace posenc::fuzz
