#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "posenc/core/result.hpp"
#include "posenc/core/status.hpp"
#include "posenc/core/storage.hpp"

namespace posenc {

/// Parameters of Swin's window bias.
struct SwinConfig {
  /// Cells of a window, row-major; each side 1 to 4096.
  std::size_t window_height = 0;
  std::size_t window_width = 0;
  /// 1 to 2^24.
  std::size_t heads = 0;
  /// The trained table [(2H-1)(2W-1), heads]: a view of the caller's memory, which must outlive the
  /// encoding. May be left empty when only the index is wanted.
  ConstFloats table{};
};

/// Says what is wrong with a config; VALUE_RANGE or SHAPE with the field's name.
Status check(const SwinConfig& config) noexcept;

/// Swin's relative position bias: a trained value per head and 2-D offset within a window. The
/// offset is query cell - key cell (dy, dx), its row of the table (dy + H-1)(2W-1) + (dx + W-1).
/// Source: Liu et al. 2021, arXiv 2103.14030; index as in timm and transformers.
class Swin {
 public:
  /// Throws `posenc::Error` when `check(config)` fails.
  explicit Swin(const SwinConfig& config);

  const SwinConfig& config() const noexcept { return config_; }

  /// Writes the row of the table of each pair of cells to `out` [HW, HW]. Fails with SHAPE.
  Status index(std::span<std::int32_t> out) const noexcept;

  /// Writes the bias to `out` [heads, HW, HW]; the table's values, bit for bit where the storage
  /// types agree. Fails with SHAPE (also when there is no table) or OVERLAP. Allocates nothing.
  Status bias(Floats out) const noexcept;

 private:
  SwinConfig config_;
};

/// `Swin(config)` without exceptions.
Result<Swin> make(const SwinConfig& config) noexcept;

}  // namespace posenc
