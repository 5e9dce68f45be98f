#include "posenc/additive/layout_boxes.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/encodings.hpp"
#include "cli/options.hpp"
#include "cli/tensor_file.hpp"
#include "cli/whole_rows.hpp"
#include "cli/write_whole.hpp"

namespace posenc::cli {
namespace {

struct LayoutBoxesOptions {
  std::string x, y, height, width, position;
  WholeRows boxes{.name = "--boxes"};
  OutputOptions output;
};

std::vector<std::int32_t> boxes_of(const WholeRows& rows) {
  const WholeMatrix boxes = rows.read();
  if (boxes.columns() != 4) {
    throw UsageError("--boxes must have rows of 4, x0,y0,x1,y1, got rows of " +
                     std::to_string(boxes.columns()));
  }
  return rows.as<std::int32_t>(boxes);
}

void run(const LayoutBoxesOptions& options) {
  const FileTensor x = read_tensor(options.x, "rows, dim", TableKind::box_x);
  const FileTensor y = read_tensor(options.y, "rows, dim", TableKind::box_y);
  const FileTensor height = read_tensor(options.height, "rows, dim", TableKind::box_height);
  const FileTensor width = read_tensor(options.width, "rows, dim", TableKind::box_width);
  FileTensor position;
  if (!options.position.empty()) {
    position = read_tensor(options.position, "rows, dim", TableKind::absolute);
  }
  const LayoutBoxes encoding({.dim = x.columns(),
                              .x_rows = x.data,
                              .y_rows = y.data,
                              .height_rows = height.data,
                              .width_rows = width.data,
                              .position_rows = position.data});
  const std::vector<std::int32_t> boxes = boxes_of(options.boxes);
  const std::size_t tokens = boxes.size() / 4;
  const Positions positions = Positions::from(0, options.position.empty() ? 0 : tokens);
  write_whole(
      {tokens, x.columns()},
      [&](std::span<float> out) { return encoding.table(boxes, positions, out); }, options.output);
}

}  // namespace

void add_layout_boxes(CLI::App& table) {
  CLI::App& app =
      *table.add_subcommand("layout_boxes", "LayoutLM's sums of rows for boxes, [tokens, dim]");
  const auto options = std::make_shared<LayoutBoxesOptions>();
  add_place(app, "--x", options->x, "Trained table of x coordinates [rows, dim]")->required();
  add_place(app, "--y", options->y, "Of y coordinates")->required();
  add_place(app, "--box-height", options->height, "Of heights")->required();
  add_place(app, "--box-width", options->width, "Of widths")->required();
  add_place(app, "--position-table", options->position,
            "Of places in the text, which tokens have from 0 on (none)");
  options->boxes.add(app, "A token's box x0,y0,x1,y1; again for each token, or a file [tokens, 4]")
      ->required();
  add_output(app, options->output);
  app.callback([options] { run(*options); });
}

}  // namespace posenc::cli
