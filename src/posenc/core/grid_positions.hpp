#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "posenc/core/status.hpp"

namespace posenc {

/// What the position of cell k of n along an axis is.
enum class GridCoordinates : std::uint8_t {
  /// k + offset, times reference / n where a reference size is given: Qwen2-VL, Pixtral, timm's
  /// language mode (EVA-02 with a reference).
  cells,
  /// The middle of the cell in [-1, 1], (2k + 1 - n) / n: DINOv3.
  centres,
  /// From -1 for the first cell to 1 for the last, -1 for one alone: timm's pixel mode.
  corners,
};

/// Which n the centres of both axes are measured by.
enum class GridExtent : std::uint8_t {
  /// Each by its own, so both reach from edge to edge.
  separate,
  /// Both by the larger or by the smaller.
  max,
  min,
};

/// The cells of an image or video and how their positions are counted.
struct GridPositionsArgs {
  /// 1 to 2^24 each.
  std::size_t height = 0;
  std::size_t width = 0;
  /// The grid comes this many times, as for the frames of a video: all frames have its positions.
  std::size_t frames = 1;
  /// Cells come in blocks of merge x merge, row-major among the blocks and within each, as Qwen2-VL
  /// orders patches; 1 is plain row-major. Must divide height and width.
  std::size_t merge = 1;
  GridCoordinates coordinates = GridCoordinates::cells;
  /// Of `centres` alone.
  GridExtent extent = GridExtent::separate;
  /// Of `cells` alone, within 2^50.
  double offset = 0.0;
  /// Sizes that positions are stretched to, of `cells` and `corners`: 0 for none, else 1 to 2^24.
  double reference_height = 0.0;
  double reference_width = 0.0;
  /// false: rows (y) are the first axis. true: columns (x) are (timm's "xy").
  bool columns_first = false;
};

/// Writes the positions of all cells, axis after axis as `RotaryArgs::positions` takes them:
/// out [2, frames * height * width], the nearest double of each. Goes to `Positions::of`.
/// Does not allocate or throw. Fails with VALUE_RANGE or SHAPE.
Status grid_positions(const GridPositionsArgs& args, std::span<double> out) noexcept;

}  // namespace posenc
