#include "posenc/relative/transformer_xl.hpp"

#include "content.hpp"
#include "runner.hpp"

namespace posenc::fuzz {
namespace {

struct TransformerXlCall {
  static constexpr const char* kEncoding = "transformer_xl";

  TransformerXlConfig config;
  Positions queries, keys;
  std::int64_t first = 0;
  double scale = 0.25;
  Content content;
  ConstFloats r;
  Floats rows;
  std::span<float> workspace;
  bool of_rows = false;

  static TransformerXlCall valid(Trial& trial) {
    TransformerXlCall call;
    TransformerXlConfig& config = call.config;
    const std::size_t heads = trial.size(1, 3), width = trial.size(1, 9);
    config.heads = heads;
    config.head_dim = width;
    config.d_model = 2 * trial.size(1, 20);
    if (trial.random().one_in(2)) config.clamp_len = 7;
    config.content_bias = trial.data(heads * width);
    config.position_bias = trial.data(heads * width);
    call.content = Content::of(trial, heads, width);
    const std::size_t query_count = call.content.query_count, key_count = call.content.key_count;
    const std::size_t count = trial.size(1, query_count + key_count);
    const std::int64_t start = trial.random().one_in(2) ? 0 : kMaxPosition - 100;
    call.queries = Positions::from(start, query_count);
    call.keys = Positions::from(start, key_count);
    call.first = static_cast<std::int64_t>(key_count) - 1;
    call.r = trial.data(heads * count * width);
    call.rows = trial.data(trial.size(1, 5) * config.d_model);
    call.workspace = trial.scratch(TransformerXl(config).workspace_size(count));
    call.of_rows = trial.random().one_in(2);
    return call;
  }

  Refusal spoil(Trial& trial) {
    const bool coin = trial.random().one_in(2);
    switch (trial.random().below(10)) {
      case 0:
        config.heads = coin ? 0 : 4097;
        return {Code::value_range, "heads"};
      case 1:
        config.d_model = coin ? 3 : 4098;
        return {Code::value_range, "d_model"};
      case 2:
        config.base = coin ? kNan : 0.0;
        return {Code::value_range, "base"};
      case 3:
        config.position_bias = resized(config.position_bias, config.position_bias.size() - 1);
        return {Code::shape, "position_bias"};
      case 4:
        if (!of_rows) return {};
        first = coin ? std::numeric_limits<std::int64_t>::min()
                     : std::numeric_limits<std::int64_t>::max();
        return {Code::position_range, "first"};
      case 5:
        if (of_rows) return {};
        scale = coin ? kNan : kInfinity;
        return {Code::value_range, "scale"};
      case 6:
        if (of_rows) return {};
        keys = trial.repeated(keys.size(), coin ? 0.5 : kNan);
        return {Code::position_range, "keys"};
      case 7:
        if (of_rows || content.out.size() < config.heads * config.head_dim) return {};
        config.position_bias = ConstFloats(content.out.data(), config.heads * config.head_dim);
        return {Code::overlap, "out"};
      default:
        if (!of_rows) return content.spoil(trial);
        rows = resized(rows, rows.size() - 1);
        return {Code::shape, "out"};
    }
  }

  void roughen(Trial& trial) {
    std::size_t* sizes[] = {&config.heads, &config.head_dim, &config.d_model};
    switch (trial.random().below(5)) {
      case 0:
        first = trial.wild_whole();
        break;
      case 1:
        config.clamp_len = trial.wild_whole();
        break;
      case 2:
        scale = trial.wild_real();
        break;
      case 3:
        queries = Positions::from(trial.wild_whole(), trial.wild_size());
        break;
      default:
        *trial.random().pick(sizes) = trial.wild_size();
        break;
    }
  }

  Status run() const {
    const Result<TransformerXl> made = make(config);
    if (!made.ok()) return made.status();
    if (of_rows) return made.value().rows(first, rows);
    return made.value().scores(content.q, content.k, r, first, queries, keys, scale, workspace,
                               content.out);
  }
};

}  // namespace

Tally fuzz_transformer_xl(const Options& options) {
  return Runner<TransformerXlCall>(options).run();
}

}  // namespace posenc::fuzz
