#pragma once

#include <cstddef>
#include <span>

#include "posenc/attention/attention.hpp"
#include "posenc/core/status.hpp"
#include "posenc/core/storage.hpp"

namespace posenc {

/// Where the gradients of one call of attention go. Each has the shape of what it is the gradient
/// of; those that are left empty are not wanted.
struct AttentionGradients {
  Floats q{};
  Floats k{};
  Floats v{};
  /// By distance: what the gradients of alibi's slopes and t5's table are made of, with one query
  /// at 0 and keys at the distances.
  std::span<float> distances{};
  /// [heads, query_count, key_count]: the gradient of every score. The one that grows with the
  /// square.
  std::span<float> bias{};
  std::span<float> key_bias{};
  std::span<float> relative_keys{};
  std::span<float> relative_queries{};
  std::span<float> relative_values{};
  std::span<float> position_bias{};
  std::span<float> content_bias{};
};

/// Floats of workspace that `attention_backward` needs; grows with key_count, and not with its
/// square. `keys` and `values` are the storage types of k and v. 0 when the args are wrong.
std::size_t attention_backward_workspace_size(const AttentionArgs& args,
                                              StorageType keys = StorageType::float32,
                                              StorageType values = StorageType::float32) noexcept;

/// The gradient of `attention`: from that of its output, `out_gradient` [heads, query_count,
/// value_dim], to those of what it read, which are written, not added. Probabilities are computed
/// anew, block by block. q, k, v and args are those of the call; workspace: at least
/// `attention_backward_workspace_size(args, k.type(), v.type())` floats, contents not kept.
///
/// Computed in float32, in the numerics of the call, in the order of the heads, then of the
/// queries, then of the keys: the gradient of q does not depend on how queries and heads are split
/// over calls, that of k and v not on how key-value heads are. What a query does not see has no
/// gradient, nor has a query that sees no key.
///
/// Error, with u = 2^-24, e the relative error of probabilities (`attention`) and m the largest sum
/// |out_gradient_c v_c| of the query over the keys, beside what relative values add to it, while
/// nothing overflows or falls below 2^-126:
///   bias  p (4 e + 2 (value_dim + keys / 16 + 8) u) m: the probability and two sums
///   the others are sums of these with q, k or rows, or of probabilities with out_gradient: beside
///   the error of what is summed, (terms + 4) u of the sum of the magnitudes; 8 u more under a soft
///   cap; 2 u more for rotated q and k
///
/// Fails with VALUE_RANGE, SHAPE, SIZE_LIMIT, POSITION_RANGE or OVERLAP (what is written with
/// anything). Allocates nothing.
Status attention_backward(ConstFloats q, ConstFloats k, ConstFloats v, ConstFloats out_gradient,
                          const AttentionArgs& args, std::span<float> workspace,
                          const AttentionGradients& gradients) noexcept;

}  // namespace posenc
