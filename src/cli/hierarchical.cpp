#include "posenc/additive/hierarchical.hpp"

#include <memory>
#include <string>

#include "cli/encodings.hpp"
#include "cli/options.hpp"
#include "cli/tensor_file.hpp"
#include "cli/write_rows.hpp"

namespace posenc::cli {
namespace {

struct HierarchicalOptions {
  std::string table;
  HierarchicalConfig config;
  PositionOptions positions;
  OutputOptions output;
};

}  // namespace

void add_hierarchical(CLI::App& table) {
  CLI::App& app = *table.add_subcommand(
      "hierarchical", "A trained table of n rows reaching n^2 positions, [positions, dim]");
  const auto options = std::make_shared<HierarchicalOptions>();
  add_place(app, "--table", options->table, "The trained table [n, dim]")->required();
  add_number(app, "--alpha", options->config.alpha, "Weight of the coarse position (0.4)");
  add_positions(app, options->positions);
  add_output(app, options->output);
  app.callback([options] {
    options->positions.require();
    const FileTensor rows = read_tensor(options->table, "n, dim", TableKind::absolute);
    options->config.rows = rows.data;
    options->config.dim = rows.columns();
    write_rows(Hierarchical(options->config), options->positions, options->output);
  });
}

}  // namespace posenc::cli
