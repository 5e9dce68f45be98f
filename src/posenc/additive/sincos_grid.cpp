#include "posenc/additive/sincos_grid.hpp"

#include <algorithm>
#include <cmath>

#include "posenc/additive/sinusoid_block.hpp"
#include "posenc/core/check.hpp"
#include "posenc/core/elements.hpp"
#include "posenc/math/double_double.hpp"

namespace posenc {
namespace {

constexpr char kName[] = "sincos_grid";
constexpr std::size_t kMaxAxes = 3;

/// A cell's coordinates in the order (y, x) or (z, y, x).
struct Cell {
  double at[kMaxAxes];
};

/// Columns of an axis, and the pairs that make them.
std::size_t pairs_of_axis(const SincosGridConfig& config) noexcept {
  const std::size_t share = 2 * config.axes;
  const bool cut = config.layout == SincosGridLayout::interleaved;
  return (config.dim + (cut ? share - 1 : 0)) / share;
}

Frequencies frequencies_of(const SincosGridConfig& config) {
  const std::size_t pairs = pairs_of_axis(config);
  const double denominator = config.frequency_denominator == 0.0 ? 2.0 * static_cast<double>(pairs)
                                                                 : config.frequency_denominator;
  return Frequencies::powers(pairs, math::DoubleDouble{config.base}, denominator,
                             math::DoubleDouble{1.0});
}

/// The columns of the axis that stands at `place` in the row.
detail::SinusoidBlock block_of(const SincosGridConfig& config, std::size_t place) noexcept {
  const std::size_t pairs = pairs_of_axis(config);
  switch (config.layout) {
    case SincosGridLayout::function_blocks:
      return {.firsts = pairs,
              .seconds = pairs,
              .first_column = place * pairs,
              .second_column = (config.axes + place) * pairs};
    case SincosGridLayout::interleaved: {
      const std::size_t start = 2 * pairs * place;
      const std::size_t columns = start < config.dim ? std::min(2 * pairs, config.dim - start) : 0;
      return {.firsts = (columns + 1) / 2,
              .seconds = columns / 2,
              .first_column = start,
              .second_column = start + 1,
              .interleaved = true};
    }
    case SincosGridLayout::axis_blocks:
      break;
  }
  return {.firsts = pairs,
          .seconds = pairs,
          .first_column = 2 * place * pairs,
          .second_column = (2 * place + 1) * pairs};
}

/// Hands the row of a cell to `put(column, values, count)`, piece by piece.
template <class Put>
void visit_row(const SincosGridConfig& config, const Frequencies& frequencies, const Cell& cell,
               kernels::Rounding rounding, const Put& put) noexcept {
  for (std::size_t place = 0; place < config.axes; ++place) {
    const std::size_t axis = config.axis_order == AxisOrder::yx ? place : config.axes - 1 - place;
    detail::visit_block(block_of(config, place), frequencies, cell.at[axis], rounding, put);
  }
}

/// Calls `visit(index, cell)` for every cell of the grid in its order.
template <class Visit>
void visit_cells(const SincosGridConfig& config, const Grid& grid, const Visit& visit) noexcept {
  const bool rows_first = grid.order == CellOrder::row_major;
  const std::size_t outer = rows_first ? grid.depth : grid.width;
  const std::size_t inner = rows_first ? grid.width : grid.depth;
  if (grid.height == 0 || inner == 0) return;  // however many empty slices there are
  std::size_t index = 0;
  for (std::size_t i = 0; i < outer; ++i) {
    for (std::size_t row = 0; row < grid.height; ++row) {
      for (std::size_t j = 0; j < inner; ++j) {
        const std::size_t slice = rows_first ? i : j, column = rows_first ? j : i;
        const double z = grid.first_z + static_cast<double>(slice) * grid.step_z;
        const double y = grid.first_y + static_cast<double>(row) * grid.step_y;
        const double x = grid.first_x + static_cast<double>(column) * grid.step_x;
        visit(index++, config.axes == 2 ? Cell{{y, x, 0.0}} : Cell{{z, y, x}});
      }
    }
  }
}

/// Calls `visit(index, cell)` for every row of `coordinates`.
template <class Visit>
void visit_cells(const SincosGridConfig& config, std::span<const double> coordinates,
                 const Visit& visit) noexcept {
  Cell cell{};
  for (std::size_t index = 0; index * config.axes < coordinates.size(); ++index) {
    std::copy_n(coordinates.data() + index * config.axes, config.axes, cell.at);
    visit(index, cell);
  }
}

Status check_axis(const char* field, double first, double step, std::size_t count,
                  double limit) noexcept {
  if (count == 0) return {};
  const double ends[] = {first, first + static_cast<double>(count - 1) * step};
  return detail::check_positions(kName, field, Positions::of(std::span<const double>(ends)), limit);
}

Status check_call(const SincosGridConfig& config, const Grid& grid, const char* argument,
                  std::size_t size, double limit) noexcept {
  if (config.axes == 2 && grid.depth != 1) {
    return Status::failure(Code::value_range, "depth",
                           "sincos_grid: depth must be 1 for an encoding of 2 axes, got %zu",
                           grid.depth);
  }
  std::size_t cells = 0;
  POSENC_RETURN_IF_FAILED(
      detail::multiply(kName, argument, {grid.depth, grid.height, grid.width}, cells));
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, argument, size, "(prefix_rows + cells) * dim",
                                              {config.prefix_rows + cells, config.dim}));
  POSENC_RETURN_IF_FAILED(check_axis("first_z", grid.first_z, grid.step_z, grid.depth, limit));
  POSENC_RETURN_IF_FAILED(check_axis("first_y", grid.first_y, grid.step_y, grid.height, limit));
  return check_axis("first_x", grid.first_x, grid.step_x, grid.width, limit);
}

Status check_call(const SincosGridConfig& config, std::span<const double> coordinates,
                  const char* argument, std::size_t size, double limit) noexcept {
  const std::size_t cells = coordinates.size() / config.axes;
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "coordinates", coordinates.size(),
                                              "cells * axes", {cells, config.axes}));
  POSENC_RETURN_IF_FAILED(
      detail::check_shape(kName, argument, size, "cells * dim", {cells, config.dim}));
  return detail::check_positions(kName, "coordinates", Positions::of(coordinates), limit);
}

template <class Cells>
void write_cells(const SincosGridConfig& config, const Frequencies& frequencies, const Cells& cells,
                 std::size_t prefix_rows, Floats out) noexcept {
  const kernels::Rounding rounding = detail::rounding_for(out);
  detail::visit_zeros(0, prefix_rows * config.dim,
                      [&](std::size_t at, const float* values, std::size_t count) {
                        detail::write(out, at, count, values);
                      });
  visit_cells(config, cells, [&](std::size_t index, const Cell& cell) {
    const std::size_t start = (prefix_rows + index) * config.dim;
    visit_row(config, frequencies, cell, rounding,
              [&](std::size_t column, const float* values, std::size_t count) {
                detail::write(out, start + column, count, values);
              });
  });
}

template <class Cells>
void add_cells(const SincosGridConfig& config, const Frequencies& frequencies, const Cells& cells,
               std::size_t prefix_rows, Floats x) noexcept {
  visit_cells(config, cells, [&](std::size_t index, const Cell& cell) {
    const std::size_t start = (prefix_rows + index) * config.dim;
    visit_row(config, frequencies, cell, kernels::Rounding::nearest,
              [&](std::size_t column, const float* values, std::size_t count) {
                detail::add({values, count}, 0, x, start + column, count);
              });
  });
}

}  // namespace

Status check(const SincosGridConfig& config) noexcept {
  POSENC_RETURN_IF_FAILED(detail::check_width(kName, "dim", config.dim));
  if (config.axes != 2 && config.axes != 3) {
    return Status::failure(Code::value_range, "axes", "sincos_grid: axes must be 2 or 3, got %zu",
                           config.axes);
  }
  const bool any_width = config.layout == SincosGridLayout::interleaved;
  if (!any_width && config.dim % (2 * config.axes) != 0) {
    return Status::failure(
        Code::value_range, "dim",
        "sincos_grid: dim must be a multiple of 2 * axes = %zu unless the layout "
        "is interleaved, got %zu",
        2 * config.axes, config.dim);
  }
  POSENC_RETURN_IF_FAILED(detail::check_number(kName, "base", config.base, 1.0, 1e30));
  if (config.prefix_rows > detail::kMaxWidth) {
    return Status::failure(Code::value_range, "prefix_rows",
                           "sincos_grid: prefix_rows must be 0 to %zu, got %zu", detail::kMaxWidth,
                           config.prefix_rows);
  }
  if (config.frequency_denominator == 0.0) return {};
  return detail::check_number(kName, "frequency_denominator", config.frequency_denominator, 1.0,
                              2.0 * static_cast<double>(detail::kMaxWidth));
}

SincosGrid::SincosGrid(const SincosGridConfig& config) : config_(config) {
  check(config).or_throw();
  frequencies_ = frequencies_of(config);
}

Status SincosGrid::table(const Grid& grid, Floats out) const noexcept {
  POSENC_RETURN_IF_FAILED(
      check_call(config_, grid, "out", out.size(), frequencies_.position_limit()));
  write_cells(config_, frequencies_, grid, config_.prefix_rows, out);
  return {};
}

Status SincosGrid::add(const Grid& grid, Floats x) const noexcept {
  POSENC_RETURN_IF_FAILED(check_call(config_, grid, "x", x.size(), frequencies_.position_limit()));
  add_cells(config_, frequencies_, grid, config_.prefix_rows, x);
  return {};
}

Status SincosGrid::table(std::span<const double> coordinates, Floats out) const noexcept {
  POSENC_RETURN_IF_FAILED(
      check_call(config_, coordinates, "out", out.size(), frequencies_.position_limit()));
  write_cells(config_, frequencies_, coordinates, 0, out);
  return {};
}

Status SincosGrid::add(std::span<const double> coordinates, Floats x) const noexcept {
  POSENC_RETURN_IF_FAILED(
      check_call(config_, coordinates, "x", x.size(), frequencies_.position_limit()));
  add_cells(config_, frequencies_, coordinates, 0, x);
  return {};
}

Result<SincosGrid> make(const SincosGridConfig& config) noexcept {
  return make_result<SincosGrid>(config, {kName, "dim", config.dim});
}

}  // namespace posenc
