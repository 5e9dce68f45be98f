#pragma once

#include <cstddef>
#include <vector>

#include "posenc/core/result.hpp"
#include "posenc/core/status.hpp"
#include "posenc/core/storage.hpp"

namespace posenc {

/// Parameters of WavLM's gate, all trained. Views of the caller's memory, which must outlive the
/// encoding.
struct GatedPositionBiasConfig {
  /// 1 to 2^24.
  std::size_t heads = 0;
  /// 1 to 4096.
  std::size_t head_dim = 0;
  /// [8, head_dim] and [8], shared by the heads.
  ConstFloats gate_weight{};
  ConstFloats gate_bias{};
  /// [heads]
  ConstFloats gate_const{};
};

/// Says what is wrong with a config; VALUE_RANGE or SHAPE with the field's name.
Status check(const GatedPositionBiasConfig& config) noexcept;

/// WavLM's gated relative position bias (Chen et al. 2021, arXiv 2110.13900): a position bias
/// (T5's, bidirectional) times a gate that each query's hidden state opens, a (b * const - 1) + 2
/// with a and b the sigmoids of the sums of four projections each. In double, rounded once.
class GatedPositionBias {
 public:
  /// Throws `posenc::Error` when `check(config)` fails.
  explicit GatedPositionBias(const GatedPositionBiasConfig& config);

  const GatedPositionBiasConfig& config() const noexcept { return config_; }

  /// Writes the gates to `out` [batch, heads, length] from hidden [batch, length, heads *
  /// head_dim]; batch = out.size() / (heads * length). Fails with VALUE_RANGE, SHAPE or OVERLAP.
  Status gate(ConstFloats hidden, std::size_t length, Floats out) const noexcept;

  /// Writes gate * position_bias to `out` [batch, heads, queries, keys], one float32 product each:
  /// gate [batch, heads, queries], position_bias [heads, queries, keys].
  /// Fails with SHAPE, SIZE_LIMIT or OVERLAP.
  Status bias(ConstFloats gate, ConstFloats position_bias, std::size_t queries, std::size_t keys,
              Floats out) const noexcept;

 private:
  GatedPositionBiasConfig config_;
};

/// `GatedPositionBias(config)` without exceptions.
Result<GatedPositionBias> make(const GatedPositionBiasConfig& config) noexcept;

}  // namespace posenc
