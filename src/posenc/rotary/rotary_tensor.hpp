#pragma once

// Private: the strided tensor that rotary verbs walk over.

#include <cstddef>

#include "posenc/core/status.hpp"
#include "posenc/core/storage.hpp"
#include "posenc/rotary/rope.hpp"

namespace posenc {

/// Some rows, heads and pairs of one sequence, and the tables for them: pair i of row r turns by
/// cos[r * table_stride + i], for every head of the tile alike.
struct RotaryTile {
  std::size_t first;
  std::size_t rows;
  std::size_t first_head;
  std::size_t heads;
  std::size_t first_pair;
  std::size_t pairs;
  const float* cos;
  const float* sin;
  std::size_t table_stride;
};

/// The shape and strides of `RotaryArgs`, with nothing left to default.
struct RotaryTensor {
  RopeLayout layout = RopeLayout::half;
  std::size_t head_dim = 0;
  std::size_t rotary_start = 0;
  std::size_t rotary_dim = 0;
  std::size_t batch = 0;
  std::size_t heads = 0;
  std::size_t length = 0;
  std::size_t batch_stride = 0;
  std::size_t head_stride = 0;
  std::size_t length_stride = 0;
  /// Elements from the first to the last, 0 when there are none, and whether there are gaps between
  /// them.
  std::size_t extent = 0;
  bool contiguous = true;

  /// Fills in the defaults; `table_rows` stands for a length that is not given. Fails with SHAPE,
  /// SIZE_LIMIT or VALUE_RANGE (strides that let rows overlap).
  static Status make(const RopeConfig& config, const RotaryArgs& args, std::size_t table_rows,
                     RotaryTensor& tensor) noexcept;

  /// Rotates a tile of sequence `index`.
  void rotate(ConstFloats x, Floats out, std::size_t index, const RotaryTile& tile) const noexcept;

  /// Copies the dims that do not rotate from x to out, of sequence `index`; nothing in place.
  void copy_tails(ConstFloats x, Floats out, std::size_t index) const noexcept;

 private:
  void rotate_floats(const float* x, float* out, std::size_t index,
                     const RotaryTile& tile) const noexcept;
  void rotate_block(ConstFloats x, Floats out, std::size_t start, const RotaryTile& tile,
                    std::size_t row, std::size_t rows) const noexcept;
  void rotate_row(ConstFloats x, Floats out, std::size_t start, const RotaryTile& tile,
                  std::size_t row) const noexcept;
};

/// SHAPE unless both buffers hold the tensor, OVERLAP unless they are the same memory or apart.
Status check_rotation(const RotaryTensor& tensor, ConstFloats x, ConstFloats out) noexcept;

}  // namespace posenc
