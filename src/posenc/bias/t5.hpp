#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "posenc/core/positions.hpp"
#include "posenc/core/result.hpp"
#include "posenc/core/status.hpp"
#include "posenc/core/storage.hpp"

namespace posenc {

/// Parameters of T5's relative position bias.
struct T5Config {
  /// 1 to 2^24.
  std::size_t heads = 0;
  /// Must be given: true for encoders (keys after the query have buckets of their own), false for
  /// decoders (they all share bucket 0; masking them is attention's part).
  std::optional<bool> bidirectional{};
  /// At least 4 when bidirectional, else 2; at most 2^16.
  std::size_t num_buckets = 32;
  /// Distances from here on share the last bucket. Larger than the number of exact buckets
  /// (num_buckets/4 when bidirectional, else num_buckets/2), below 2^31.
  std::int64_t max_distance = 128;
  /// The trained table [num_buckets, heads]: a view of the caller's memory, which must outlive the
  /// encoding. May be left empty when only buckets are wanted.
  ConstFloats table{};
};

/// Says what is wrong with a config; VALUE_RANGE or SHAPE with the field's name.
Status check(const T5Config& config) noexcept;

/// T5's bias: a trained value per head and bucket of the distance key - query; near distances have
/// a bucket each, far ones share buckets of logarithmic width. T5 itself does not scale its scores
/// by 1/sqrt(head_dim): give attention scale 1. Source: Raffel et al. 2020, arXiv 1910.10683;
/// rule as in transformers/models/t5/modeling_t5.py, with exact integer thresholds.
class T5 {
 public:
  /// Throws `posenc::Error` when `check(config)` fails, std::bad_alloc when memory runs out.
  explicit T5(const T5Config& config);

  const T5Config& config() const noexcept { return config_; }

  /// The bucket of a distance key - query, any 64-bit value. Exact.
  std::int32_t bucket(std::int64_t distance) const noexcept;

  /// The smallest |distance| of each bucket of one direction, ascending; [0] is 0.
  std::span<const std::int64_t> thresholds() const noexcept { return thresholds_; }

  /// Writes the bias of distances first, first + 1, ... to `out` [heads, count],
  /// count = out.size() / heads: what attention reads as `ScoreTerms::distances`. Values are those
  /// of the table, bit for bit. Fails with SHAPE (also when there is no table), OVERLAP (out and
  /// the table) or POSITION_RANGE. Allocates nothing.
  Status distances(std::int64_t first, Floats out) const noexcept;

  /// Writes the bias to `out` [heads, queries, keys]; positions are whole numbers.
  /// Fails with SHAPE, SIZE_LIMIT, OVERLAP or POSITION_RANGE. Allocates nothing.
  Status bias(const Positions& queries, const Positions& keys, Floats out) const noexcept;

  /// The gradient of the table, [num_buckets, heads]: sums of the gradient of the bias,
  /// [heads, queries, keys], over the pairs of each bucket. Summed in double in the order of
  /// queries, then keys, rounded once. Fails with SHAPE, SIZE_LIMIT, OVERLAP or POSITION_RANGE.
  Status table_gradient(const Positions& queries, const Positions& keys, ConstFloats gradient,
                        std::span<float> table) const noexcept;

 private:
  T5Config config_;
  std::vector<std::int64_t> thresholds_;
};

/// `T5(config)` without exceptions.
Result<T5> make(const T5Config& config) noexcept;

}  // namespace posenc
