// posenc positions: the positions of tokens and cells, whole numbers or doubles.

#include "cli/positions.hpp"

#include "cli/commands.hpp"
#include "cli/options.hpp"

namespace posenc::cli {

void add_positions_command(CLI::App& app) {
  CLI::App& positions =
      *app.add_subcommand("positions", "Write the positions of tokens or of the cells of a grid");
  require_command(positions);
  add_padded_positions(positions);
  add_ragged_positions(positions);
  add_grid_positions(positions);
  add_mrope_positions(positions);
}

}  // namespace posenc::cli
