#pragma once

#include <cstddef>
#include <span>

#include "posenc/core/result.hpp"
#include "posenc/core/status.hpp"
#include "posenc/core/storage.hpp"

namespace posenc {

/// Parameters of the forgetting attention's bias.
struct ForgettingBiasConfig {
  /// 1 to 2^24.
  std::size_t heads = 0;
  /// -infinity where key > query. Else keys after the query decay by gates of their own.
  bool causal = true;
  /// What the logarithms of the gates are multiplied by: 1e-30 to 1e30.
  double log_scale = 1.0;
};

/// Says what is wrong with a config; VALUE_RANGE with the field's name.
Status check(const ForgettingBiasConfig& config) noexcept;

/// The data-dependent decay of the forgetting transformer (FoX, Lin et al. 2025, arXiv 2503.02130;
/// x-transformers' data-dependent ALiBi): bias = c[query] - c[key], c the running sum of
/// log_scale * ln sigmoid(gate logit). Summed in double, rounded once. A gate logit of -infinity is
/// a gate that is shut: -infinity between keys before it and queries from it on, and nothing to all
/// other entries, so that a token still sees itself (0 where key = query). A NaN is a NaN from
/// there on. Allocates nothing.
class ForgettingBias {
 public:
  /// Throws `posenc::Error` when `check(config)` fails.
  explicit ForgettingBias(const ForgettingBiasConfig& config);

  const ForgettingBiasConfig& config() const noexcept { return config_; }

  /// Doubles of workspace that `bias` needs for a sequence.
  static std::size_t workspace_size(std::size_t length) noexcept { return length; }

  /// Writes the bias to `out` [heads, length, length] from the logits of the gates
  /// [heads, length], or [2 heads, length] when not causal, rows heads + h being the gates of the
  /// keys after the query. length = gate_logits.size() / rows.
  /// Fails with SHAPE, SIZE_LIMIT or OVERLAP.
  Status bias(ConstFloats gate_logits, std::span<double> workspace, Floats out) const noexcept;

 private:
  ForgettingBiasConfig config_;
};

/// `ForgettingBias(config)` without exceptions.
Result<ForgettingBias> make(const ForgettingBiasConfig& config) noexcept;

}  // namespace posenc
