#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "posenc/bias/mlp.hpp"
#include "posenc/core/positions.hpp"
#include "posenc/core/result.hpp"
#include "posenc/core/status.hpp"
#include "posenc/core/storage.hpp"

namespace posenc {

/// Parameters of the dynamic position bias.
struct DynamicPositionBiasConfig {
  /// 1 to 1024.
  std::size_t heads = 0;
  /// The network sees sign(d) ln(1 + |d|) instead of d.
  bool log_distance = false;
  /// The network from one number to a number per head, SiLU between layers.
  std::vector<MlpLayer> layers{};
};

/// Says what is wrong with a config; VALUE_RANGE or SHAPE with the field's name.
Status check(const DynamicPositionBiasConfig& config) noexcept;

/// A bias that a network computes from the signed distance query - key: Wang et al. 2021
/// (CrossFormer, arXiv 2108.00154) in one dimension, as in x-transformers. Computed in double and
/// rounded once. Verbs allocate nothing.
class DynamicPositionBias {
 public:
  /// Throws `posenc::Error` when `check(config)` fails, std::bad_alloc when memory runs out.
  explicit DynamicPositionBias(const DynamicPositionBiasConfig& config);

  const DynamicPositionBiasConfig& config() const noexcept { return config_; }

  /// Writes the bias of distances (key - query) first, first + 1, ... to `out` [heads, count].
  /// Fails with SHAPE, POSITION_RANGE or OVERLAP (out and a layer).
  Status distances(std::int64_t first, Floats out) const noexcept;

  /// Writes the bias to `out` [heads, queries, keys]. Fails with SHAPE, SIZE_LIMIT,
  /// POSITION_RANGE or OVERLAP.
  Status bias(const Positions& queries, const Positions& keys, Floats out) const noexcept;

 private:
  DynamicPositionBiasConfig config_;
};

/// `DynamicPositionBias(config)` without exceptions.
Result<DynamicPositionBias> make(const DynamicPositionBiasConfig& config) noexcept;

}  // namespace posenc
