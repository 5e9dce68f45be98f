#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "posenc/core/positions.hpp"
#include "posenc/core/result.hpp"
#include "posenc/core/status.hpp"
#include "posenc/core/storage.hpp"

namespace posenc {

enum class KerpleKind : std::uint8_t {
  /// -p ln(1 + a |i - j|)
  log,
  /// -a |i - j|^p, 0 at distance 0
  power,
};

/// Parameters of KERPLE's kernels.
struct KerpleConfig {
  /// 1 to 2^24.
  std::size_t heads = 0;
  KerpleKind kind = KerpleKind::log;
  /// -infinity where key > query.
  bool causal = true;
  /// Trained, [heads] each, 0 to 1e30; with a minimum above 0 they may be negative as trained.
  std::vector<double> p{};
  std::vector<double> a{};
  /// p and a are raised to this first (the published code: 0.01); 0 to 1e30.
  double minimum = 0.0;
  /// p is lowered to this first (the published code, power kernel: 2).
  double p_maximum = std::numeric_limits<double>::infinity();
};

/// Says what is wrong with a config; VALUE_RANGE or SHAPE with the field's name.
Status check(const KerpleConfig& config) noexcept;

/// KERPLE: kernelised relative positions (Chi et al. 2022, arXiv 2205.09921). Every value is within
/// 1 ulp of float32 of the exact one. Verbs allocate nothing.
class Kerple {
 public:
  /// Throws `posenc::Error` when `check(config)` fails, std::bad_alloc when memory runs out.
  explicit Kerple(const KerpleConfig& config);

  const KerpleConfig& config() const noexcept { return config_; }

  /// Writes the bias of distances (key - query) first, first + 1, ... to `out` [heads, count].
  /// Fails with SHAPE or POSITION_RANGE.
  Status distances(std::int64_t first, Floats out) const noexcept;

  /// Writes the bias to `out` [heads, queries, keys]. Fails with SHAPE, SIZE_LIMIT or
  /// POSITION_RANGE.
  Status bias(const Positions& queries, const Positions& keys, Floats out) const noexcept;

  /// The gradients of p and a, [heads] each, from that of the bias, [heads, queries, keys]; keys
  /// after a causal query do not count. Of the formula: clamped values are treated as free. Summed
  /// in double in order, rounded once. Fails as `bias` does.
  Status gradient(const Positions& queries, const Positions& keys, ConstFloats gradient,
                  std::span<float> p, std::span<float> a) const noexcept;

 private:
  KerpleConfig config_;
};

/// `Kerple(config)` without exceptions.
Result<Kerple> make(const KerpleConfig& config) noexcept;

}  // namespace posenc
