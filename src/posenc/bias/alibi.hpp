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

/// Which slopes a number of heads gets. Both agree when it is a power of two.
enum class AlibiSlopes : std::uint8_t {
  /// Every published checkpoint (BLOOM, MPT, Baichuan): with c the largest power of two that is at
  /// most n heads and m = alibi_bias_max, 2^(-m (h+1) / c) for the first c heads, then
  /// 2^(-m (2t+1) / (2c)), t = 0, 1, ...
  checkpoint,
  /// The paper's text: 2^(-m (h+1) / n) for every head.
  paper,
};

/// What `bias` and `distances` write for a key after its query.
enum class AlibiForm : std::uint8_t {
  /// -slope * (query - key); -infinity where key > query.
  causal,
  /// -slope * |query - key|, also for keys after the query.
  symmetric,
};

/// Parameters of attention with linear biases.
struct AlibiConfig {
  /// 1 to 2^24.
  std::size_t heads = 0;
  AlibiSlopes slopes = AlibiSlopes::checkpoint;
  AlibiForm form = AlibiForm::causal;
  /// The exponent of the smallest slope: 2^-alibi_bias_max; above 0, at most 1000. MPT's field.
  double alibi_bias_max = 8.0;
  /// How many heads, the first ones, have a bias; the slopes are those of that many heads, the
  /// other heads' slope is 0. 0 stands for `heads`.
  std::size_t alibi_heads = 0;
  /// Slopes of the caller's own, [heads], instead of a rule; finite, at most 1e30 in magnitude.
  std::vector<double> custom_slopes{};
};

/// Says what is wrong with a config; VALUE_RANGE with the field's name.
Status check(const AlibiConfig& config) noexcept;

/// ALiBi: a penalty on the score that grows linearly with the distance, one slope per head.
/// Source: Press et al. 2021, "Train short, test long", arXiv 2108.12409, and its code.
///
/// Every value is within 1 ulp of float32 of the exact one, for distances up to 2^51.
class Alibi {
 public:
  /// Throws `posenc::Error` when `check(config)` fails, std::bad_alloc when memory runs out.
  explicit Alibi(const AlibiConfig& config);

  const AlibiConfig& config() const noexcept { return config_; }
  /// [heads], nearest double; 0 for heads without a bias.
  std::span<const double> slopes() const noexcept { return slopes_; }

  /// Writes the bias of distances (key - query) first, first + 1, ... to `out` [heads, count],
  /// count = out.size() / heads: what attention reads as `ScoreTerms::distances`.
  /// Fails with SHAPE or POSITION_RANGE (a distance beyond 2^51). Allocates nothing.
  Status distances(std::int64_t first, Floats out) const noexcept;

  /// Writes the bias to `out` [heads, queries, keys].
  /// Fails with SHAPE, SIZE_LIMIT or POSITION_RANGE. Allocates nothing.
  Status bias(const Positions& queries, const Positions& keys, Floats out) const noexcept;

  /// Writes slope * key position to `out` [heads, keys]: BLOOM's form, equal to `bias` after a
  /// causal softmax, since it differs by a constant per row. MPT's form is the same with positions
  /// from 1 - keys to 0. Fails with SHAPE or POSITION_RANGE.
  Status key_bias(const Positions& keys, Floats out) const noexcept;

  /// `key_bias` as Falcon's published code computes it, in bfloat16 throughout: slope and position
  /// are rounded to bfloat16, and so is their product. (Falcon then adds it to the scores before
  /// they are scaled.) Fails as `key_bias` does.
  Status falcon_key_bias(const Positions& keys, Floats out) const noexcept;

  /// The gradient of the slopes, [heads]: the sum of gradient * -distance over the gradient of the
  /// bias, [heads, queries, keys], with distance = query - key (causal, past keys alone) or
  /// |query - key|. Summed in double in order, rounded once. Fails as `bias` does.
  Status slope_gradient(const Positions& queries, const Positions& keys, ConstFloats gradient,
                        std::span<float> slopes) const noexcept;

 private:
  AlibiConfig config_;
  std::vector<double> slopes_;
};

/// `Alibi(config)` without exceptions.
Result<Alibi> make(const AlibiConfig& config) noexcept;

}  // namespace posenc
