#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "posenc/core/positions.hpp"
#include "posenc/core/result.hpp"
#include "posenc/core/status.hpp"
#include "posenc/core/storage.hpp"

namespace posenc {

/// Parameters of contextual position encoding.
struct CopeConfig {
  /// 1 to 4096.
  std::size_t head_dim = 0;
  /// Rows of the table; positions stop at max_pos - 1: 1 to 4096.
  std::size_t max_pos = 0;
  /// The trained table [max_pos, head_dim], shared by the heads; copied.
  ConstFloats table{};
  /// Keys after the query are masked: their gate is 0 and their bias -infinity.
  bool causal = true;
};

/// Says what is wrong with a config; VALUE_RANGE or SHAPE with the field's name.
Status check(const CopeConfig& config) noexcept;

/// CoPE: positions that count what the model chooses to count (Golovneva et al. 2024,
/// arXiv 2405.18719). The gate of a key is sigmoid(its logit); its position is the sum of the gates
/// from it to the last key, at most max_pos - 1; its bias interpolates q . table between the two
/// whole positions around it. Verbs allocate nothing.
class Cope {
 public:
  /// Throws `posenc::Error` when `check(config)` fails, std::bad_alloc when memory runs out.
  explicit Cope(const CopeConfig& config);

  const CopeConfig& config() const noexcept { return config_; }

  /// Writes the position of each key for each query to `out` [heads, queries, keys] from the logits
  /// of the same shape (q . k * scale: `attention_scores`); keys stand in the order of time. Gates
  /// are summed in double from the last key on, and rounded once; 0 at masked keys. From a NaN on,
  /// all keys before it have NaN, here and in `scores`. Fails with SHAPE, SIZE_LIMIT,
  /// POSITION_RANGE or OVERLAP.
  Status positions(ConstFloats logits, const Positions& queries, const Positions& keys,
                   Floats out) const noexcept;

  /// Writes the bias to `out` [heads, queries, keys], what attention reads as `ScoreTerms::bias`;
  /// q is [heads, queries, head_dim]. Error: at most (head_dim + 4) * 2^-24 * sum |q_i table_i|.
  /// Fails as `positions` does.
  Status scores(ConstFloats q, ConstFloats logits, const Positions& queries, const Positions& keys,
                std::span<float> out) const noexcept;

 private:
  CopeConfig config_;
  std::vector<float> packed_;
};

/// `Cope(config)` without exceptions.
Result<Cope> make(const CopeConfig& config) noexcept;

}  // namespace posenc
