#include "posenc/bias/alibi.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "cli/encodings.hpp"
#include "cli/scores.hpp"

namespace posenc::cli {
namespace {

enum class AlibiOutput : std::uint8_t { causal, symmetric, key, falcon_key };

struct AlibiOptions {
  AlibiConfig config;
  std::uint32_t heads = 0;
  std::uint32_t alibi_heads = 0;
  AlibiOutput form = AlibiOutput::causal;
  ScoreOptions scores;
};

/// BLOOM's and Falcon's forms [heads, keys].
void write_key_bias(const Alibi& alibi, AlibiOutput form, const ScoreOptions& options) {
  if (options.queries || options.query_offset || options.distances) {
    throw UsageError(std::string(form == AlibiOutput::key ? "--form key" : "--form falcon_key")
                         .append(" is the same for every query: leave out --queries, "
                                 "--query-offset and --distances"));
  }
  const auto keys = Positions::from(0, static_cast<std::size_t>(options.keys));
  const auto verb = [&](std::span<float> out) {
    return form == AlibiOutput::key ? alibi.key_bias(keys, out) : alibi.falcon_key_bias(keys, out);
  };
  write_whole({alibi.config().heads, options.keys}, verb, options.output);
}

void run(AlibiOptions& options) {
  options.config.heads = options.heads;
  options.config.alibi_heads = options.alibi_heads;
  if (options.form == AlibiOutput::symmetric) options.config.form = AlibiForm::symmetric;
  const Alibi alibi(options.config);
  if (options.form == AlibiOutput::key || options.form == AlibiOutput::falcon_key) {
    write_key_bias(alibi, options.form, options.scores);
  } else {
    write_bias(alibi, options.scores);
  }
}

void add_slopes(CLI::App& app, AlibiOptions& options) {
  AlibiConfig& config = options.config;
  add_choice<AlibiSlopes>(app, "--slopes", config.slopes,
                          {{"checkpoint", AlibiSlopes::checkpoint}, {"paper", AlibiSlopes::paper}},
                          "The rule of the trained checkpoints (default) or the paper's; they "
                          "differ when the heads are "
                          "no power of two");
  add_number(app, "--alibi-bias-max", config.alibi_bias_max,
             "The smallest slope is 2^-X (8); MPT's field");
  add_whole(app, "--alibi-heads", options.alibi_heads,
            "How many heads, the first ones, have a bias (all)");
  add_numbers(app, "--custom-slopes", config.custom_slopes,
              "A slope for each head, instead of the three above");
}

/// CLI11 can exclude options too, but --help then names them in the order of their addresses.
void check_slopes(const CLI::App& app) {
  if (app.count("--custom-slopes") == 0) return;
  for (const char* rule : {"--slopes", "--alibi-bias-max", "--alibi-heads"}) {
    if (app.count(rule) == 0) continue;
    throw UsageError(std::string(rule).append(" does not go with --custom-slopes"));
  }
}

}  // namespace

void add_alibi(CLI::App& bias) {
  CLI::App& app = *bias.add_subcommand("alibi", "A penalty linear in the distance");
  const auto options = std::make_shared<AlibiOptions>();
  add_whole(app, "--heads", options->heads, "How many heads")->required();
  add_slopes(app, *options);
  add_choice<AlibiOutput>(
      app, "--form", options->form,
      {{"causal", AlibiOutput::causal},
       {"symmetric", AlibiOutput::symmetric},
       {"key", AlibiOutput::key},
       {"falcon_key", AlibiOutput::falcon_key}},
      "-inf for keys after the query (causal, the default), the same both ways, BLOOM's "
      "slope * key, [heads, keys], or that as Falcon computes it, in bfloat16");
  add_scores(app, options->scores);
  app.callback([&app, options] {
    check_slopes(app);
    run(*options);
  });
}

}  // namespace posenc::cli
