#pragma once

#include <cstddef>
#include <vector>

#include "posenc/core/frequencies.hpp"
#include "posenc/core/positions.hpp"
#include "posenc/core/result.hpp"
#include "posenc/core/status.hpp"
#include "posenc/core/storage.hpp"

namespace posenc {

/// Parameters of polar position embedding.
struct PopeConfig {
  /// 1 to 2^24 each.
  std::size_t heads = 0;
  std::size_t head_dim = 0;
  /// Frequencies are base^(-c / head_dim), one for each dim c; base is 1 to 1e30.
  double base = 10000.0;
  /// Trained phases of the keys, radians, [heads, head_dim]; clamped to [-2 pi, 0] and copied.
  /// Empty: all 0.
  ConstFloats delta{};
};

/// Says what is wrong with a config; VALUE_RANGE or SHAPE with the field's name.
Status check(const PopeConfig& config) noexcept;

/// PoPE: what and where apart (Gopalakrishnan et al. 2025, arXiv 2509.10534). Each dim becomes a
/// magnitude softplus(x) = ln(1 + e^x) at the angle position * frequency, keys plus delta; the
/// embedded vector is [all magnitude * cos | all magnitude * sin], twice as wide, and the scores
/// are plain products of embedded queries and keys: give attention head_dim = 2 * head_dim, and the
/// scale of the unembedded width. Verbs allocate nothing.
class Pope {
 public:
  /// Throws `posenc::Error` when `check(config)` fails, std::bad_alloc when memory runs out.
  explicit Pope(const PopeConfig& config);

  /// The config, its view of delta emptied.
  const PopeConfig& config() const noexcept { return config_; }

  /// Writes embedded queries to `out` [heads, positions, 2 head_dim] from x [heads, positions,
  /// head_dim]; within 1 ulp of float32 for |position| <= 2^24, 16-bit elements rounded once. For
  /// tensors with fewer heads (or a batch in front) call it per part. Fails with SHAPE, OVERLAP or
  /// POSITION_RANGE.
  Status embed_queries(ConstFloats x, const Positions& positions, Floats out) const noexcept;

  /// The same for keys, whose angles have the phases added.
  Status embed_keys(ConstFloats x, const Positions& positions, Floats out) const noexcept;

 private:
  Status embed(ConstFloats x, const Positions& positions, bool keys, Floats out) const noexcept;

  PopeConfig config_;
  Frequencies frequencies_;
  /// Per head, the phases as frequencies of an axis whose position is 1.
  std::vector<Frequencies> phases_;
};

/// `Pope(config)` without exceptions.
Result<Pope> make(const PopeConfig& config) noexcept;

}  // namespace posenc
