#pragma once

#include <type_traits>

#include "runner.hpp"

namespace posenc::fuzz {

/// Calls of an encoding with `bias` and, with `kHasDistances`, `distances`. `Form` says the rest:
///
///   static constexpr const char* kEncoding;
///   static constexpr bool kHasDistances;
///   static Config valid(Trial&);
///   static Refusal spoil(Config&, Trial&);
///   static void roughen(Config&, Trial&);
template <class Form, class Encoding, class Config>
struct BiasCall {
  static constexpr const char* kEncoding = Form::kEncoding;

  Config config;
  Positions queries, keys;
  std::int64_t first = 0;
  Floats data;
  bool distances = false;

  static BiasCall valid(Trial& trial) {
    BiasCall call;
    call.config = Form::valid(trial);
    call.distances = Form::kHasDistances && trial.random().one_in(2);
    const std::size_t rows = call.distances ? 1 : trial.size(1, 4), columns = trial.size(1, 12);
    const double limit = trial.random().one_in(2) ? 1000.0 : 0x1p49;
    call.queries = trial.positions(rows, limit);
    call.keys = trial.positions(columns, limit);
    call.first = trial.random().between(-kMaxPosition, kMaxPosition - 20);
    call.data = trial.data(call.config.heads * rows * columns);
    return call;
  }

  Refusal spoil(Trial& trial) {
    if (trial.random().one_in(2)) return Form::spoil(config, trial);
    const double position = trial.random().one_in(2) ? kNan : 0x1.1p50;
    switch (trial.random().below(4)) {
      case 0:
        if (config.heads == 1 && distances) return {};
        data = resized(data, data.size() - 1);
        return {Code::shape, "out"};
      case 1:
        if (distances) {
          first = std::numeric_limits<std::int64_t>::max();
          return {Code::position_range, "first"};
        }
        queries = trial.repeated(queries.size(), position);
        return {Code::position_range, "queries"};
      case 2:
        return overlap();
      default:
        if (distances) return {};
        keys = trial.repeated(keys.size(), position);
        return {Code::position_range, "keys"};
    }
  }

  /// Puts a layer where the verb writes, if there are layers.
  Refusal overlap() {
    if constexpr (requires { config.layers; }) {
      ConstFloats& bias = config.layers[0].bias;
      if (bias.size() > data.size()) return {};
      bias = resized(data, bias.size());
      return {Code::overlap, "out"};
    }
    return {};
  }

  void roughen(Trial& trial) {
    switch (trial.random().below(6)) {
      case 5:  // any number of queries, and no key
        queries = Positions::from(-9, trial.wild_size());
        keys = Positions();
        data = resized(data, 0);
        break;
      case 0:
        first = trial.wild_whole();
        break;
      case 1:
        queries = Positions::from(trial.wild_whole(), trial.wild_size());
        break;
      case 2:
        data = resized(data, trial.size(0, data.size()));
        break;
      default:
        Form::roughen(config, trial);
        break;
    }
  }

  Status run() const {
    const Result<Encoding> made = make(config);
    if (!made.ok()) return made.status();
    if constexpr (Form::kHasDistances) {
      if (distances) return made.value().distances(first, data);
    }
    return made.value().bias(queries, keys, data);
  }
};

}  // namespace posenc::fuzz
