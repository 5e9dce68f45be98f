#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "posenc/core/status.hpp"
#include "posenc/core/storage.hpp"
#include "posenc/rotary/rope.hpp"

namespace posenc {

/// The weight of a query or key projection whose rotated rows change their pairing.
struct PermutePairsArgs {
  /// Heads of this weight, 1 to 2^24.
  std::size_t heads = 1;
  /// Rows of a head: even, 2 to 2^24.
  std::size_t head_dim = 0;
  /// Leading rows of a head that rotate: even; 0 stands for head_dim. The others stay.
  std::size_t rotary_dim = 0;
  /// Columns of the weight: 1 for a bias.
  std::size_t columns = 1;
  /// The layout that the model had and the one that it will be run with.
  RopeLayout from = RopeLayout::interleaved;
  RopeLayout to = RopeLayout::half;
};

/// Writes the source row of each row to `rows` [heads * head_dim].
/// Fails with VALUE_RANGE or SHAPE.
Status permute_pairs_rows(const PermutePairsArgs& args, std::span<std::int32_t> rows) noexcept;

/// Reorders the rows of a weight [heads * head_dim, columns] (or of activations, columns being the
/// tokens) so that a rope of layout `to` does what one of layout `from` did: applied to the weights
/// of q and of k alike, scores do not change. What the conversion of Llama to transformers does.
/// Elements are copied bit for bit. Fails with VALUE_RANGE, SHAPE or OVERLAP.
Status permute_pairs(ConstFloats weight, Floats out, const PermutePairsArgs& args) noexcept;

}  // namespace posenc
