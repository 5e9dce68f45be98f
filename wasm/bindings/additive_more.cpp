#include <emscripten/bind.h>

#include "additive.hpp"
#include "posenc/additive/hierarchical.hpp"
#include "posenc/additive/layout_boxes.hpp"
#include "posenc/additive/learned.hpp"
#include "posenc/additive/multiscale.hpp"

namespace posenc::wasm {
namespace {

/// padding_row is NaN when it is not given.
Address trainable_learned_make(Address rows, Size size, std::size_t dim, double row_offset,
                               double scale, double padding_row) {
  return made<Learned>([&] {
    LearnedConfig config{.rows = floats(rows, size),
                         .dim = dim,
                         .row_offset = static_cast<std::int64_t>(row_offset),
                         .scale = scale};
    if (const std::optional<double> row = given(padding_row)) {
      config.padding_row = static_cast<std::int64_t>(*row);
    }
    return config;
  });
}

int learned_scatter(Address self, unsigned kind, double first, std::size_t count, Address gradient,
                    Size gradient_size, Address rows, Size rows_size) {
  return guarded([&] {
    return at<Learned>(self).scatter(positions(kind, first, count), floats(gradient, gradient_size),
                                     float32(rows, rows_size));
  });
}

Address hierarchical_make(Address rows, Size size, std::size_t dim, double alpha) {
  return made<Hierarchical>(
      [&] { return HierarchicalConfig{.rows = floats(rows, size), .dim = dim, .alpha = alpha}; });
}

double hierarchical_max_positions(Address self) {
  return static_cast<double>(at<Hierarchical>(self).max_positions());
}

/// Levels as three doubles each: dim, base, scale.
Address multiscale_make(Address levels, std::size_t values, unsigned combine, bool interleaved) {
  std::vector<MultiscaleLevel> list;
  return made<Multiscale>([&] {
    const auto numbers = span_of<const double>(levels, values);
    for (std::size_t i = 0; i < values; i += 3) {
      list.push_back({static_cast<std::size_t>(numbers[i]), numbers[i + 1], numbers[i + 2]});
    }
    return MultiscaleConfig{.levels = list,
                            .combine = static_cast<MultiscaleCombine>(combine),
                            .interleaved = interleaved};
  });
}

/// The positions of each level as three doubles: kind, first, count.
std::vector<Positions> level_positions(Address scalars, std::size_t values) {
  std::vector<Positions> list;
  const auto numbers = span_of<const double>(scalars, values);
  for (std::size_t i = 0; i < values; i += 3) {
    list.push_back(positions(static_cast<unsigned>(numbers[i]), numbers[i + 1],
                             static_cast<std::size_t>(numbers[i + 2])));
  }
  return list;
}

int multiscale_table(Address self, Address scalars, std::size_t values, Address out, Size size) {
  return guarded([&] {
    return at<Multiscale>(self).table(level_positions(scalars, values), floats(out, size));
  });
}

int multiscale_add(Address self, Address scalars, std::size_t values, Address x, Size size) {
  return guarded(
      [&] { return at<Multiscale>(self).add(level_positions(scalars, values), floats(x, size)); });
}

Address layout_boxes_make(std::size_t dim, Address x, Size x_size, Address y, Size y_size,
                          Address height, Size height_size, Address width, Size width_size,
                          Address position, Size position_size) {
  return made<LayoutBoxes>([&] {
    return LayoutBoxesConfig{.dim = dim,
                             .x_rows = floats(x, x_size),
                             .y_rows = floats(y, y_size),
                             .height_rows = floats(height, height_size),
                             .width_rows = floats(width, width_size),
                             .position_rows = floats(position, position_size)};
  });
}

int layout_boxes_table(Address self, Address boxes, std::size_t numbers, unsigned kind,
                       double first, std::size_t count, Address out, Size size) {
  return guarded([&] {
    return at<LayoutBoxes>(self).table(span_of<const std::int32_t>(boxes, numbers),
                                       positions(kind, first, count), floats(out, size));
  });
}

int layout_boxes_add(Address self, Address boxes, std::size_t numbers, unsigned kind, double first,
                     std::size_t count, Address x, Size size) {
  return guarded([&] {
    return at<LayoutBoxes>(self).add(span_of<const std::int32_t>(boxes, numbers),
                                     positions(kind, first, count), floats(x, size));
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(additive_more) {
  emscripten::function("trainable_learned_make", &trainable_learned_make);
  emscripten::function("learned_scatter", &learned_scatter);

  emscripten::function("hierarchical_make", &hierarchical_make);
  emscripten::function("hierarchical_dispose", &disposed<Hierarchical>);
  emscripten::function("hierarchical_max_positions", &hierarchical_max_positions);
  emscripten::function("hierarchical_table", &table<Hierarchical>);
  emscripten::function("hierarchical_add", &add<Hierarchical>);

  emscripten::function("multiscale_make", &multiscale_make);
  emscripten::function("multiscale_dispose", &disposed<Multiscale>);
  emscripten::function("multiscale_table", &multiscale_table);
  emscripten::function("multiscale_add", &multiscale_add);

  emscripten::function("layout_boxes_make", &layout_boxes_make);
  emscripten::function("layout_boxes_dispose", &disposed<LayoutBoxes>);
  emscripten::function("layout_boxes_table", &layout_boxes_table);
  emscripten::function("layout_boxes_add", &layout_boxes_add);
}

}  // namespace posenc::wasm
