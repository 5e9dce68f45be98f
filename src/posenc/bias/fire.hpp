#pragma once

#include <cstddef>
#include <vector>

#include "posenc/bias/mlp.hpp"
#include "posenc/core/positions.hpp"
#include "posenc/core/result.hpp"
#include "posenc/core/status.hpp"
#include "posenc/core/storage.hpp"

namespace posenc {

/// Parameters of FIRE, all trained.
struct FireConfig {
  /// 1 to 1024.
  std::size_t heads = 0;
  /// -infinity where key > query.
  bool causal = true;
  /// psi(x) = ln(|c x| + 1); finite, at most 1e30 in magnitude.
  double c = 0.1;
  /// L: queries nearer to the start than this are normalised by it; 0 to 1e30.
  double threshold = 0.0;
  /// Added to the denominator: 0 in the paper, 1e-6 in its code; 0 to 1.
  double eps = 1e-6;
  /// The network from one number to a number per head, ReLU between layers.
  std::vector<MlpLayer> layers{};
};

/// Says what is wrong with a config; VALUE_RANGE or SHAPE with the field's name.
Status check(const FireConfig& config) noexcept;

/// FIRE: functional interpolation for relative positions (Li et al. 2023, arXiv 2310.04418):
/// bias = network(psi(query - key) / (psi(max(threshold, query)) + eps)). The normaliser depends on
/// the query's position, so this is no function of the distance alone and has no `distances`.
///
/// Computed in double and rounded once. Where the denominator is 0 (position 0 with threshold and
/// eps 0) the ratio counts as 0.
class Fire {
 public:
  /// Throws `posenc::Error` when `check(config)` fails, std::bad_alloc when memory runs out.
  explicit Fire(const FireConfig& config);

  const FireConfig& config() const noexcept { return config_; }

  /// Writes the bias to `out` [heads, queries, keys]: one run of the network and one logarithm for
  /// each query and key. Fails with SHAPE, SIZE_LIMIT, POSITION_RANGE
  /// or OVERLAP (out and a layer). Allocates nothing.
  Status bias(const Positions& queries, const Positions& keys, Floats out) const noexcept;

 private:
  FireConfig config_;
};

/// `Fire(config)` without exceptions.
Result<Fire> make(const FireConfig& config) noexcept;

}  // namespace posenc
