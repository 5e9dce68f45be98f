#include "posenc/relative/shaw.hpp"

#include <memory>
#include <span>
#include <string>

#include "cli/encodings.hpp"
#include "cli/query_key.hpp"

namespace posenc::cli {
namespace {

struct ShawOptions {
  std::string table;
  QueryKeyOptions tensors;
};

void run(const ShawOptions& options) {
  const QueryKey tensors(options.tensors);
  const FileTensor table =
      read_tensor(options.table, "2 max_relative_position + 1, head_dim", TableKind::shaw);
  if (table.rows() % 2 == 0) {
    throw UsageError("--table must have 2 max_relative_position + 1 rows, an odd number, got " +
                     std::to_string(table.rows()));
  }
  const Shaw shaw({.head_dim = tensors.head_dim(),
                   .max_relative_position = table.rows() / 2,
                   .keys = table.data});
  tensors.write(options.tensors.output, [&](std::span<float> out) {
    return shaw.scores(tensors.q.data, tensors.query_positions(), tensors.key_positions(),
                       tensors.scale, out);
  });
}

}  // namespace

void add_shaw(CLI::App& scores) {
  CLI::App& app = *scores.add_subcommand("shaw", "q . row of the clipped distance key - query");
  const auto options = std::make_shared<ShawOptions>();
  options->tensors.add_queries(app);
  add_place(app, "--table", options->table,
            "The trained rows [2 max_relative_position + 1, head_dim]")
      ->required();
  options->tensors.add_scale(app);
  options->tensors.add_rest(app);
  app.callback([options] { run(*options); });
}

}  // namespace posenc::cli
