#pragma once

// Private: products of queries or keys with the rows of a table that distances choose.

#include <cstddef>
#include <cstdint>
#include <span>

#include "posenc/core/positions.hpp"
#include "posenc/core/storage.hpp"

namespace posenc::detail {

/// Distances of a row that are looked up together.
inline constexpr std::size_t kDistanceTile = 512;

/// out[line, column] = scale * ((x[line] + bias) . table row of the distance) + terms[column],
/// where the distance is column's position - line's, for heads that share the table.
struct RelativeProducts {
  std::size_t heads = 1;
  /// Whole numbers.
  const Positions& lines;
  const Positions& columns;
  /// [heads, lines, head_dim] from element `start` on.
  ConstFloats x;
  std::size_t start;
  /// [head_dim], from `bias_start` on; or empty.
  ConstFloats bias{};
  std::size_t bias_start = 0;
  /// `row_count` rows, packed.
  const float* packed;
  std::size_t row_count;
  std::size_t head_dim;
  float scale;
  /// The row of a distance, which does not turn where distances grow; negative for none, before
  /// all others or after them (then terms[column] alone).
  std::int32_t (*row_of)(const void* encoding, double distance) noexcept;
  const void* encoding;
  /// One a column; or null.
  const float* terms = nullptr;
  /// Room for products with all rows of the table, where they are more than `kMaxRelativeRows`.
  float* products = nullptr;
  /// [heads, lines, columns]: line i at out + i * out_stride; or where `transposed` column i, to
  /// which products are added.
  float* out;
  std::size_t out_stride;
  bool transposed = false;
  /// Written around the caches.
  bool streamed = false;
};

/// Products of a tile of lines with the rows that a tile of columns asks for, each a dot product in
/// order, and then each score takes the one that is its own. Allocates nothing.
void write_relative_products(const RelativeProducts& call) noexcept;

}  // namespace posenc::detail
