// posenc table: what additive and rotary encodings put into memory.

#include "cli/commands.hpp"
#include "cli/encodings.hpp"
#include "cli/from_config.hpp"

namespace posenc::cli {

void add_table(CLI::App& app) {
  CLI::App& table = *app.add_subcommand("table", "Write the table of an encoding");
  add_sinusoidal(table);
  add_sincos_grid(table);
  add_detr_sine(table);
  add_multiscale(table);
  add_learned(table);
  add_hierarchical(table);
  add_interpolate(table);
  add_layout_boxes(table);
  add_rope(table);
  add_table_from_config(table);
}

}  // namespace posenc::cli
