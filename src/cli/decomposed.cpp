#include "posenc/relative/decomposed.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "cli/encodings.hpp"
#include "cli/query_key.hpp"
#include "cli/write_whole.hpp"

namespace posenc::cli {
namespace {

struct DecomposedOptions {
  std::string q, table_h, table_w;
  std::uint32_t query_height = 0, query_width = 0;
  std::optional<std::uint32_t> key_height, key_width;
  OutputOptions output;
};

void run(const DecomposedOptions& options) {
  const FileTensor q = read_tensor(options.q, "heads, queries, head_dim");
  const FileTensor table_h =
      read_tensor(options.table_h, "rows, head_dim", TableKind::decomposed_height);
  const FileTensor table_w =
      read_tensor(options.table_w, "rows, head_dim", TableKind::decomposed_width);
  const DecomposedConfig config{.query_height = options.query_height,
                                .query_width = options.query_width,
                                .key_height = options.key_height.value_or(options.query_height),
                                .key_width = options.key_width.value_or(options.query_width),
                                .head_dim = q.columns(),
                                .table_h = table_h.data,
                                .table_w = table_w.data};
  const Decomposed decomposed(config);
  write_whole(
      {q.shape[0], q.shape[1], count_of({config.key_height, config.key_width})},
      [&](std::span<float> out) { return decomposed.scores(q.data, out); }, options.output);
}

}  // namespace

void add_decomposed(CLI::App& scores) {
  CLI::App& app = *scores.add_subcommand("decomposed", "SAM, MViTv2: q . row of y + q . row of x");
  const auto options = std::make_shared<DecomposedOptions>();
  add_place(app, "--q", options->q, "The queries [heads, cells, head_dim], not scaled")->required();
  add_place(app, "--table-h", options->table_h, "Trained rel_pos_h [rows, head_dim]")->required();
  add_place(app, "--table-w", options->table_w, "Trained rel_pos_w [rows, head_dim]")->required();
  add_whole(app, "--query-height", options->query_height, "Rows of the queries' grid")->required();
  add_whole(app, "--query-width", options->query_width, "Its columns")->required();
  add_whole(app, "--key-height", options->key_height, "Rows of the keys' grid (the queries')");
  add_whole(app, "--key-width", options->key_width, "Its columns (the queries')");
  add_output(app, options->output);
  app.callback([options] { run(*options); });
}

}  // namespace posenc::cli
