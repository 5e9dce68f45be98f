#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "posenc/core/positions.hpp"
#include "posenc/core/result.hpp"
#include "posenc/core/status.hpp"
#include "posenc/core/storage.hpp"

namespace posenc {

/// A projection y = weight x + bias of the rows of a table. Views of the caller's memory, read by
/// the constructor alone.
struct DebertaProjection {
  /// [heads * head_dim, heads * head_dim] as [out, in]; empty for the identity.
  ConstFloats weight{};
  /// [heads * head_dim], or empty for none.
  ConstFloats bias{};
};

/// Parameters of DeBERTa's disentangled attention.
struct DebertaConfig {
  /// 1 to 4096 each.
  std::size_t heads = 0;
  std::size_t head_dim = 0;
  /// The terms of pos_att_type: content to position and position to content; at least one.
  bool c2p = true;
  bool p2c = true;
  /// v2 and v3: distances share buckets of logarithmic width beyond position_buckets / 2; even,
  /// at least 4. 0: every distance has a row (v1).
  std::size_t position_buckets = 0;
  /// The largest distance; with buckets above position_buckets / 2 + 1; at most 2^24.
  std::size_t max_relative_positions = 0;
  /// Rows of the table on each side: position_buckets when there are buckets, else
  /// max_relative_positions; 0 stands for that. At most 2048.
  std::size_t att_span = 0;
  /// The trained table [2 att_span, heads * head_dim], shared by all layers; copied. May be left
  /// empty when only buckets are wanted.
  ConstFloats rel_embeddings{};
  /// Layer norm of the table's rows before they are projected (v2, v3: norm_rel_ebd), [heads *
  /// head_dim] each; empty for none.
  ConstFloats norm_weight{};
  ConstFloats norm_bias{};
  double norm_eps = 1e-7;
  /// Of the table for keys (c2p) and for queries (p2c). With share_att_key these are the layer's
  /// own key and query projections.
  DebertaProjection pos_key{};
  DebertaProjection pos_query{};
};

/// Says what is wrong with a config; VALUE_RANGE or SHAPE with the field's name.
Status check(const DebertaConfig& config) noexcept;

/// DeBERTa's relative positions: scores get q . K[d] (c2p) and k . Q[d] (p2c), K and Q projections
/// of one table, d = clip(bucket(query - key) + att_span, 0, 2 att_span - 1) in both, as the
/// published code does (the paper's p2c writes the distance the other way round).
/// Source: He et al. 2020, arXiv 2006.03654; transformers/models/deberta_v2. Buckets are exact
/// integers. Verbs allocate nothing.
class Deberta {
 public:
  /// Throws `posenc::Error` when `check(config)` fails, std::bad_alloc when memory runs out.
  explicit Deberta(const DebertaConfig& config);

  /// The config, with att_span filled in and the views emptied.
  const DebertaConfig& config() const noexcept { return config_; }

  /// The bucket of a distance query - key; the distance itself without buckets. Exact.
  std::int64_t bucket(std::int64_t distance) const noexcept;

  /// Writes the bucket of each query and key to `out` [queries, keys]. Fails with SHAPE or
  /// POSITION_RANGE.
  Status relative_positions(const Positions& queries, const Positions& keys,
                            std::span<std::int32_t> out) const noexcept;

  /// Writes the row of the tables for each query and key, clip(bucket(query - key) + att_span, 0,
  /// 2 att_span - 1), to `out` [queries, keys]. For one query at 0 and keys at the distances key -
  /// query it is what attention reads as `RelativeTerms::index`. Fails with SHAPE or
  /// POSITION_RANGE.
  Status index(const Positions& queries, const Positions& keys,
               std::span<std::int32_t> out) const noexcept;

  /// Writes the projected tables of c2p and p2c, [heads, 2 att_span, head_dim] each, empty for a
  /// term that the config has not: what attention reads as `RelativeTerms::keys` and `queries`.
  /// Within 2^-24 relative of the exact projection of each row. Fails with SHAPE.
  Status tables(std::span<float> keys, std::span<float> queries) const noexcept;

  /// 1 / sqrt(head_dim * (1 + the number of terms)): `AttentionArgs::scale`, and what `scores`
  /// multiplies by.
  double scale() const noexcept;

  /// Writes scale() * (the terms) to `out` [heads, queries, keys], what attention reads as
  /// `ScoreTerms::bias` (scores are float32 whatever the storage type of q and k); q is [heads,
  /// queries, head_dim], k [heads, keys, head_dim]. Error: at most (head_dim + 4) * 2^-24 * sum of
  /// |products| * scale(), and 2^-24 relative of each projected row. Fails with SHAPE, SIZE_LIMIT,
  /// POSITION_RANGE or OVERLAP.
  Status scores(ConstFloats q, ConstFloats k, const Positions& queries, const Positions& keys,
                std::span<float> out) const noexcept;

 private:
  std::size_t row_of(double distance) const noexcept;
  /// Writes c2p of a head, from its queries; or adds p2c, from its keys, `out` being transposed.
  void write_term(ConstFloats x, std::size_t head, const Positions& lines, const Positions& columns,
                  bool p2c, std::span<float> out) const noexcept;

  DebertaConfig config_;
  /// The smallest magnitude of each bucket beyond position_buckets / 2.
  std::vector<std::int64_t> thresholds_;
  /// [heads] packed tables each.
  std::vector<float> keys_;
  std::vector<float> queries_;
};

/// `Deberta(config)` without exceptions.
Result<Deberta> make(const DebertaConfig& config) noexcept;

}  // namespace posenc
