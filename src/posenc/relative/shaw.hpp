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

/// Parameters of Shaw's relative positions.
struct ShawConfig {
  /// 1 to 4096.
  std::size_t head_dim = 0;
  /// Distances are clipped to this magnitude: 0 to 2047.
  std::size_t max_relative_position = 0;
  /// Trained rows of the keys, [2 max_relative_position + 1, head_dim], shared by the heads;
  /// copied.
  ConstFloats keys{};
  /// Trained rows of the values, [2 max_relative_position + 1, value_dim]: a view of the caller's
  /// memory, which must outlive the encoding; empty when the model has none.
  ConstFloats values{};
  /// Columns of `values`; 0 stands for head_dim.
  std::size_t value_dim = 0;
};

/// Says what is wrong with a config; VALUE_RANGE or SHAPE with the field's name.
Status check(const ShawConfig& config) noexcept;

/// Relative positions in keys and values, clipped (Shaw et al. 2018, arXiv 1803.02155): the score
/// of a query and a key gets q . keys[r], the output probability * values[r],
/// r = clip(key - query, -m, m) + m. Verbs allocate nothing.
class Shaw {
 public:
  /// Throws `posenc::Error` when `check(config)` fails, std::bad_alloc when memory runs out.
  explicit Shaw(const ShawConfig& config);

  const ShawConfig& config() const noexcept { return config_; }

  /// Writes the row of each query and key to `out` [queries, keys]; positions are whole numbers.
  /// For one query at 0 and keys at the distances key - query it is what attention reads as
  /// `RelativeTerms::index`. Fails with SHAPE or POSITION_RANGE.
  Status index(const Positions& queries, const Positions& keys,
               std::span<std::int32_t> out) const noexcept;

  /// Writes scale * (q . keys[r]) to `out` [heads, queries, keys], what attention reads as
  /// `ScoreTerms::bias` (scores are float32 whatever the storage type of q); q is [heads, queries,
  /// head_dim], heads = q.size() / the rest. Error: at most (head_dim + 2) * 2^-24 * sum |q_i
  /// keys_i scale|. Fails with SHAPE, SIZE_LIMIT, POSITION_RANGE, OVERLAP or VALUE_RANGE.
  Status scores(ConstFloats q, const Positions& queries, const Positions& keys, double scale,
                std::span<float> out) const noexcept;

  /// Adds sum over keys of probabilities * values[r] to `out` [heads, queries, value_dim],
  /// attention's output; probabilities are [heads, queries, keys]. Summed in float32 in the order
  /// of the keys. Fails as `scores` does, and with SHAPE when the model has no values.
  Status add_values(ConstFloats probabilities, const Positions& queries, const Positions& keys,
                    Floats out) const noexcept;

 private:
  ShawConfig config_;
  std::vector<float> packed_keys_;
};

/// `Shaw(config)` without exceptions.
Result<Shaw> make(const ShawConfig& config) noexcept;

}  // namespace posenc
