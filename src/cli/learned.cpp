#include "posenc/additive/learned.hpp"

#include <cstdint>
#include <memory>
#include <string>

#include "cli/encodings.hpp"
#include "cli/options.hpp"
#include "cli/tensor_file.hpp"
#include "cli/write_rows.hpp"

namespace posenc::cli {
namespace {

struct LearnedOptions {
  std::string table;
  LearnedConfig config;
  PositionOptions positions;
  OutputOptions output;
};

}  // namespace

void add_learned(CLI::App& table) {
  CLI::App& app = *table.add_subcommand("learned", "Rows of a trained table, [positions, dim]");
  const auto options = std::make_shared<LearnedOptions>();
  add_place(app, "--table", options->table, "The trained table [rows, dim]")->required();
  add_whole(app, "--row-offset", options->config.row_offset,
            "Position p reads row p + N (0; 2 for OPT and BART)");
  add_number(app, "--scale", options->config.scale, "What every value is multiplied with (1)");
  add_positions(app, options->positions);
  add_output(app, options->output);
  app.callback([options] {
    options->positions.require();
    const FileTensor rows = read_tensor(options->table, "rows, dim", TableKind::absolute);
    options->config.rows = rows.data;
    options->config.dim = rows.columns();
    write_rows(Learned(options->config), options->positions, options->output);
  });
}

}  // namespace posenc::cli
