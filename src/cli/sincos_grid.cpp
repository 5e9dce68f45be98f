#include "posenc/additive/sincos_grid.hpp"

#include <cstdint>
#include <memory>
#include <span>

#include "cli/encodings.hpp"
#include "cli/options.hpp"
#include "cli/write_whole.hpp"

namespace posenc::cli {
namespace {

/// Sizes are 32 bits wide in both builds, whose std::size_t differs.
struct SincosGridOptions {
  SincosGridConfig config;
  std::uint32_t dim = 0;
  std::uint32_t axes = 2;
  std::uint32_t prefix_rows = 0;
  Grid grid;
  std::uint32_t height = 0;
  std::uint32_t width = 0;
  std::uint32_t depth = 1;
  OutputOptions output;
};

void add_config(CLI::App& app, SincosGridOptions& options) {
  add_whole(app, "--dim", options.dim, "Columns of a row")->required();
  add_whole(app, "--axes", options.axes, "2 (y, x; default) or 3 (z, y, x)");
  add_number(app, "--base", options.config.base, "Base of every axis' frequencies (10000)");
  add_choice<SincosGridLayout>(app, "--layout", options.config.layout,
                               {{"axis_blocks", SincosGridLayout::axis_blocks},
                                {"function_blocks", SincosGridLayout::function_blocks},
                                {"interleaved", SincosGridLayout::interleaved}},
                               "[sin a | cos a | sin b | cos b] (MAE, default), [sin a | sin b | "
                               "cos a | cos b] (timm) or sin and cos side by side (multidim)");
  add_choice<AxisOrder>(app, "--axis-order", options.config.axis_order,
                        {{"yx", AxisOrder::yx}, {"xy", AxisOrder::xy}},
                        "Which axis has the first columns (yx; MAE: xy)");
  add_number(app, "--frequency-denominator", options.config.frequency_denominator,
             "Frequencies are base^(-2i / X) (the columns of an axis)");
  add_whole(app, "--prefix-rows", options.prefix_rows,
            "Rows of zeros before the cells, for class and register tokens (0)");
}

void add_grid(CLI::App& app, SincosGridOptions& options) {
  Grid& grid = options.grid;
  add_whole(app, "--height", options.height, "Rows of the grid")->required();
  add_whole(app, "--width", options.width, "Columns of the grid")->required();
  add_whole(app, "--depth", options.depth, "Slices of the grid, with --axes 3 (1)");
  add_number(app, "--first-y", grid.first_y, "Coordinate of the first row (0)");
  add_number(app, "--first-x", grid.first_x, "Coordinate of the first column (0)");
  add_number(app, "--first-z", grid.first_z, "Coordinate of the first slice (0)");
  add_number(app, "--step-y", grid.step_y, "From a row to the next (1)");
  add_number(app, "--step-x", grid.step_x, "From a column to the next (1)");
  add_number(app, "--step-z", grid.step_z, "From a slice to the next (1)");
  add_choice<CellOrder>(
      app, "--cell-order", grid.order,
      {{"row_major", CellOrder::row_major}, {"column_major", CellOrder::column_major}},
      "x fastest (default), or y fastest: MoCo v3, timm's reverse_coord");
}

void run(SincosGridOptions& options) {
  options.config.dim = options.dim;
  options.config.axes = options.axes;
  options.config.prefix_rows = options.prefix_rows;
  options.grid.height = options.height;
  options.grid.width = options.width;
  options.grid.depth = options.depth;
  const SincosGrid encoding(options.config);
  const std::uint64_t cells = count_of({options.depth, options.height, options.width});
  write_whole(
      {options.prefix_rows + cells, options.dim},
      [&](std::span<float> out) { return encoding.table(options.grid, out); }, options.output);
}

}  // namespace

void add_sincos_grid(CLI::App& table) {
  CLI::App& app = *table.add_subcommand(
      "sincos_grid", "Sines and cosines of a grid's cells, [prefix rows + cells, dim]");
  const auto options = std::make_shared<SincosGridOptions>();
  add_config(app, *options);
  add_grid(app, *options);
  add_output(app, options->output);
  app.callback([options] { run(*options); });
}

}  // namespace posenc::cli
