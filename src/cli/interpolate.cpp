#include "posenc/interpolate/interpolate.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/encodings.hpp"
#include "cli/options.hpp"
#include "cli/tensor_file.hpp"
#include "cli/write_whole.hpp"

namespace posenc::cli {
namespace {

struct InterpolateOptions {
  std::string table;
  InterpolateConfig config;
  std::optional<std::uint32_t> from_height, from_width, to_width;
  std::uint32_t to_height = 0;
  std::uint32_t prefix_rows = 0, suffix_rows = 0;
  OutputOptions output;
};

/// The old grid: as the flags say, else all rows but the first and last ones, as a sequence when
/// the new one is a sequence, else as a square.
void set_old_grid(const InterpolateOptions& options, std::size_t rows, InterpolateConfig& config) {
  if (options.from_width && !options.from_height) {
    throw UsageError("--from-width needs --from-height");
  }
  const std::size_t others = config.prefix_rows + config.suffix_rows;
  const std::size_t cells = rows > others ? rows - others : 0;
  if (options.from_height) {
    config.from_height = *options.from_height;
    config.from_width = options.from_width.value_or(1);
  } else if (!options.to_width) {
    config.from_height = cells;
    config.from_width = 1;
  } else {
    const auto side = static_cast<std::size_t>(std::llround(std::sqrt(static_cast<double>(cells))));
    if (side * side != cells) {
      throw UsageError("the table's " + std::to_string(cells) +
                       " rows are no square: give --from-height and --from-width");
    }
    config.from_height = config.from_width = side;
  }
}

void run(InterpolateOptions& options) {
  const FileTensor table = read_tensor(options.table, "rows, dim");
  InterpolateConfig& config = options.config;
  config.dim = table.columns();
  config.to_height = options.to_height;
  config.to_width = options.to_width.value_or(1);
  config.prefix_rows = options.prefix_rows;
  config.suffix_rows = options.suffix_rows;
  set_old_grid(options, table.rows(), config);
  const Interpolate interpolate(config);
  std::vector<double> workspace(interpolate.workspace_size());
  const std::uint64_t cells = count_of({config.to_height, config.to_width});
  write_whole(
      {config.prefix_rows + cells + config.suffix_rows, config.dim},
      [&](std::span<float> out) { return interpolate.apply(table.data, workspace, out); },
      options.output);
}

void add_kernel(CLI::App& app, InterpolateConfig& config) {
  add_choice<InterpolationMode>(
      app, "--mode", config.mode,
      {{"cubic", InterpolationMode::cubic}, {"linear", InterpolationMode::linear}},
      "What lies between the rows (cubic)");
  app.add_flag("--antialias", config.antialias, "Widen the kernel when the table gets smaller");
  app.add_flag("--align-corners", config.align_corners,
               "Put the first and last rows of both tables on each other");
  add_number(app, "--size-offset", config.size_offset, "DINOv2's interpolate_offset (0; 0.1)");
  add_choice<GridSpacing>(
      app, "--spacing", config.spacing,
      {{"uniform", GridSpacing::uniform}, {"geometric", GridSpacing::geometric}},
      "Where the old rows lie (uniform; geometric for BEiT's relative tables)");
}

}  // namespace

void add_interpolate(CLI::App& table) {
  CLI::App& app = *table.add_subcommand(
      "interpolate",
      "A trained table at another length or grid, [prefix + new cells + suffix, "
      "dim]");
  const auto options = std::make_shared<InterpolateOptions>();
  add_place(app, "--table", options->table, "The trained table [rows, dim]")->required();
  add_whole(app, "--to-height", options->to_height, "New length, or rows of the new grid")
      ->required();
  add_whole(app, "--to-width", options->to_width, "Columns of the new grid (a sequence)");
  add_whole(app, "--from-height", options->from_height,
            "Rows of the old grid (a square, or the length of the sequence)");
  add_whole(app, "--from-width", options->from_width, "Columns of the old grid");
  add_whole(app, "--prefix-rows", options->prefix_rows,
            "First rows that are copied: class tokens, OPT's and BART's two (0)");
  add_whole(app, "--suffix-rows", options->suffix_rows, "Last rows that are copied (0)");
  add_kernel(app, options->config);
  add_output(app, options->output);
  app.callback([options] { run(*options); });
}

}  // namespace posenc::cli
