#pragma once

// Private: what the encodings of two-dimensional windows share.

#include <cstddef>

#include "posenc/core/status.hpp"

namespace posenc::detail {

/// Sides of windows go up to this, so that offsets and indices fit 32 bits.
inline constexpr std::size_t kMaxWindow = 4096;

Status check_window(const char* encoding, const char* field, std::size_t side) noexcept;

/// A window of H x W cells, row-major, and its table of (2H-1)(2W-1) offsets.
struct Window {
  std::size_t height, width;

  std::size_t cells() const noexcept { return height * width; }
  std::size_t offsets() const noexcept { return (2 * height - 1) * (2 * width - 1); }

  /// The table's row of the offset query cell - key cell.
  std::size_t row(std::size_t query, std::size_t key) const noexcept {
    const std::size_t dy = query / width + height - 1 - key / width;
    const std::size_t dx = query % width + width - 1 - key % width;
    return dy * (2 * width - 1) + dx;
  }
};

}  // namespace posenc::detail
