#include "posenc/bias/t5.hpp"

#include "bias_call.hpp"

namespace posenc::fuzz {
namespace {

struct Form {
  static constexpr const char* kEncoding = "t5";
  static constexpr bool kHasDistances = true;
  static constexpr bool kWhole = true;
  static constexpr const char* kGradientField = "table";

  static std::size_t gradient_size(const T5Config& config) { return config.table.size(); }
  static Status gradient(const T5& t5, const Positions& queries, const Positions& keys,
                         ConstFloats gradient, std::span<float> table) {
    return t5.table_gradient(queries, keys, gradient, table);
  }

  static T5Config valid(Trial& trial) {
    T5Config config{.heads = trial.size(1, 9)};
    config.bidirectional = trial.random().one_in(2);
    config.num_buckets = trial.size(4, 40);
    config.max_distance = trial.random().between(21, trial.random().one_in(2) ? 200 : 2147483647);
    config.table = trial.data(config.num_buckets * config.heads);
    return config;
  }

  static Refusal spoil(T5Config& config, Trial& trial) {
    const bool coin = trial.random().one_in(2);
    switch (trial.random().below(5)) {
      case 0:
        config.heads = coin ? 0 : kTooWide;
        return {Code::value_range, "heads"};
      case 1:
        config.bidirectional.reset();
        return {Code::value_range, "bidirectional"};
      case 2:
        config.num_buckets = coin ? 1 : (std::size_t{1} << 16) + 1;
        return {Code::value_range, "num_buckets"};
      case 3:
        config.max_distance = coin ? 1 : std::int64_t{1} << 31;
        return {Code::value_range, "max_distance"};
      default:
        config.table = resized(config.table, config.table.size() - 1);
        return {Code::shape, "table"};
    }
  }

  static void roughen(T5Config& config, Trial& trial) {
    std::size_t* sizes[] = {&config.heads, &config.num_buckets};
    if (trial.random().one_in(3)) {
      config.max_distance = trial.wild_whole();
    } else {
      *trial.random().pick(sizes) = trial.wild_size();
    }
  }
};

}  // namespace

Tally fuzz_t5(const Options& options) {
  return Runner<BiasCall<Form, T5, T5Config>>(options).run();
}

}  // namespace posenc::fuzz
