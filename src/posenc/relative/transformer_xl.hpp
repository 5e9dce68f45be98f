#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "posenc/core/frequencies.hpp"
#include "posenc/core/positions.hpp"
#include "posenc/core/result.hpp"
#include "posenc/core/status.hpp"
#include "posenc/core/storage.hpp"

namespace posenc {

/// Parameters of Transformer-XL's relative attention, and XLNet's.
struct TransformerXlConfig {
  /// 1 to 4096 each.
  std::size_t heads = 0;
  std::size_t head_dim = 0;
  /// Width of the sinusoid rows, even, 2 to 4096; 0 when the caller brings projected rows.
  std::size_t d_model = 0;
  /// Of the sinusoid rows; 1 to 1e30.
  double base = 10000.0;
  /// Sinusoid positions are clipped to this magnitude; negative: not at all.
  std::int64_t clamp_len = -1;
  /// Trained r_w_bias (u) and r_r_bias (v), [heads, head_dim] each. Views of the caller's memory,
  /// which must outlive the encoding, as is all below.
  ConstFloats content_bias{};
  ConstFloats position_bias{};
  /// XLNet's r_s_bias [heads, head_dim] and seg_embed [2, heads, head_dim]; empty without segments.
  ConstFloats segment_bias{};
  ConstFloats segment_embedding{};
};

/// Says what is wrong with a config; VALUE_RANGE or SHAPE with the field's name.
Status check(const TransformerXlConfig& config) noexcept;

/// Relative attention by a row per distance (Dai et al. 2019, arXiv 1901.02860; XLNet, Yang et al.
/// 2019, arXiv 1906.08237): score = ((q + u) . k + (q + v) . r[query - key] + segment term) *
/// scale. Attention computes q . k * scale; `scores` writes all the rest. Distances are looked up
/// where they belong, so no relative shift is needed and none can leak rows. Verbs allocate
/// nothing.
class TransformerXl {
 public:
  /// Throws `posenc::Error` when `check(config)` fails, std::bad_alloc when memory runs out.
  explicit TransformerXl(const TransformerXlConfig& config);

  const TransformerXlConfig& config() const noexcept { return config_; }

  /// Writes the sinusoid rows [sin | cos] of distances first, first - 1, ... to `out`
  /// [rows, d_model], clipped to clamp_len: first is key_len - 1 for Transformer-XL and key_len for
  /// XLNet, whose last is 0 (uni) or 1 - query_len (bi). Within 1 ulp of float32.
  /// Fails with SHAPE, POSITION_RANGE, or VALUE_RANGE when d_model is 0.
  Status rows(std::int64_t first, Floats out) const noexcept;

  /// Projects rows [rows, d_model] with the trained weight [d_model, heads, head_dim] to `out`
  /// [heads, rows, head_dim]; summed in double in order, rounded once. Fails with SHAPE or OVERLAP.
  Status project(ConstFloats rows, ConstFloats weight, Floats out) const noexcept;

  /// Writes the row of r for each query and key, -1 where there is none, to `out` [queries, keys]:
  /// `rows` rows, row x being of distance first_distance - x, distance = query - key. For one query
  /// at 0 and keys at the distances key - query it is what attention reads as
  /// `RelativeTerms::index`, beside r as `keys`. Fails with SHAPE, VALUE_RANGE or POSITION_RANGE.
  static Status index(std::int64_t first_distance, std::size_t rows, const Positions& queries,
                      const Positions& keys, std::span<std::int32_t> out) noexcept;

  /// Floats of workspace that `scores` needs for that many rows of r.
  std::size_t workspace_size(std::size_t rows) const noexcept;

  /// Writes scale * (u . k + (q + v) . r[distance]) to `out` [heads, queries, keys], what attention
  /// reads as `ScoreTerms::bias`: q [heads, queries, head_dim], k [heads, keys, head_dim], r
  /// [heads, rows, head_dim], row x being of distance first_distance - x, distance = query - key;
  /// positions of memory come first. Where the distance has no row (after the query when causal)
  /// the value is u . k * scale alone: mask it. Error: at most (head_dim + 6) * 2^-24 * |scale| *
  /// (sum |u_i k_i| + sum |(q_i + v_i) r_i|), where no product is subnormal.
  /// Fails with SHAPE, SIZE_LIMIT, POSITION_RANGE, OVERLAP or VALUE_RANGE.
  Status scores(ConstFloats q, ConstFloats k, ConstFloats r, std::int64_t first_distance,
                const Positions& queries, const Positions& keys, double scale,
                std::span<float> workspace, std::span<float> out) const noexcept;

  /// Adds scale * (q + r_s_bias) . seg_embed[0 or 1] to `out`, 1 where the segment ids differ;
  /// query_segments [queries], key_segments [keys]. Fails with SHAPE or OVERLAP.
  Status add_segments(ConstFloats q, std::span<const std::int32_t> query_segments,
                      std::span<const std::int32_t> key_segments, double scale,
                      std::span<float> out) const noexcept;

 private:
  struct Head {
    ConstFloats q, k;
    std::size_t index;
    std::int64_t first_distance;
    std::size_t rows;
    float scale;
  };

  void write_head(const Head& head, const Positions& queries, const Positions& keys,
                  float* products, const float* packed, std::span<float> out) const noexcept;
  /// The row of r for a distance key - query of a Head.
  static std::int32_t row_of(const void* head, double distance) noexcept;

  TransformerXlConfig config_;
  Frequencies frequencies_;
};

/// `TransformerXl(config)` without exceptions.
Result<TransformerXl> make(const TransformerXlConfig& config) noexcept;

/// Transformer-XL's pad-and-reshape shift of x [queries, keys]: out[i, j] is element
/// i * keys + j + queries of the rows of x with a zero before each. For comparison with published
/// code; right only where key j <= i + keys - queries. Fails with SHAPE or OVERLAP.
Status relative_shift(ConstFloats x, std::size_t queries, std::size_t keys, Floats out) noexcept;

}  // namespace posenc
