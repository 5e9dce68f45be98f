#include "posenc/core/grid_positions.hpp"

#include <algorithm>

#include "posenc/core/check.hpp"

namespace posenc {
namespace {

constexpr char kName[] = "grid_positions";

/// One axis: how many cells it has, by how many it is measured, and the size it is stretched to.
struct Axis {
  double cells, extent, reference;
};

Axis axis_of(const GridPositionsArgs& args, bool rows) noexcept {
  const auto height = static_cast<double>(args.height), width = static_cast<double>(args.width);
  const double cells = rows ? height : width;
  double extent = cells;
  if (args.extent == GridExtent::max) extent = std::max(height, width);
  if (args.extent == GridExtent::min) extent = std::min(height, width);
  return {cells, extent, rows ? args.reference_height : args.reference_width};
}

double position_of(const GridPositionsArgs& args, const Axis& axis, std::size_t cell) noexcept {
  const auto k = static_cast<double>(cell);
  const double stretch = axis.reference != 0.0 ? axis.reference : 1.0;
  const double divisor = axis.reference != 0.0 ? axis.cells : 1.0;
  switch (args.coordinates) {
    case GridCoordinates::centres:
      return (2.0 * k + 1.0 - axis.extent) / axis.extent;
    case GridCoordinates::corners: {
      const double last = axis.cells - 1.0;
      if (last == 0.0) return -stretch / divisor;
      return (2.0 * k - last) * stretch / (last * divisor);
    }
    case GridCoordinates::cells:
      break;
  }
  return (k + args.offset) * stretch / divisor;
}

Status check_reference(const char* field, double value) noexcept {
  if (value == 0.0) return {};
  return detail::check_number(kName, field, value, 1.0, static_cast<double>(detail::kMaxWidth));
}

Status check_args(const GridPositionsArgs& args) noexcept {
  POSENC_RETURN_IF_FAILED(detail::check_width(kName, "height", args.height));
  POSENC_RETURN_IF_FAILED(detail::check_width(kName, "width", args.width));
  POSENC_RETURN_IF_FAILED(detail::check_width(kName, "frames", args.frames));
  POSENC_RETURN_IF_FAILED(detail::check_width(kName, "merge", args.merge));
  const auto limit = static_cast<double>(kMaxPosition);
  POSENC_RETURN_IF_FAILED(detail::check_number(kName, "offset", args.offset, -limit, limit));
  POSENC_RETURN_IF_FAILED(check_reference("reference_height", args.reference_height));
  POSENC_RETURN_IF_FAILED(check_reference("reference_width", args.reference_width));
  if (args.height % args.merge == 0 && args.width % args.merge == 0) return {};
  return Status::failure(Code::value_range, "merge",
                         "grid_positions: merge must divide height = %zu and width = %zu, got %zu",
                         args.height, args.width, args.merge);
}

}  // namespace

Status grid_positions(const GridPositionsArgs& args, std::span<double> out) noexcept {
  POSENC_RETURN_IF_FAILED(check_args(args));
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "out", out.size(),
                                              "2 * frames * height * width",
                                              {2, args.frames, args.height, args.width}));
  const Axis rows = axis_of(args, true), columns = axis_of(args, false);
  const std::size_t cells = args.height * args.width, axis = args.frames * cells;
  const std::size_t block = args.merge * args.merge, blocks = args.width / args.merge;
  for (std::size_t at = 0; at < axis; ++at) {
    const std::size_t cell = at % cells, tile = cell / block, in_tile = cell % block;
    const std::size_t row = tile / blocks * args.merge + in_tile / args.merge;
    const std::size_t column = tile % blocks * args.merge + in_tile % args.merge;
    out[at + (args.columns_first ? axis : 0)] = position_of(args, rows, row);
    out[at + (args.columns_first ? 0 : axis)] = position_of(args, columns, column);
  }
  return {};
}

}  // namespace posenc
