#include "posenc/relative/forgetting_bias.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cli/encodings.hpp"
#include "cli/options.hpp"
#include "cli/tensor_file.hpp"
#include "cli/write_whole.hpp"

namespace posenc::cli {
namespace {

struct ForgettingBiasOptions {
  std::string gates;
  ForgettingBiasConfig config;
  OutputOptions output;
};

void run(ForgettingBiasOptions& options) {
  const FileTensor gates = read_tensor(options.gates, "heads, length");
  const bool causal = options.config.causal;
  if (!causal && gates.rows() % 2 != 0) {
    throw UsageError("--gates must have 2 heads rows for --form symmetric, got " +
                     std::to_string(gates.rows()));
  }
  const std::size_t length = gates.columns();
  options.config.heads = causal ? gates.rows() : gates.rows() / 2;
  const ForgettingBias encoding(options.config);
  std::vector<double> workspace(ForgettingBias::workspace_size(length));
  write_whole(
      {options.config.heads, length, length},
      [&](std::span<float> out) { return encoding.bias(gates.data, workspace, out); },
      options.output);
}

}  // namespace

void add_forgetting_bias(CLI::App& scores) {
  CLI::App& app =
      *scores.add_subcommand("forgetting_bias", "The decay of forget gates, [heads, n, n]");
  const auto options = std::make_shared<ForgettingBiasOptions>();
  add_place(app, "--gates", options->gates,
            "The logits of the gates [heads, length]; [2 heads, length] with --form symmetric")
      ->required();
  add_choice<bool>(app, "--form", options->config.causal, {{"causal", true}, {"symmetric", false}},
                   "-inf for keys after the query (causal, the default), or gates of their own");
  add_number(app, "--log-scale", options->config.log_scale,
             "What the logarithms of the gates are multiplied by (1)");
  add_output(app, options->output);
  app.callback([options] { run(*options); });
}

}  // namespace posenc::cli
