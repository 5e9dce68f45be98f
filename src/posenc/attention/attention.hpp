#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "posenc/core/rope_layout.hpp"
#include "posenc/core/score_terms.hpp"
#include "posenc/core/status.hpp"
#include "posenc/core/storage.hpp"

namespace posenc {

/// Tables with which attention rotates q and k as it reads them: what `Rope::angles` writes, the
/// attention factor in them.
struct RotaryTables {
  /// [query_count, rotary_dim / 2] each.
  std::span<const float> query_cos{};
  std::span<const float> query_sin{};
  /// [key_count, rotary_dim / 2] each.
  std::span<const float> key_cos{};
  std::span<const float> key_sin{};
  /// How many dims rotate, even; 0: nothing is rotated.
  std::size_t rotary_dim = 0;
  /// The first dim that rotates.
  std::size_t rotary_start = 0;
  RopeLayout layout = RopeLayout::half;
};

/// How attention sums products. `reproducible` rounds each product and each sum: the same bits in
/// every build, on every processor. `fast` rounds both once, in sums and exponentials, where the
/// processor can (FMA on x86 with AVX2 and on ARM; what relaxed SIMD makes of it in the npm
/// package's "posenc/fast", where the engine may also round twice), so its bits differ between
/// processors; its error bounds are the same.
enum class Numerics : std::uint8_t { reproducible, fast };

/// Shapes and options of one attention call.
struct AttentionArgs {
  /// Query heads, at least 1.
  std::size_t heads = 1;
  /// Key-value heads; must divide `heads`; 0 stands for `heads`. Query head h reads key-value head
  /// h / (heads / kv_heads).
  std::size_t kv_heads = 0;
  std::size_t query_count = 0;
  std::size_t key_count = 0;
  /// Width of q and k, at least 1.
  std::size_t head_dim = 0;
  /// Width of v and out; 0 stands for head_dim.
  std::size_t value_dim = 0;
  /// What q.k is multiplied with; not given: 1 / sqrt(head_dim). T5 uses 1.
  std::optional<double> scale{};
  /// Keys after the query are not seen.
  bool causal = false;
  /// A query at position p sees keys at |p - position| < window alone; 0: at any distance.
  std::size_t window = 0;
  /// softcap * tanh(x / softcap) of the scaled products (Gemma 2), 1e-30 to 1e30; 0: none.
  double softcap = 0.0;
  /// [key_count], 0 for keys that no query sees (padding): neither k nor v is read there. Empty:
  /// all are seen.
  std::span<const std::uint8_t> key_mask{};
  RotaryTables rotary{};
  /// Position of query 0 when key 0 has position 0; not given: the queries are the last
  /// `query_count` of the keys (key_count - query_count), as in decoding.
  std::optional<std::int64_t> query_offset{};
  /// What is added to the scores; all empty is NoPE.
  ScoreTerms terms{};
  Numerics numerics = Numerics::reproducible;
};

/// Floats of workspace that `attention` and `attention_scores` need; grows with key_count, and not
/// with its square. `values` is the storage type of v. 0 when the args are wrong (`attention` says
/// why).
std::size_t attention_workspace_size(const AttentionArgs& args,
                                     StorageType values = StorageType::float32) noexcept;

/// out = softmax(q k^T * scale + terms) v, in this order: rotation, products times scale, soft cap,
/// terms, masks, softmax.
///
/// q [heads, query_count, head_dim], k [kv_heads, key_count, head_dim],
/// v [kv_heads, key_count, value_dim], out [heads, query_count, value_dim],
/// workspace: at least `attention_workspace_size(args, v.type())` floats, contents not kept,
/// probabilities: empty, or [heads, query_count, key_count] to have them written.
///
/// Everything is computed in float32; 16-bit elements are widened when read and rounded when
/// written. A query that sees no key (all masked or all -infinity) gets zeros. Exact softmax: the
/// maximum is subtracted, sums run in a fixed order, so bits do not depend on the build nor on how
/// queries and heads are split over calls. Keys that no query of a block sees, for the causal order
/// or the window, cost nothing; a block is of 24 queries, of 48 where `relative.queries` are given.
///
/// Error, with u = 2^-24, while nothing overflows or falls below 2^-126:
///   scores         (head_dim + 2) u sum |q_i k_i scale|: a product, its sum in order, the scale;
///                  beside that of rotated q and k (2 u each, `Rope::rotate`); 5 u of the result
///                  for the soft cap; as much as for q and k for each product with a relative row;
///                  and u of the result for each term that is added, biases of the query included
///   probabilities  relative to softmax of these scores, (keys / 16 + ln keys + 9 + d) u where d is
///                  how far the score lies below the largest of its row: keys / 16 for the sum in
///                  16 lanes, d and its mean ln keys for rounding the subtraction, the rest for two
///                  exponentials of 0.99 ulp (1.03 when fast) and the division; 0 where d > 69, a
///                  2^-99th
///   out            beside that, keys * u sum |p_j v_j| for the sum over keys in order; for
///                  relative values, which sum probabilities by row first, (keys + row_count) u of
///                  theirs
///
/// Fails with VALUE_RANGE, SHAPE, SIZE_LIMIT, POSITION_RANGE or OVERLAP (out, probabilities or
/// workspace with anything). Allocates nothing.
Status attention(ConstFloats q, ConstFloats k, ConstFloats v, Floats out, const AttentionArgs& args,
                 std::span<float> workspace, Floats probabilities = {}) noexcept;

/// What softmax reads: q k^T * scale + terms, to `out` [heads, query_count, key_count]; -infinity
/// where a query does not see the key. Arguments, workspace
/// (`attention_workspace_size(args)` floats), error and failures as of `attention`.
Status attention_scores(ConstFloats q, ConstFloats k, Floats out, const AttentionArgs& args,
                        std::span<float> workspace) noexcept;

}  // namespace posenc
