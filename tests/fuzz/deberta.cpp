#include "posenc/relative/deberta.hpp"

#include "content.hpp"
#include "runner.hpp"

namespace posenc::fuzz {
namespace {

struct DebertaCall {
  static constexpr const char* kEncoding = "deberta";

  DebertaConfig config;
  Positions queries, keys;
  std::int64_t distance = 0;
  Content content;
  std::span<std::int32_t> buckets;
  bool of_buckets = false;

  static DebertaCall valid(Trial& trial) {
    tests::Generator& random = trial.random();
    DebertaCall call;
    DebertaConfig& config = call.config;
    config.heads = trial.size(1, 3);
    config.head_dim = trial.size(1, 9);
    config.c2p = random.one_in(2);
    config.p2c = !config.c2p || random.one_in(2);
    if (random.one_in(2)) config.position_buckets = 2 * trial.size(2, 8);
    config.max_relative_positions = trial.size(20, 60);
    const std::size_t width = config.heads * config.head_dim;
    const std::size_t buckets = config.position_buckets;
    const std::size_t span = buckets != 0 ? buckets : config.max_relative_positions;
    config.rel_embeddings = trial.data(2 * span * width);
    if (random.one_in(2)) config.norm_weight = trial.data(width);
    if (!config.norm_weight.empty()) config.norm_bias = trial.data(width);
    if (random.one_in(2)) config.pos_key = {trial.data(width * width), trial.data(width)};
    call.content = Content::of(trial, config.heads, config.head_dim);
    const std::size_t query_count = call.content.query_count, key_count = call.content.key_count;
    const std::int64_t limit = random.one_in(2) ? 100 : kMaxPosition;
    call.queries = trial.whole_positions(query_count, -limit, limit);
    call.keys = trial.whole_positions(key_count, -limit, limit);
    call.distance = trial.wild_whole();
    call.buckets = trial.whole_numbers<std::int32_t>(query_count * key_count);
    call.of_buckets = random.one_in(3);
    return call;
  }

  Refusal spoil(Trial& trial) {
    const bool coin = trial.random().one_in(2);
    switch (trial.random().below(8)) {
      case 0:
        config.heads = coin ? 0 : 4097;
        return {Code::value_range, "heads"};
      case 1:
        config.head_dim = coin ? 0 : 4097;
        return {Code::value_range, "head_dim"};
      case 2:
        config.c2p = config.p2c = false;
        return {Code::value_range, "c2p"};
      case 3:
        config.position_buckets = 3;
        return {Code::value_range, "position_buckets"};
      case 4:
        config.rel_embeddings = resized(config.rel_embeddings, config.rel_embeddings.size() - 1);
        return {Code::shape, "rel_embeddings"};
      case 5:
        keys = trial.repeated(keys.size(), coin ? 0.5 : kNan);
        return {Code::position_range, "keys"};
      default:
        if (!of_buckets) return content.spoil(trial);
        buckets = buckets.first(buckets.size() - 1);
        return {Code::shape, "out"};
    }
  }

  void roughen(Trial& trial) {
    std::size_t* sizes[] = {&config.heads, &config.head_dim, &config.position_buckets,
                            &config.max_relative_positions, &config.att_span};
    if (trial.random().one_in(3)) {
      queries = Positions::from(trial.wild_whole(), trial.wild_size());
    } else {
      *trial.random().pick(sizes) = trial.wild_size();
    }
  }

  Status run() const {
    const Result<Deberta> made = make(config);
    if (!made.ok()) return made.status();
    (void)made.value().bucket(distance);
    if (of_buckets) return made.value().relative_positions(queries, keys, buckets);
    return made.value().scores(content.q, content.k, queries, keys, content.out);
  }
};

}  // namespace

Tally fuzz_deberta(const Options& options) { return Runner<DebertaCall>(options).run(); }

}  // namespace posenc::fuzz
