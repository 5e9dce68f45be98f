// posenc positions grid, window: of the cells of images, videos and windows.

#include "posenc/core/grid_positions.hpp"

#include <cstdint>
#include <memory>
#include <vector>

#include "cli/options.hpp"
#include "cli/positions.hpp"
#include "cli/write_whole.hpp"
#include "posenc/bias/swin.hpp"

namespace posenc::cli {
namespace {

struct GridOptions {
  GridPositionsArgs args;
  std::uint32_t height = 0, width = 0, frames = 1, merge = 1;
  OutputOptions output;
};

void write_grid(GridOptions& options) {
  GridPositionsArgs& args = options.args;
  args.height = options.height;
  args.width = options.width;
  args.frames = options.frames;
  args.merge = options.merge;
  const std::uint64_t cells = count_of({args.frames, args.height, args.width});
  std::vector<double> out(static_cast<std::size_t>(count_of({2, cells})));
  grid_positions(args, out).or_throw();
  write_array<double>({2, cells}, out, options.output);
}

void write_window(const GridOptions& options) {
  const Swin swin({.window_height = options.height, .window_width = options.width, .heads = 1});
  const std::uint64_t cells = std::uint64_t{options.height} * options.width;
  std::vector<std::int32_t> index(static_cast<std::size_t>(count_of({cells, cells})));
  swin.index(index).or_throw();
  const std::vector<std::int64_t> out(index.begin(), index.end());
  write_array<std::int64_t>({cells, cells}, out, options.output);
}

void add_sides(CLI::App& app, GridOptions& options) {
  add_whole(app, "--height", options.height, "Rows of cells")->required();
  add_whole(app, "--width", options.width, "Columns of cells")->required();
}

}  // namespace

void add_grid_positions(CLI::App& positions) {
  const auto options = std::make_shared<GridOptions>();
  GridPositionsArgs& args = options->args;
  CLI::App& grid =
      *positions.add_subcommand("grid", "Both axes of the cells of a grid, [2, cells]");
  add_sides(grid, *options);
  add_whole(grid, "--frames", options->frames, "The grid comes this many times (1)");
  add_whole(grid, "--merge", options->merge, "Cells come in blocks of N * N: Qwen2-VL's 2 (1)");
  add_choice<GridCoordinates>(grid, "--coordinates", args.coordinates,
                              {{"cells", GridCoordinates::cells},
                               {"centres", GridCoordinates::centres},
                               {"corners", GridCoordinates::corners}},
                              "0, 1, ... (default), DINOv3's middles in [-1, 1], or -1 to 1");
  add_choice<GridExtent>(
      grid, "--extent", args.extent,
      {{"separate", GridExtent::separate}, {"max", GridExtent::max}, {"min", GridExtent::min}},
      "Which side centres are measured by (separate)");
  add_number(grid, "--offset", args.offset, "Added to cells (0)");
  add_number(grid, "--reference-height", args.reference_height,
             "Height that positions are stretched to (0: none)");
  add_number(grid, "--reference-width", args.reference_width, "Width likewise (0: none)");
  grid.add_flag("--columns-first", args.columns_first, "x is the first axis: timm's xy");
  add_output(grid, options->output);
  grid.callback([options] { write_grid(*options); });

  CLI::App& window = *positions.add_subcommand(
      "window", "The row of Swin's table for each pair of cells of a window, [cells, cells]");
  add_sides(window, *options);
  add_output(window, options->output);
  window.callback([options] { write_window(*options); });
}

}  // namespace posenc::cli
