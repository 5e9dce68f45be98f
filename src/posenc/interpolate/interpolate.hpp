#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "posenc/core/result.hpp"
#include "posenc/core/status.hpp"
#include "posenc/core/storage.hpp"

namespace posenc {

/// What lies between the rows of a table.
enum class InterpolationMode : std::uint8_t {
  /// Linear along each axis, bilinear on a grid.
  linear,
  /// Keys' cubic along each axis, bicubic on a grid: a = -0.75 (PyTorch, OpenCV), with `antialias`
  /// a = -0.5 (PyTorch's antialias, PIL).
  cubic,
};

/// Where the old rows lie.
enum class GridSpacing : std::uint8_t {
  /// Evenly, as `align_corners` and `size_offset` say.
  uniform,
  /// At distances from the middle that grow geometrically, so that the old rows reach as far as the
  /// new ones: BEiT's rule for tables of relative positions. Linear mode, odd sides.
  geometric,
};

/// Parameters of an interpolation. What checkpoints were trained with:
///
///     timm                       cubic, antialias
///     MAE, transformers' ViT     cubic
///     DINOv2                     cubic, size_offset 0.1
///     DINOv2 with registers      cubic, antialias
///     torchtune CLIP, Qwen3-VL   linear, align_corners
///     SigLIP 2 NaFlex            linear, antialias
///     Swin                       cubic, sides 2 * window - 1, dim = heads
///     BEiT                       linear, geometric, sides 2 * window - 1, suffix_rows 3
struct InterpolateConfig {
  /// Rows of the old and the new grid, each side 1 to 2^24. A sequence has width 1.
  std::size_t from_height = 1;
  std::size_t from_width = 1;
  std::size_t to_height = 1;
  std::size_t to_width = 1;
  /// Columns of a row, 1 to 2^24.
  std::size_t dim = 0;
  InterpolationMode mode = InterpolationMode::cubic;
  /// Widens the kernel when the table gets smaller, and leaves out what lies outside of it.
  bool antialias = false;
  /// Puts the first and last rows of both tables on each other, instead of the outer edges of
  /// their cells. Not with antialias.
  bool align_corners = false;
  /// DINOv2's `interpolate_offset`: the step is from / (to + size_offset), which moves every sample
  /// point; the target size stays exactly as given. 0 to 0.9; not with align_corners.
  double size_offset = 0.0;
  GridSpacing spacing = GridSpacing::uniform;
  /// Rows before and after the grid's that are copied: class and register tokens, and the three
  /// class distances at the end of BEiT's table. At most 2^24 each.
  std::size_t prefix_rows = 0;
  std::size_t suffix_rows = 0;
};

/// Says what is wrong with a config; VALUE_RANGE with the field's name.
Status check(const InterpolateConfig& config) noexcept;

namespace detail {

/// How the old rows of one axis become the new ones: new row r is the sum, in order, of weight[i]
/// times old row index[i], i from first[r] to first[r + 1].
struct AxisWeights {
  std::vector<std::size_t> first;
  std::vector<std::size_t> index;
  std::vector<double> weight;
};

}  // namespace detail

/// Brings a trained table of positions to another length or grid.
///
/// The weights are computed in double once; `apply` sums in double, along y and then along x, and
/// rounds once. Sources: PyTorch's aten UpSample kernels, timm layers/pos_embed.py and
/// pos_embed_rel.py, DINOv2's interpolate_pos_encoding, BEiT's geometric sequence.
class Interpolate {
 public:
  /// Throws `posenc::Error` when `check(config)` fails, std::bad_alloc when memory runs out.
  explicit Interpolate(const InterpolateConfig& config);

  const InterpolateConfig& config() const noexcept { return config_; }
  /// Whether the old and the new grid are the same, height and width: `apply` copies then.
  bool is_identity() const noexcept;
  /// Doubles of workspace that `apply` needs: one row of the old grid, 256 columns of it.
  std::size_t workspace_size() const noexcept;

  /// Writes the new table [prefix_rows + to_height * to_width + suffix_rows, dim] to `out`, from
  /// `table` [prefix_rows + from_height * from_width + suffix_rows, dim]. workspace: at least
  /// `workspace_size()` doubles, contents not kept.
  /// The bits of prefix and suffix rows are copied, and all bits when the grids are the same
  /// (rounded once where the storage types differ). Error: half an ulp of the storage type plus
  /// 2^-46 times the largest magnitude among the old rows that are read.
  /// Fails with SHAPE or OVERLAP; writes nothing then. Allocates nothing.
  Status apply(ConstFloats table, std::span<double> workspace, Floats out) const noexcept;

 private:
  void resample(ConstFloats table, std::span<double> workspace, Floats out) const noexcept;

  InterpolateConfig config_;
  detail::AxisWeights rows_;
  detail::AxisWeights columns_;
};

/// `Interpolate(config)` without exceptions.
Result<Interpolate> make(const InterpolateConfig& config) noexcept;

}  // namespace posenc
