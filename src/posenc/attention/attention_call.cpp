#include "posenc/attention/attention_call.hpp"

#include <algorithm>
#include <cmath>

#include "posenc/core/check.hpp"
#include "posenc/core/packed_rows.hpp"
#include "posenc/core/positions.hpp"

namespace posenc::detail {
namespace {

constexpr char kName[] = "attention";
constexpr std::size_t kBlock = kernels::kBlock;

}  // namespace

Pieces::Pieces(float* begin) noexcept
    : begin_(begin),
      used_(begin == nullptr
                ? kLine - 1
                : (0 - reinterpret_cast<std::uintptr_t>(begin)) / sizeof(float) % kLine) {}

float* Pieces::take(std::size_t rows, std::size_t columns, bool wanted) noexcept {
  if (!wanted) return nullptr;
  std::size_t size = 0, sum = 0;
  if (!multiply(kName, "workspace", {rows, columns}, size).ok() ||
      __builtin_add_overflow(size, kLine - 1, &size) ||
      __builtin_add_overflow(used_, size / kLine * kLine, &sum)) {
    fits_ = false;
    return nullptr;
  }
  float* piece = begin_ != nullptr ? begin_ + used_ : nullptr;
  used_ = sum;
  return piece;
}

Status Pieces::count(std::size_t& floats) const noexcept {
  const bool empty = begin_ == nullptr && used_ == kLine - 1;
  if (fits_) return multiply(kName, "workspace", {empty ? 0 : used_}, floats);
  return multiply(kName, "workspace", {SIZE_MAX, SIZE_MAX}, floats);  // says that it is too large
}

Status resolve(const AttentionArgs& args, AttentionShape& shape) noexcept {
  POSENC_RETURN_IF_FAILED(check_width(kName, "heads", args.heads));
  POSENC_RETURN_IF_FAILED(check_width(kName, "head_dim", args.head_dim));
  shape.kv_heads = args.kv_heads != 0 ? args.kv_heads : args.heads;
  shape.value_dim = args.value_dim != 0 ? args.value_dim : args.head_dim;
  POSENC_RETURN_IF_FAILED(check_width(kName, "value_dim", shape.value_dim));
  if (args.heads % shape.kv_heads != 0) {
    return Status::failure(Code::value_range, "kv_heads",
                           "attention: kv_heads must divide heads = %zu, got %zu", args.heads,
                           shape.kv_heads);
  }
  const double scale = args.scale.value_or(1.0 / std::sqrt(static_cast<double>(args.head_dim)));
  POSENC_RETURN_IF_FAILED(check_number(kName, "scale", scale, -1e30, 1e30));
  if (args.softcap != 0.0) {
    POSENC_RETURN_IF_FAILED(check_number(kName, "softcap", args.softcap, 1e-30, 1e30));
  }
  shape.scale = static_cast<float>(scale);
  shape.softcap = static_cast<float>(args.softcap);
  shape.heads = args.heads;
  shape.queries = args.query_count;
  shape.keys = args.key_count;
  shape.head_dim = args.head_dim;
  shape.blocks = args.key_count / kBlock + (args.key_count % kBlock != 0 ? 1 : 0);
  shape.query_block = std::min(args.query_count, kQueryBlock);
  // In 64 bits: where addresses have 32, 2^50 as a size would be 0.
  constexpr auto kLimit = static_cast<std::uint64_t>(kMaxPosition);
  if (std::uint64_t{shape.queries} > kLimit || std::uint64_t{shape.keys} > kLimit) {
    return Status::failure(Code::size_limit, "key_count",
                           "attention: query_count and key_count must be at most 2^50");
  }
  shape.query_offset = args.query_offset.value_or(static_cast<std::int64_t>(shape.keys) -
                                                  static_cast<std::int64_t>(shape.queries));
  return check_positions(kName, "query_offset", Positions::from(shape.query_offset, shape.queries));
}

AttentionWorkspace take_workspace(const AttentionArgs& args, const AttentionShape& shape,
                                  StorageType values, Pieces& pieces) noexcept {
  const RelativeTerms& relative = args.terms.relative;
  const bool has_mask = !args.key_mask.empty();
  const bool has_keys = !relative.keys.empty(), has_queries = !relative.queries.empty();
  const bool has_values = !relative.values.empty();
  const auto is_short = [](ConstFloats x) { return x.type() != StorageType::float32; };
  const std::size_t block = shape.query_block, dim = shape.head_dim, rows = relative.row_count;
  const std::size_t distances = block + kBlock - 1, whole_rows = (rows + kBlock - 1) / kBlock;
  return {
      .queries = pieces.take(block, dim),
      .position_queries = pieces.take(block, dim, has_keys),
      .scores = pieces.take(block, shape.score_stride()),
      .packed_keys = pieces.take(shape.padded_keys(), dim),
      .mask = pieces.take(1, shape.padded_keys(), has_mask),
      .values =
          pieces.take(shape.keys, shape.value_dim, has_mask || values != StorageType::float32),
      .output = pieces.take(block, shape.value_dim),
      .packed_rows = pieces.take(whole_rows * kBlock, dim, has_keys),
      .products = pieces.take(whole_rows * kBlock, block, has_keys),
      .query_rows = pieces.take(rows, dim, has_queries && is_short(relative.queries)),
      .key_products = pieces.take(distances, kBlock, has_queries),
      .value_rows = pieces.take(rows, shape.value_dim, has_values && is_short(relative.values)),
      .row_weights = pieces.take(rows, block, has_values),
  };
}

}  // namespace posenc::detail
