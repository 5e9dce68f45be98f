#include "posenc/core/relative_products.hpp"

#include <algorithm>
#include <cstdlib>

#include "posenc/core/consecutive.hpp"
#include "posenc/core/distance_rows.hpp"
#include "posenc/core/elements.hpp"
#include "posenc/core/packed_rows.hpp"

namespace posenc::detail {
namespace {

constexpr std::size_t kBlock = kernels::kBlock;
/// Lines of a tile: a multiple of every kernel's.
constexpr std::size_t kLines = 16;
/// Products of a tile whose rows are as many as its distances, wherever its blocks begin.
constexpr std::size_t kProducts = kLines * (kDistanceTile + 2 * kBlock);
/// Floats between lines of a tile: not a power of two, for columns of it are read too.
constexpr std::size_t kStride = kDistanceTile + kBlock;

/// Lines [first_line, first_line + lines), columns likewise.
struct Tile {
  std::size_t first_line, lines, first_column, columns;
};

struct Scratch {
  float x[kMaxHeadDim];
  float products[kProducts];
  float values[kLines * kStride];
  std::int32_t rows[2 * kDistanceTile];
};

/// The lines of a tile with the bias, as floats.
const float* load_lines(const RelativeProducts& call, const Tile& tile, float* floats) noexcept {
  const std::size_t dim = call.head_dim, count = tile.lines * dim;
  const float* x = read(call.x, call.start + tile.first_line * dim, count, floats);
  if (call.bias.empty()) return x;
  if (x != floats) std::copy_n(x, count, floats);
  for (std::size_t line = 0; line < tile.lines; ++line) {
    add(call.bias, call.bias_start, Floats(std::span(floats + line * dim, dim)), 0, dim);
  }
  return floats;
}

/// Products of a tile's lines with the blocks of the table that have rows [first, end): to
/// products, and how many of a line these are.
std::size_t multiply_rows(const RelativeProducts& call, const Tile& tile, std::size_t first,
                          std::size_t end, float* floats, float* products) noexcept {
  const std::size_t blocks = (end + kBlock - 1) / kBlock - first / kBlock;
  kernels::active().scores({.queries = load_lines(call, tile, floats),
                            .rows = tile.lines,
                            .query_stride = call.head_dim,
                            .packed_keys = call.packed + first / kBlock * kBlock * call.head_dim,
                            .blocks = blocks,
                            .head_dim = call.head_dim,
                            .scale = call.scale,
                            .out = products,
                            .out_stride = blocks * kBlock});
  return blocks * kBlock;
}

/// Puts a tile's values [lines, kStride] where they belong.
void put(const RelativeProducts& call, const Tile& tile, float* values) noexcept {
  if (call.transposed) {
    for (std::size_t column = 0; column < tile.columns; ++column) {
      float* out = call.out + (tile.first_column + column) * call.out_stride + tile.first_line;
      for (std::size_t line = 0; line < tile.lines; ++line) {
        out[line] += values[line * kStride + column];
      }
    }
    return;
  }
  if (call.terms != nullptr) {
    for (std::size_t line = 0; line < tile.lines; ++line) {
      kernels::active().add(call.terms + tile.first_column, values + line * kStride, tile.columns);
    }
  }
  float* out = call.out + tile.first_line * call.out_stride + tile.first_column;
  kernels::active().copy_rows({.source = reinterpret_cast<const char*>(values),
                               .source_step = kStride * sizeof(float),
                               .rows = tile.lines,
                               .size = tile.columns * sizeof(float),
                               .out = reinterpret_cast<char*>(out),
                               .out_stride = call.out_stride * sizeof(float)},
                              call.streamed);
}

/// The rows of a tile's distances, which are those of its first column and last line and the ones
/// that follow; false where they are not consecutive, or have more rows than they are.
bool look_up(const RelativeProducts& call, const Tile& tile, std::int32_t* rows) noexcept {
  if (!are_consecutive(call.lines, tile.first_line, tile.lines) ||
      !are_consecutive(call.columns, tile.first_column, tile.columns)) {
    return false;
  }
  const double first =
      call.columns[tile.first_column] - call.lines[tile.first_line + tile.lines - 1];
  for (std::size_t i = 0; i < tile.lines + tile.columns - 1; ++i) {
    rows[i] = call.row_of(call.encoding, first + static_cast<double>(i));
    if (i != 0 && rows[i] >= 0 && rows[i - 1] >= 0 && std::abs(rows[i] - rows[i - 1]) > 1) {
      return false;
    }
  }
  return true;
}

/// The first and last rows, lowest first, of distances [first, end): rows count up or down, and
/// there may be none before and after. False where there is none at all.
bool row_range(const std::int32_t* rows, std::size_t first, std::size_t end, std::int32_t& least,
               std::int32_t& most) noexcept {
  while (first < end && rows[first] < 0) ++first;
  while (first < end && rows[end - 1] < 0) --end;
  if (first == end) return false;
  least = std::min(rows[first], rows[end - 1]);
  most = std::max(rows[first], rows[end - 1]);
  return true;
}

void write_consecutive(const RelativeProducts& call, const DistanceRows& distances, Tile tile,
                       std::size_t step, Scratch& scratch) noexcept {
  const std::size_t end = tile.first_line + tile.lines;
  for (; tile.first_line < end; tile.first_line += step) {
    tile.lines = std::min(step, end - tile.first_line);
    const std::size_t first = end - tile.first_line - tile.lines;
    const std::size_t count = tile.lines + tile.columns - 1;
    std::int32_t least = 0, most = 0;
    std::size_t width = 0;
    if (row_range(distances.rows, first, first + count, least, most)) {
      width = multiply_rows(call, tile, static_cast<std::size_t>(least),
                            static_cast<std::size_t>(most) + 1, scratch.x, scratch.products);
      least -= least % static_cast<std::int32_t>(kBlock);
    }
    for (std::size_t line = 0; line < tile.lines; ++line) {
      spread_rows(distances, first + tile.lines - 1 - line, tile.columns,
                  scratch.products + line * width, least, scratch.values + line * kStride);
    }
    put(call, tile, scratch.values);
  }
}

/// Lines or columns in any order: products with all rows of the table.
void write_scattered(const RelativeProducts& call, Tile tile, std::size_t step,
                     Scratch& scratch) noexcept {
  const std::size_t end = tile.first_line + tile.lines, all = packed_size(call.row_count, 1);
  float* products = all <= kProducts ? scratch.products : call.products;
  step = std::min(step, std::max<std::size_t>(kProducts / std::max(all, kBlock), 1));
  for (; tile.first_line < end; tile.first_line += step) {
    tile.lines = std::min(step, end - tile.first_line);
    multiply_rows(call, tile, 0, call.row_count, scratch.x, products);
    for (std::size_t line = 0; line < tile.lines; ++line) {
      const double position = call.lines[tile.first_line + line];
      for (std::size_t column = 0; column < tile.columns; ++column) {
        const std::int32_t row =
            call.row_of(call.encoding, call.columns[tile.first_column + column] - position);
        scratch.values[line * kStride + column] =
            row < 0 ? -0.0f : products[line * all + static_cast<std::size_t>(row)];
      }
    }
    put(call, tile, scratch.values);
  }
}

}  // namespace

void write_relative_products(const RelativeProducts& call) noexcept {
  Scratch scratch;
  const std::size_t step = std::min(kLines, std::max<std::size_t>(kMaxHeadDim / call.head_dim, 1));
  Tile tile{};
  for (; tile.first_column < call.columns.size(); tile.first_column += kDistanceTile) {
    tile.columns = std::min(kDistanceTile, call.columns.size() - tile.first_column);
    for (tile.first_line = 0; tile.first_line < call.lines.size();
         tile.first_line += kDistanceTile) {
      tile.lines = std::min(kDistanceTile, call.lines.size() - tile.first_line);
      const bool in_order = look_up(call, tile, scratch.rows);
      const DistanceRows distances =
          distance_rows(scratch.rows, in_order ? tile.lines + tile.columns - 1 : 0);
      for (std::size_t head = 0; head < call.heads; ++head) {
        RelativeProducts own = call;
        own.start += head * call.lines.size() * call.head_dim;
        own.out += head * call.lines.size() * call.columns.size();
        if (in_order) {
          write_consecutive(own, distances, tile, step, scratch);
        } else {
          write_scattered(own, tile, step, scratch);
        }
      }
    }
  }
}

}  // namespace posenc::detail
