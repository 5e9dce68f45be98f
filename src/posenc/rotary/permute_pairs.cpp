#include "posenc/rotary/permute_pairs.hpp"

#include <limits>

#include "posenc/core/check.hpp"
#include "posenc/core/elements.hpp"

namespace posenc {
namespace {

constexpr char kName[] = "permute_pairs";

std::size_t rotary_dim_of(const PermutePairsArgs& args) noexcept {
  return args.rotary_dim != 0 ? args.rotary_dim : args.head_dim;
}

/// Where layout `layout` keeps element `part` (0 or 1) of pair `pair`.
std::size_t place(RopeLayout layout, std::size_t pair, std::size_t part,
                  std::size_t rotary_dim) noexcept {
  return layout == RopeLayout::half ? pair + part * (rotary_dim / 2) : 2 * pair + part;
}

/// The row of the source that row `row` of the output is.
std::size_t source_row(const PermutePairsArgs& args, std::size_t row) noexcept {
  const std::size_t rotary_dim = rotary_dim_of(args), in_head = row % args.head_dim;
  if (in_head >= rotary_dim) return row;
  const bool half = args.to == RopeLayout::half;
  const std::size_t pair = half ? in_head % (rotary_dim / 2) : in_head / 2;
  const std::size_t part = half ? in_head / (rotary_dim / 2) : in_head % 2;
  return row - in_head + place(args.from, pair, part, rotary_dim);
}

Status check_args(const PermutePairsArgs& args) noexcept {
  POSENC_RETURN_IF_FAILED(detail::check_width(kName, "heads", args.heads));
  POSENC_RETURN_IF_FAILED(detail::check_width(kName, "head_dim", args.head_dim));
  POSENC_RETURN_IF_FAILED(detail::check_count(kName, "columns", args.columns, 1,
                                              std::numeric_limits<std::int32_t>::max()));
  const std::size_t rotary_dim = rotary_dim_of(args);
  if (rotary_dim % 2 == 0 && rotary_dim <= args.head_dim) return {};
  return Status::failure(Code::value_range, "rotary_dim",
                         "permute_pairs: rotary_dim must be even and at most head_dim = %zu, got "
                         "%zu",
                         args.head_dim, rotary_dim);
}

}  // namespace

Status permute_pairs_rows(const PermutePairsArgs& args, std::span<std::int32_t> rows) noexcept {
  POSENC_RETURN_IF_FAILED(check_args(args));
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "rows", rows.size(), "heads * head_dim",
                                              {args.heads, args.head_dim}));
  for (std::size_t row = 0; row < rows.size(); ++row) {
    rows[row] = static_cast<std::int32_t>(source_row(args, row));
  }
  return {};
}

Status permute_pairs(ConstFloats weight, Floats out, const PermutePairsArgs& args) noexcept {
  POSENC_RETURN_IF_FAILED(check_args(args));
  constexpr char kShape[] = "heads * head_dim * columns";
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "weight", weight.size(), kShape,
                                              {args.heads, args.head_dim, args.columns}));
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "out", out.size(), kShape,
                                              {args.heads, args.head_dim, args.columns}));
  POSENC_RETURN_IF_FAILED(detail::check_apart(kName, "out", out, "weight", weight));
  for (std::size_t row = 0; row < args.heads * args.head_dim; ++row) {
    detail::copy(weight, source_row(args, row) * args.columns, out, row * args.columns,
                 args.columns);
  }
  return {};
}

}  // namespace posenc
