#pragma once

// Private: one call of attention's gradient.

#include "posenc/attention/attention_backward.hpp"
#include "posenc/attention/attention_call.hpp"
#include "posenc/attention/attention_rows.hpp"

namespace posenc::detail {

/// Pieces of the workspace beside those of attention.
struct BackwardWorkspace {
  float* out_gradients;       // [query_block, value_dim]
  float* gradients;           // [query_block, blocks * kBlock]: of probabilities, scores, products
  float* query_gradients;     // [query_block, head_dim]: through q . k
  float* position_gradients;  // the same through relative keys
  float* packed_values;       // [blocks, value_dim, kBlock]
  float* key_rows;            // [keys, head_dim], where k is not read in place
  float* key_sums;            // [keys, head_dim]: the gradient of a key-value head
  float* value_sums;          // [keys, value_dim]
  float* tile;                // [head_dim + value_dim]
  float* key_table;           // [row_count, head_dim]: relative keys of a head
  float* packed_value_rows;   // relative values of a head, packed
  float* value_products;      // [query_block, rows]: output gradients with relative values
  float* row_sums;            // [query_block, row_count]
};

struct BackwardCall {
  AttentionCall forward;
  ConstFloats out_gradient;
  const AttentionGradients& wanted;
  BackwardWorkspace workspace{};
  /// Those of the key-value head in turn, as floats.
  const float* keys = nullptr;
  const float* values = nullptr;
};

/// Where a head's rows begin in a gradient: that of the table is shared or has rows for each head.
inline float* rows_of_head(std::span<float> gradient, std::size_t size, std::size_t head) noexcept {
  return gradient.data() + (gradient.size() == size ? 0 : head * size);
}

/// Adds what a block of queries gives to all gradients; writes that of its queries.
void backward_block(const BackwardCall& call, const QueryBlock& block) noexcept;

/// Rotates a row in place by minus the angles of row `at`: the transpose.
void unrotate_row(const BackwardCall& call, std::span<const float> cos, std::span<const float> sin,
                  std::size_t at, float* row) noexcept;

/// Packs or widens the relative tables of a head that gradients read beside scores.
void prepare_backward_relative(const BackwardCall& call, std::size_t head) noexcept;
/// Adds the products of output gradients with relative values to the gradients of probabilities.
void add_value_products(const BackwardCall& call, const QueryBlock& block) noexcept;
/// The gradient of relative values, from the probabilities.
void add_value_rows(const BackwardCall& call, const QueryBlock& block) noexcept;
/// The gradients through relative keys and queries, from those of the scores.
void add_relative_gradients(const BackwardCall& call, const QueryBlock& block) noexcept;

}  // namespace posenc::detail
