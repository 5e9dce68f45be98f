#include "posenc/relative/gated_position_bias.hpp"

#include <cstddef>
#include <cstdint>
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

struct GatedOptions {
  std::string hidden, bias, gate_weight, gate_bias, gate_const;
  OutputOptions output;
};

void run(const GatedOptions& options) {
  const FileTensor hidden = read_tensor(options.hidden, "batch, length, heads * head_dim");
  const FileTensor bias = read_tensor(options.bias, "heads, queries, keys");
  const FileTensor weight = read_tensor(options.gate_weight, "8, head_dim");
  const std::vector<float> gate_bias = read_vector(options.gate_bias);
  const std::vector<float> gate_const = read_vector(options.gate_const);
  const auto heads = static_cast<std::size_t>(bias.shape[0]);
  const auto queries = static_cast<std::size_t>(bias.shape[1]);
  const GatedPositionBias encoding({.heads = heads,
                                    .head_dim = weight.columns(),
                                    .gate_weight = weight.data,
                                    .gate_bias = gate_bias,
                                    .gate_const = gate_const});
  const std::uint64_t batch = hidden.shape[0];
  std::vector<float> gate = allocate({batch, heads, queries});
  encoding.gate(hidden.data, queries, gate).or_throw();
  write_whole(
      {batch, heads, queries, bias.shape[2]},
      [&](std::span<float> out) {
        return encoding.bias(gate, bias.data, queries, bias.columns(), out);
      },
      options.output);
}

}  // namespace

void add_gated_position_bias(CLI::App& scores) {
  CLI::App& app = *scores.add_subcommand(
      "gated_position_bias", "WavLM: a bias times a gate of each query, [batch, heads, n, keys]");
  const auto options = std::make_shared<GatedOptions>();
  add_place(app, "--hidden", options->hidden, "Hidden states [batch, length, heads * head_dim]")
      ->required();
  add_place(app, "--position-bias", options->bias,
            "The bias [heads, queries, keys]: what posenc bias t5 writes")
      ->required();
  add_place(app, "--gate-weight", options->gate_weight, "Trained, [8, head_dim]")->required();
  add_place(app, "--gate-bias", options->gate_bias, "Trained, [8]")->required();
  add_place(app, "--gate-const", options->gate_const, "Trained, [heads]")->required();
  add_output(app, options->output);
  app.callback([options] { run(*options); });
}

}  // namespace posenc::cli
