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
///
/// and, where there is one, the gradient of `gradient_size(config)` parameters, in `kGradients`
/// outputs, the first of which is called `kGradientField`; and `kWhole` where positions are whole:
///
///   static Status gradient(const Encoding&, const Positions& queries, const Positions& keys,
///                          ConstFloats gradient, std::span<float> outputs);
template <class Form, class Encoding, class Config>
struct BiasCall {
  static constexpr const char* kEncoding = Form::kEncoding;

  Config config;
  Positions queries, keys;
  std::int64_t first = 0;
  Floats data;
  std::span<float> gradients;
  enum class Verb : std::uint8_t { bias, distances, gradient } verb = Verb::bias;

  static constexpr bool kHasGradient = requires { Form::kGradientField; };
  static constexpr bool kWhole = requires { Form::kWhole; };

  static Verb choose(Trial& trial) {
    if (Form::kHasDistances && trial.random().one_in(2)) return Verb::distances;
    return kHasGradient && trial.random().one_in(2) ? Verb::gradient : Verb::bias;
  }
  static Positions choose_positions(Trial& trial, std::size_t count, double limit) {
    if constexpr (kWhole) {
      const auto whole = static_cast<std::int64_t>(limit);
      return trial.whole_positions(count, -whole, whole);
    }
    return trial.positions(count, limit);
  }

  static BiasCall valid(Trial& trial) {
    BiasCall call;
    call.config = Form::valid(trial);
    call.verb = choose(trial);
    const bool distances = call.verb == Verb::distances;
    const std::size_t rows = distances ? 1 : trial.size(1, 4), columns = trial.size(1, 30);
    const double limit = trial.random().one_in(2) ? 1000.0 : 0x1p49;
    call.queries = choose_positions(trial, rows, limit);
    call.keys = choose_positions(trial, columns, limit);
    call.first = trial.random().between(-kMaxPosition, kMaxPosition - 40);
    call.data = trial.data(call.config.heads * rows * columns);
    if constexpr (kHasGradient) call.gradients = trial.floats(Form::gradient_size(call.config));
    return call;
  }

  Refusal spoil(Trial& trial) {
    if (trial.random().one_in(2)) return Form::spoil(config, trial);
    const double position = trial.random().one_in(2) ? kNan : kWhole ? 0.5 : 0x1.1p50;
    const bool distances = verb == Verb::distances;
    switch (trial.random().below(5)) {
      case 0:
        if (config.heads == 1 && distances) return {};
        data = resized(data, data.size() - 1);
        return {Code::shape, verb == Verb::gradient ? "gradient" : "out"};
      case 1:
        if (distances) {
          first = std::numeric_limits<std::int64_t>::max();
          return {Code::position_range, "first"};
        }
        queries = trial.repeated(queries.size(), position);
        return {Code::position_range, "queries"};
      case 2:
        return verb == Verb::gradient ? Refusal{} : overlap();
      case 3:
        return verb == Verb::gradient ? spoil_gradients(trial) : Refusal{};
      default:
        if (distances) return {};
        keys = trial.repeated(keys.size(), position);
        return {Code::position_range, "keys"};
    }
  }

  Refusal spoil_gradients([[maybe_unused]] Trial& trial) {
    if constexpr (kHasGradient) {
      const std::size_t size = gradients.size();
      if (trial.random().one_in(2) || data.size() < size || data.type() != StorageType::float32) {
        gradients = gradients.first(size - 1);
        return {Code::shape};
      }
      gradients = {static_cast<float*>(data.data()), size};
      return {Code::overlap, Form::kGradientField};
    }
    return {};
  }

  /// Puts a layer or the table where the verb writes, if there is any.
  Refusal overlap() {
    if constexpr (requires { config.table; }) {
      if (data.size() < config.table.size()) return {};
      config.table = resized(data, config.table.size());
      return {Code::overlap, "out"};
    }
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
      if (verb == Verb::distances) return made.value().distances(first, data);
    }
    if constexpr (kHasGradient) {
      if (verb == Verb::gradient) {
        return Form::gradient(made.value(), queries, keys, data, gradients);
      }
    }
    return made.value().bias(queries, keys, data);
  }
};

}  // namespace posenc::fuzz
