#pragma once

#include <cstddef>
#include <cstdint>

namespace posenc {

/// In which order the cells of a grid follow each other in memory.
enum class CellOrder : std::uint8_t {
  /// x fastest, then y, then z: as pixels and patches usually lie.
  row_major,
  /// y fastest, then x (and z before y in three dimensions): MoCo v3, timm's reverse_coord.
  column_major,
};

/// A regular grid of cells and their coordinates: the cell in column `c` has
/// x = first_x + c * step_x, rows and slices likewise.
struct Grid {
  std::size_t height = 1;
  std::size_t width = 1;
  /// Slices; 1 for encodings of two axes.
  std::size_t depth = 1;
  double step_y = 1.0;
  double step_x = 1.0;
  double step_z = 1.0;
  double first_y = 0.0;
  double first_x = 0.0;
  double first_z = 0.0;
  CellOrder order = CellOrder::row_major;
};

}  // namespace posenc
