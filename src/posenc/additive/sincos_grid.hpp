#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "posenc/core/frequencies.hpp"
#include "posenc/core/grid.hpp"
#include "posenc/core/result.hpp"
#include "posenc/core/status.hpp"
#include "posenc/core/storage.hpp"

namespace posenc {

/// How the columns of a row are shared by the axes a, b(, c) of a grid and by sine and cosine.
enum class SincosGridLayout : std::uint8_t {
  /// [sin a | cos a | sin b | cos b]: MAE, simple ViT, MoCo v3, PixArt, timm's interleave_sin_cos.
  axis_blocks,
  /// [sin a | sin b | cos a | cos b]: timm's default.
  function_blocks,
  /// [sin a0, cos a0, sin a1, ... | sin b0, cos b0, ...], each axis with
  /// 2 * ceil(dim / (2 * axes)) columns, the last cut at dim: multidim-positional-encoding.
  interleaved,
};

/// Which axis has the first columns.
enum class AxisOrder : std::uint8_t {
  /// (z,) y, x: timm, multidim-positional-encoding.
  yx,
  /// x, y(, z): MAE, simple ViT, MoCo v3, PixArt, and timm's reverse_coord.
  xy,
};

/// Parameters of the sinusoidal encoding of grid cells. Published forms:
///
///     MAE                layout axis_blocks, axis_order xy, prefix_rows 1 for its class token
///     timm               layout function_blocks (axis_blocks when interleave_sin_cos); with
///                        reverse_coord axis_order xy and a column-major grid
///     simple ViT         axis_blocks, xy, frequency_denominator 2 * (dim / 4 - 1)
///     MoCo v3            axis_blocks, xy, a column-major grid
///     PixArt             axis_blocks, xy, a grid with step_x and step_y
///     multidim (tatp22)  interleaved, yx, any dim
struct SincosGridConfig {
  /// Columns of a row, 1 to 2^24; a multiple of 2 * axes unless interleaved.
  std::size_t dim = 0;
  /// 2 (y, x) or 3 (z, y, x).
  std::size_t axes = 2;
  /// Frequencies of every axis are base^(-2i / frequency_denominator); 1 to 1e30. Vision code calls
  /// it temperature.
  double base = 10000.0;
  SincosGridLayout layout = SincosGridLayout::axis_blocks;
  AxisOrder axis_order = AxisOrder::yx;
  /// 0 stands for the columns of an axis (exponent i / (dim / 4) with two axes).
  double frequency_denominator = 0.0;
  /// Rows of zeros before the cells' rows, for class and register tokens.
  std::size_t prefix_rows = 0;
};

/// Says what is wrong with a config; VALUE_RANGE with the field's name.
Status check(const SincosGridConfig& config) noexcept;

/// Sinusoidal encoding of the cells of an image or a volume: each axis has a share of the columns.
/// Sources: MAE util/pos_embed.py, timm layers/pos_embed_sincos.py, big_vision posemb_sincos_2d,
/// tatp22/multidim-positional-encoding.
class SincosGrid {
 public:
  /// Throws `posenc::Error` when `check(config)` fails, std::bad_alloc when memory runs out.
  explicit SincosGrid(const SincosGridConfig& config);

  const SincosGridConfig& config() const noexcept { return config_; }

  /// Writes the prefix rows and the rows of the cells of `grid` to `out`
  /// [prefix_rows + cells, dim].
  /// Error: within 1 ulp of float32 of the exact value at the cell's coordinates (first + i * step
  /// in double) while these are at most 2^24. 16-bit types get the nearest of theirs.
  /// Fails with VALUE_RANGE (depth of a 2-axis encoding), SHAPE, SIZE_LIMIT or POSITION_RANGE;
  /// writes nothing then. Allocates nothing.
  Status table(const Grid& grid, Floats out) const noexcept;

  /// Adds them to `x` [prefix_rows + cells, dim] in place, one float32 addition each; the prefix
  /// rows stay as they are.
  Status add(const Grid& grid, Floats x) const noexcept;

  /// The rows of explicit coordinates [cells, axes], each cell's as (y, x) or (z, y, x), to `out`
  /// [cells, dim], without prefix rows: for shards, crops and coordinates that no grid has.
  Status table(std::span<const double> coordinates, Floats out) const noexcept;
  Status add(std::span<const double> coordinates, Floats x) const noexcept;

 private:
  SincosGridConfig config_;
  Frequencies frequencies_;
};

/// `SincosGrid(config)` without exceptions.
Result<SincosGrid> make(const SincosGridConfig& config) noexcept;

}  // namespace posenc
