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

/// The args with nothing left to default.
struct AttentionShape {
  std::size_t heads, kv_heads, queries, keys, head_dim, value_dim, blocks;
  std::int64_t query_offset;
  float scale;
};

struct AttentionCall {
  AttentionShape shape;
  const AttentionArgs& args;
  ConstFloats q, k, v;
  Floats out;
  Floats probabilities{};
  float* query = nullptr;
  float* output = nullptr;
  float* row = nullptr;
  float* packed_keys = nullptr;
};

/// Fills in the shape; VALUE_RANGE, SIZE_LIMIT or POSITION_RANGE.
Status resolve(const AttentionArgs& args, AttentionShape& shape) noexcept;

/// Floats of workspace for values of a storage type: a query, a row of output, a row of scores,
/// packed keys, and the values of a key-value head when they are not floats where they lie.
Status workspace_size(const AttentionShape& shape, StorageType values, std::size_t& size) noexcept;

/// Everything that scores are made of: q, k and the terms.
Status check_scored(const AttentionCall& call) noexcept;
/// The same and v, the outputs and the workspace.
Status check_attention(const AttentionCall& call, std::span<float> workspace) noexcept;
/// The same for scores: q, k, the terms, `out` and the workspace.
Status check_scores(const AttentionCall& call, std::span<float> workspace) noexcept;

}  // namespace posenc::detail
