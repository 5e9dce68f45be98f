#pragma once

// Private: rows packed for the dot products of one query with all of them.

#include <cstddef>

#include "posenc/core/elements.hpp"
#include "posenc/core/storage.hpp"
#include "posenc/kernels/kernels.hpp"

namespace posenc::detail {

/// Relative encodings keep a query and its products with a table on the stack.
inline constexpr std::size_t kMaxHeadDim = 4096;
inline constexpr std::size_t kMaxRelativeRows = 4096;

/// Floats that `rows` packed rows of `width` take: whole blocks.
constexpr std::size_t packed_size(std::size_t rows, std::size_t width) noexcept {
  return (rows + kernels::kBlock - 1) / kernels::kBlock * kernels::kBlock * width;
}

/// Packs `rows` rows of `width` elements, row r from element start + r * stride on, to
/// [block][width][kBlock]; the last block is filled up with zeros. `row` has room for one row.
inline void pack_rows(ConstFloats source, std::size_t start, std::size_t stride, std::size_t rows,
                      std::size_t width, float* row, float* packed) noexcept {
  constexpr std::size_t kBlock = kernels::kBlock;
  for (std::size_t slot = 0; slot * width < packed_size(rows, width); ++slot) {
    float* lane = packed + slot / kBlock * kBlock * width + slot % kBlock;
    const float* elements = slot < rows ? read(source, start + slot * stride, width, row) : nullptr;
    for (std::size_t i = 0; i < width; ++i) {
      lane[i * kBlock] = elements != nullptr ? elements[i] : 0.0f;
    }
  }
}

/// out[r] = scale * (query . row r), r < rows rounded up to whole blocks.
inline void dot_rows(const float* query, const float* packed, std::size_t rows, std::size_t width,
                     float scale, float* out) noexcept {
  kernels::active().scores({.queries = query,
                            .rows = 1,
                            .query_stride = width,
                            .packed_keys = packed,
                            .blocks = packed_size(rows, 1) / kernels::kBlock,
                            .head_dim = width,
                            .scale = scale,
                            .out = out,
                            .out_stride = 0});
}

}  // namespace posenc::detail
