#include "posenc/rotary/rotary_tensor.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "posenc/core/check.hpp"
#include "posenc/core/elements.hpp"
#include "posenc/kernels/kernels.hpp"

namespace posenc {
namespace {

constexpr char kName[] = "rope";
/// Floats that elements of another storage type are widened to at a time.
constexpr std::size_t kBlockFloats = 4096;

struct Axis {
  const char* field;
  std::size_t count;
  std::size_t stride;
};

/// The distance from the first element to past the last, if no two rows share elements.
Status measure(std::array<Axis, 3> axes, std::size_t head_dim, std::size_t& extent) noexcept {
  // By stride, in three steps: std::sort takes longer, and 7 KB of WebAssembly.
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}, std::size_t{0}}) {
    if (axes[i + 1].stride < axes[i].stride) std::swap(axes[i], axes[i + 1]);
  }
  extent = head_dim;
  for (const Axis& axis : axes) {
    if (axis.count < 2) continue;
    if (axis.stride < extent) {
      return Status::failure(Code::value_range, axis.field,
                             "rope: %s must be at least %zu so that rows do not overlap, got %zu",
                             axis.field, extent, axis.stride);
    }
    std::size_t steps = 0;
    POSENC_RETURN_IF_FAILED(
        detail::multiply(kName, axis.field, {axis.count - 1, axis.stride}, steps));
    extent += steps;
  }
  return {};
}

Status check_fits(const RotaryTensor& tensor, const char* field, std::size_t size) noexcept {
  if (tensor.contiguous) {
    return detail::check_shape(kName, field, size, "batch * heads * length * head_dim",
                               {tensor.batch, tensor.heads, tensor.length, tensor.head_dim});
  }
  if (size >= tensor.extent) return {};
  return Status::failure(Code::shape, field,
                         "rope: %s must have at least %zu elements for these strides, got %zu",
                         field, tensor.extent, size);
}

}  // namespace

Status RotaryTensor::make(const RopeConfig& config, const RotaryArgs& args, std::size_t table_rows,
                          RotaryTensor& tensor) noexcept {
  tensor.layout = config.layout;
  tensor.head_dim = config.head_dim;
  tensor.rotary_start = config.rotary_start;
  tensor.rotary_dim = config.rotary_dim;
  tensor.batch = args.batch;
  tensor.heads = args.heads;
  tensor.length = args.length != 0 ? args.length : table_rows;
  std::size_t size = 0;
  POSENC_RETURN_IF_FAILED(detail::multiply(
      kName, "x", {tensor.batch, tensor.heads, tensor.length, tensor.head_dim}, size));

  const bool heads_first = args.order == RotaryOrder::heads_first;
  const auto given = [](std::size_t stride, std::size_t otherwise) {
    return stride != 0 ? stride : otherwise;
  };
  const std::size_t dim = tensor.head_dim;
  tensor.batch_stride = given(args.batch_stride, tensor.heads * tensor.length * dim);
  tensor.head_stride = given(args.head_stride, heads_first ? tensor.length * dim : dim);
  tensor.length_stride = given(args.length_stride, heads_first ? dim : tensor.heads * dim);
  tensor.contiguous = (args.batch_stride | args.head_stride | args.length_stride) == 0;
  if (size == 0) return {};
  return measure({Axis{"batch_stride", tensor.batch, tensor.batch_stride},
                  Axis{"head_stride", tensor.heads, tensor.head_stride},
                  Axis{"length_stride", tensor.length, tensor.length_stride}},
                 dim, tensor.extent);
}

void RotaryTensor::rotate(ConstFloats x, Floats out, std::size_t index,
                          const RotaryTile& tile) const noexcept {
  if (x.type() == StorageType::float32 && out.type() == StorageType::float32) {
    rotate_floats(static_cast<const float*>(x.data()), static_cast<float*>(out.data()), index,
                  tile);
    return;
  }
  const bool whole = rotary_dim == head_dim && tile.pairs == rotary_dim / 2;
  const bool joined = whole && length_stride == head_dim && head_dim <= kBlockFloats;
  const std::size_t rows = joined ? kBlockFloats / head_dim : 1;
  for (std::size_t head = 0; head < tile.heads; ++head) {
    for (std::size_t row = 0; row < tile.rows; row += rows) {
      const std::size_t start = index * batch_stride + (tile.first_head + head) * head_stride +
                                (tile.first + row) * length_stride;
      if (joined) {
        rotate_block(x, out, start, tile, row, std::min(rows, tile.rows - row));
      } else {
        rotate_row(x, out, start + rotary_start, tile, row);
      }
    }
  }
}

void RotaryTensor::rotate_floats(const float* x, float* out, std::size_t index,
                                 const RotaryTile& tile) const noexcept {
  const bool half = layout == RopeLayout::half;
  const auto kernel = half ? kernels::active().rotate_half : kernels::active().rotate_interleaved;
  const std::size_t column = half ? tile.first_pair : 2 * tile.first_pair;
  const std::size_t start = index * batch_stride + tile.first_head * head_stride +
                            tile.first * length_stride + rotary_start + column;
  kernel({.x = x + start,
          .y = out + start,
          .cos = tile.cos,
          .sin = tile.sin,
          .heads = tile.heads,
          .rows = tile.rows,
          .pairs = tile.pairs,
          .pair_distance = half ? rotary_dim / 2 : 1,
          .head_stride = head_stride,
          .stride = length_stride,
          .table_stride = tile.table_stride});
}

/// Rows of another storage type that lie one after the other and rotate whole, through floats.
void RotaryTensor::rotate_block(ConstFloats x, Floats out, std::size_t start,
                                const RotaryTile& tile, std::size_t row,
                                std::size_t rows) const noexcept {
  const bool half = layout == RopeLayout::half;
  alignas(kernels::kLineBytes) float values[kBlockFloats];
  detail::load(x, start, rows * head_dim, values);
  const kernels::Kernels& kernels = kernels::active();
  (half ? kernels.rotate_half
        : kernels.rotate_interleaved)({.x = values,
                                       .y = values,
                                       .cos = tile.cos + row * tile.table_stride,
                                       .sin = tile.sin + row * tile.table_stride,
                                       .heads = 1,
                                       .rows = rows,
                                       .pairs = tile.pairs,
                                       .pair_distance = half ? tile.pairs : 1,
                                       .head_stride = 0,
                                       .stride = head_dim,
                                       .table_stride = tile.table_stride});
  detail::write(out, start, rows * head_dim, values);
}

/// One row of another storage type, through floats: the first and the second elements of some pairs
/// side by side, or interleaved as they lie.
void RotaryTensor::rotate_row(ConstFloats x, Floats out, std::size_t start, const RotaryTile& tile,
                              std::size_t row) const noexcept {
  const bool half = layout == RopeLayout::half;
  constexpr std::size_t kPairs = detail::kTile / 2;
  float values[detail::kTile];
  for (std::size_t done = 0; done < tile.pairs; done += kPairs) {
    const std::size_t pairs = std::min(kPairs, tile.pairs - done);
    const std::size_t pair = tile.first_pair + done;
    const std::size_t first = start + (half ? pair : 2 * pair);
    const std::size_t second = half ? first + rotary_dim / 2 : first + pairs;
    const std::size_t at = row * tile.table_stride + done;
    detail::copy(x, first, Floats(values, pairs), 0, pairs);
    detail::copy(x, second, Floats(values, 2 * pairs), pairs, pairs);
    (half ? kernels::active().rotate_half
          : kernels::active().rotate_interleaved)({.x = values,
                                                   .y = values,
                                                   .cos = tile.cos + at,
                                                   .sin = tile.sin + at,
                                                   .heads = 1,
                                                   .rows = 1,
                                                   .pairs = pairs,
                                                   .pair_distance = half ? pairs : 1,
                                                   .head_stride = 0,
                                                   .stride = 0,
                                                   .table_stride = 0});
    detail::write(out, first, pairs, values);
    detail::write(out, second, pairs, values + pairs);
  }
}

void RotaryTensor::copy_tails(ConstFloats x, Floats out, std::size_t index) const noexcept {
  if (x.data() == out.data() || rotary_dim == head_dim) return;
  const std::size_t end = rotary_start + rotary_dim;
  for (std::size_t head = 0; head < heads; ++head) {
    for (std::size_t row = 0; row < length; ++row) {
      const std::size_t at = index * batch_stride + head * head_stride + row * length_stride;
      detail::copy(x, at, out, at, rotary_start);
      detail::copy(x, at + end, out, at + end, head_dim - end);
    }
  }
}

Status check_rotation(const RotaryTensor& tensor, ConstFloats x, ConstFloats out) noexcept {
  POSENC_RETURN_IF_FAILED(check_fits(tensor, "x", x.size()));
  POSENC_RETURN_IF_FAILED(check_fits(tensor, "out", out.size()));
  if (x.data() == out.data() && x.type() == out.type()) return {};
  return detail::check_apart(kName, "out", out, "x, unless they are the same memory", x);
}

}  // namespace posenc
