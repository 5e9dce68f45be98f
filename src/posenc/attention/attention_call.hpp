#pragma once

// Private: one call of attention, checked and with nothing left to default.

#include <cstddef>
#include <cstdint>
#include <span>

#include "posenc/attention/attention.hpp"
#include "posenc/core/status.hpp"
#include "posenc/core/storage.hpp"
#include "posenc/kernels/kernels.hpp"

namespace posenc::detail {

/// Queries whose scores are computed together: a multiple of every tile's rows. Where keys have
/// products with relative rows, `attention` takes more, for which a block of keys needs fewer rows
/// each; gradients, whose sums over queries go by blocks, do not.
inline constexpr std::size_t kQueryBlock = 24, kMaxQueryBlock = 48;

/// The args with nothing left to default.
struct AttentionShape {
  std::size_t heads, kv_heads, queries, keys, head_dim, value_dim;
  /// Blocks of keys, and queries of a block: kQueryBlock or kMaxQueryBlock, or all if fewer.
  std::size_t blocks, query_block;
  std::int64_t query_offset;
  float scale;
  float softcap;

  /// Keys in whole blocks.
  std::size_t padded_keys() const noexcept { return blocks * kernels::kBlock; }
  /// From a row of scores to the next: an odd number of lines of the cache, so that rows do not
  /// all fall in the same few places of it.
  std::size_t score_stride() const noexcept { return (blocks | 1) * kernels::kBlock; }
};

/// Pieces of the caller's workspace; those that the call does not need have no room.
struct AttentionWorkspace {
  float* queries;           // [query_block, head_dim]: rotated, with the content bias
  float* position_queries;  // the same with the position bias
  float* scores;            // [query_block, blocks * kBlock]
  float* packed_keys;       // [blocks, head_dim, kBlock]
  float* mask;              // [blocks * kBlock]: 0, or -infinity for hidden keys
  float* values;            // [keys, value_dim], where v is not read in place
  float* output;            // [query_block, value_dim]
  float* packed_rows;       // relative keys of a head, packed
  float* products;          // [query_block, rows]: queries with relative keys
  float* query_rows;        // [row_count, head_dim]: relative queries of a head
  float* key_products;      // [query_block + kBlock - 1, kBlock]: some of them with a block of keys
  float* value_rows;        // [row_count, value_dim]: relative values of a head
  float* row_weights;       // [query_block, row_count]: probabilities by row
};

struct AttentionCall {
  AttentionShape shape;
  const AttentionArgs& args;
  ConstFloats q, k, v;
  Floats out;
  Floats probabilities{};
  AttentionWorkspace workspace{};
};

/// Cuts a workspace into pieces that begin with a line of the cache, or counts what they take where
/// there is none.
class Pieces {
 public:
  explicit Pieces(float* begin) noexcept;

  /// Room for rows * columns floats, if `wanted`.
  float* take(std::size_t rows, std::size_t columns, bool wanted = true) noexcept;

  /// SIZE_LIMIT when they are more than memory holds.
  Status count(std::size_t& floats) const noexcept;

 private:
  /// Floats of a line.
  static constexpr std::size_t kLine = kernels::kLineBytes / sizeof(float);

  float* begin_;
  std::size_t used_;
  bool fits_ = true;
};

/// Fills in the shape; VALUE_RANGE, SIZE_LIMIT or POSITION_RANGE.
Status resolve(const AttentionArgs& args, AttentionShape& shape) noexcept;

/// The pieces of a call whose v has that storage type.
AttentionWorkspace take_workspace(const AttentionArgs& args, const AttentionShape& shape,
                                  StorageType values, Pieces& pieces) noexcept;

/// Everything that scores are made of: q, k and the terms.
Status check_scored(const AttentionCall& call) noexcept;
/// SHAPE unless the workspace has `needed` floats; OVERLAP unless it is apart from all that is
/// read.
Status check_workspace(const AttentionCall& call, std::size_t needed,
                       std::span<float> workspace) noexcept;
/// OVERLAP unless what is written is apart from all that is read.
Status check_written(const AttentionCall& call, const char* field, ConstFloats written) noexcept;

}  // namespace posenc::detail
