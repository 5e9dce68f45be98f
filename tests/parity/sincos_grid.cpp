#include "posenc/additive/sincos_grid.hpp"

#include "cases.hpp"
#include "sizes.hpp"

namespace posenc::parity {
namespace {

struct Setting {
  SincosGridConfig config;
  Grid grid;

  std::size_t rows() const { return config.prefix_rows + grid.height * grid.width * grid.depth; }
};

Setting setting_of(std::size_t dim, SincosGridLayout layout, std::size_t axes, std::size_t index) {
  constexpr double kBases[] = {10000, 100, 1};
  constexpr double kSteps[] = {1, 0.5, 1.0 / 3.0};
  Setting setting;
  setting.config = {.dim = layout == SincosGridLayout::interleaved ? dim : 2 * axes * dim,
                    .axes = axes,
                    .base = turn(kBases, index),
                    .layout = layout,
                    .axis_order = index % 2 == 0 ? AxisOrder::yx : AxisOrder::xy,
                    .frequency_denominator = index % 5 == 0 ? 2.0 * static_cast<double>(dim) : 0.0,
                    .prefix_rows = index % 3};
  setting.grid = {.height = 1 + index % 3,
                  .width = 1 + index % 4,
                  .depth = axes == 3 ? 1 + index % 2 : 1,
                  .step_y = turn(kSteps, index / 2),
                  .step_x = turn(kSteps, index / 3),
                  .first_y = index % 7 == 0 ? -2.5 : 0.0,
                  .first_x = index % 11 == 0 ? 16777216.0 : 0.0,
                  .order = index / 2 % 2 == 0 ? CellOrder::row_major : CellOrder::column_major};
  return setting;
}

Label label_of(const Setting& setting) {
  constexpr const char* kLayouts[] = {"axis_blocks", "function_blocks", "interleaved"};
  const SincosGridConfig& config = setting.config;
  const Grid& grid = setting.grid;
  Label label;
  label("dim", config.dim)("axes", config.axes)("base", config.base);
  label("layout", kLayouts[static_cast<std::size_t>(config.layout)]);
  label("axis_order", config.axis_order == AxisOrder::yx ? "yx" : "xy");
  label("denominator", config.frequency_denominator)("prefix_rows", config.prefix_rows);
  label("height", grid.height)("width", grid.width)("depth", grid.depth)("step_y", grid.step_y);
  label("step_x", grid.step_x)("first_y", grid.first_y)("first_x", grid.first_x);
  return label("order", grid.order == CellOrder::row_major ? "row_major" : "column_major");
}

template <class Call>
void for_each_case(Cases& cases, const Call& call) {
  std::size_t index = 0;
  for (const std::size_t size : sizes_to(35, {64, 65, 129})) {
    for (const auto layout : {SincosGridLayout::axis_blocks, SincosGridLayout::function_blocks,
                              SincosGridLayout::interleaved}) {
      for (const std::size_t axes : sizes_to(0, {2, 3})) {
        const Setting setting = setting_of(size, layout, axes, index++);
        cases.add_stored(label_of(setting),
                         [&](Case& one) { call(SincosGrid(setting.config), setting, one); });
      }
    }
  }
}

void table(Cases& cases) {
  for_each_case(cases, [](const SincosGrid& encoding, const Setting& setting, Case& one) {
    const Floats out = one.output("out", {setting.rows(), setting.config.dim});
    one.succeed(encoding.table(setting.grid, out));
  });
}

void add(Cases& cases) {
  for_each_case(cases, [](const SincosGrid& encoding, const Setting& setting, Case& one) {
    const Floats x = one.in_place("x", {setting.rows(), setting.config.dim});
    one.succeed(encoding.add(setting.grid, x));
  });
}

void coordinates(Cases& cases) {
  for_each_case(cases, [](const SincosGrid& encoding, const Setting& setting, Case& one) {
    std::vector<double> cells(setting.config.axes * 3);
    for (double& coordinate : cells) coordinate = one.generator().real(-8, 23);
    one.succeed(encoding.table(cells, one.output("out", {3, setting.config.dim})));
    one.succeed(encoding.add(cells, one.in_place("x", {3, setting.config.dim})));
  });
}

}  // namespace

std::span<const Verb> sincos_grid_verbs() {
  static constexpr Verb kVerbs[] = {{"sincos_grid.table", table},
                                    {"sincos_grid.add", add},
                                    {"sincos_grid.coordinates", coordinates}};
  return kVerbs;
}

}  // namespace posenc::parity
