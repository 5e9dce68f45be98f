#include <emscripten/bind.h>

#include "glue.hpp"
#include "posenc/additive/detr_sine.hpp"
#include "posenc/additive/sincos_grid.hpp"
#include "posenc/interpolate/interpolate.hpp"

namespace posenc::wasm {
namespace {

Address sincos_grid_make(std::size_t dim, std::size_t axes, double base, unsigned layout,
                         unsigned axis_order, double frequency_denominator,
                         std::size_t prefix_rows) {
  return made<SincosGrid>([&] {
    return SincosGridConfig{.dim = dim,
                            .axes = axes,
                            .base = base,
                            .layout = static_cast<SincosGridLayout>(layout),
                            .axis_order = static_cast<AxisOrder>(axis_order),
                            .frequency_denominator = frequency_denominator,
                            .prefix_rows = prefix_rows};
  });
}

/// Grid, with the order as its number.
struct GridOptions {
  std::size_t height;
  std::size_t width;
  std::size_t depth;
  double step_y;
  double step_x;
  double step_z;
  double first_y;
  double first_x;
  double first_z;
  unsigned order;
};

Grid grid_of(const GridOptions& options) noexcept {
  return {.height = options.height,
          .width = options.width,
          .depth = options.depth,
          .step_y = options.step_y,
          .step_x = options.step_x,
          .step_z = options.step_z,
          .first_y = options.first_y,
          .first_x = options.first_x,
          .first_z = options.first_z,
          .order = static_cast<CellOrder>(options.order)};
}

int sincos_grid_table(Address self, const GridOptions& grid, Address out, Size size) {
  return guarded([&] { return at<SincosGrid>(self).table(grid_of(grid), floats(out, size)); });
}

int sincos_grid_add(Address self, const GridOptions& grid, Address x, Size size) {
  return guarded([&] { return at<SincosGrid>(self).add(grid_of(grid), floats(x, size)); });
}

int sincos_grid_table_at(Address self, Address coordinates, std::size_t count, Address out,
                         Size size) {
  return guarded([&] {
    return at<SincosGrid>(self).table(span_of<const double>(coordinates, count), floats(out, size));
  });
}

int sincos_grid_add_at(Address self, Address coordinates, std::size_t count, Address x, Size size) {
  return guarded([&] {
    return at<SincosGrid>(self).add(span_of<const double>(coordinates, count), floats(x, size));
  });
}

Address detr_sine_make(std::size_t num_pos_feats, double temperature, bool normalize, double scale,
                       double eps, bool centered, unsigned order) {
  return made<DetrSine>([&] {
    return DetrSineConfig{.num_pos_feats = num_pos_feats,
                          .temperature = temperature,
                          .normalize = normalize,
                          .scale = scale,
                          .eps = eps,
                          .centered = centered,
                          .order = static_cast<DetrOrder>(order)};
  });
}

int detr_sine_table(Address self, Address mask, std::size_t pixels, std::size_t batch,
                    std::size_t height, std::size_t width, Address out, Size size) {
  return guarded([&] {
    return at<DetrSine>(self).table(span_of<const std::uint8_t>(mask, pixels),
                                    {batch, height, width}, floats(out, size));
  });
}

int detr_sine_add(Address self, Address mask, std::size_t pixels, std::size_t batch,
                  std::size_t height, std::size_t width, Address x, Size size) {
  return guarded([&] {
    return at<DetrSine>(self).add(span_of<const std::uint8_t>(mask, pixels), {batch, height, width},
                                  floats(x, size));
  });
}

/// InterpolateConfig with enums as their numbers.
struct InterpolateOptions {
  std::size_t from_height;
  std::size_t from_width;
  std::size_t to_height;
  std::size_t to_width;
  std::size_t dim;
  unsigned mode;
  bool antialias;
  bool align_corners;
  double size_offset;
  unsigned spacing;
  std::size_t prefix_rows;
  std::size_t suffix_rows;
};

Address interpolate_make(const InterpolateOptions& options) {
  return made<Interpolate>([&] {
    return InterpolateConfig{.from_height = options.from_height,
                             .from_width = options.from_width,
                             .to_height = options.to_height,
                             .to_width = options.to_width,
                             .dim = options.dim,
                             .mode = static_cast<InterpolationMode>(options.mode),
                             .antialias = options.antialias,
                             .align_corners = options.align_corners,
                             .size_offset = options.size_offset,
                             .spacing = static_cast<GridSpacing>(options.spacing),
                             .prefix_rows = options.prefix_rows,
                             .suffix_rows = options.suffix_rows};
  });
}

std::size_t interpolate_workspace_size(Address self) {
  return at<Interpolate>(self).workspace_size();
}

int interpolate_apply(Address self, Address table, Size table_size, Address workspace,
                      std::size_t workspace_size, Address out, Size size) {
  return guarded([&] {
    return at<Interpolate>(self).apply(
        floats(table, table_size), span_of<double>(workspace, workspace_size), floats(out, size));
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(grids) {
  emscripten::value_object<GridOptions>("GridOptions")
      .field("height", &GridOptions::height)
      .field("width", &GridOptions::width)
      .field("depth", &GridOptions::depth)
      .field("stepY", &GridOptions::step_y)
      .field("stepX", &GridOptions::step_x)
      .field("stepZ", &GridOptions::step_z)
      .field("firstY", &GridOptions::first_y)
      .field("firstX", &GridOptions::first_x)
      .field("firstZ", &GridOptions::first_z)
      .field("order", &GridOptions::order);
  emscripten::function("sincos_grid_make", &sincos_grid_make);
  emscripten::function("sincos_grid_dispose", &disposed<SincosGrid>);
  emscripten::function("sincos_grid_table", &sincos_grid_table);
  emscripten::function("sincos_grid_add", &sincos_grid_add);
  emscripten::function("sincos_grid_table_at", &sincos_grid_table_at);
  emscripten::function("sincos_grid_add_at", &sincos_grid_add_at);

  emscripten::function("detr_sine_make", &detr_sine_make);
  emscripten::function("detr_sine_dispose", &disposed<DetrSine>);
  emscripten::function("detr_sine_table", &detr_sine_table);
  emscripten::function("detr_sine_add", &detr_sine_add);

  emscripten::value_object<InterpolateOptions>("InterpolateOptions")
      .field("fromHeight", &InterpolateOptions::from_height)
      .field("fromWidth", &InterpolateOptions::from_width)
      .field("toHeight", &InterpolateOptions::to_height)
      .field("toWidth", &InterpolateOptions::to_width)
      .field("dim", &InterpolateOptions::dim)
      .field("mode", &InterpolateOptions::mode)
      .field("antialias", &InterpolateOptions::antialias)
      .field("alignCorners", &InterpolateOptions::align_corners)
      .field("sizeOffset", &InterpolateOptions::size_offset)
      .field("spacing", &InterpolateOptions::spacing)
      .field("prefixRows", &InterpolateOptions::prefix_rows)
      .field("suffixRows", &InterpolateOptions::suffix_rows);
  emscripten::function("interpolate_make", &interpolate_make);
  emscripten::function("interpolate_dispose", &disposed<Interpolate>);
  emscripten::function("interpolate_workspace_size", &interpolate_workspace_size);
  emscripten::function("interpolate_apply", &interpolate_apply);
}

}  // namespace posenc::wasm
