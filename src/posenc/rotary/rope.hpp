#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>

#include "posenc/core/frequencies.hpp"
#include "posenc/core/positions.hpp"
#include "posenc/core/result.hpp"
#include "posenc/core/status.hpp"
#include "posenc/core/storage.hpp"

namespace posenc {

/// Which dims form pair i of the rotated part.
enum class RopeLayout : std::uint8_t {
  /// (i, i + rotary_dim/2): GPT-NeoX, Llama as published for transformers, most checkpoints.
  half,
  /// (2i, 2i + 1): RoFormer's paper, GPT-J, Llama as published by Meta.
  interleaved,
};

/// Frequencies as trained.
struct NoScaling {};

/// Position interpolation: every frequency divided by `factor` (Chen et al. 2023,
/// arXiv 2306.15595). factor: 1e-30 to 1e30; 1 is the identity.
struct Linear {
  double factor = 1.0;
};

using RopeScaling = std::variant<NoScaling, Linear>;

/// Parameters of rotary position embedding.
struct RopeConfig {
  /// Width of a head: even, 2 to 2^24.
  std::size_t head_dim = 0;
  /// How many leading dims rotate: even, 2 to head_dim; 0 stands for head_dim. The rest is copied.
  std::size_t rotary_dim = 0;
  /// Frequencies are base^(-2i / rotary_dim); base is 1 to 1e30. Often called rope_theta.
  double base = 10000.0;
  /// Not told by a config.json: see the model's code. A wrong layout gives wrong values silently.
  RopeLayout layout = RopeLayout::half;
  RopeScaling scaling = NoScaling{};
};

/// Says what is wrong with a config; VALUE_RANGE with the field's name.
Status check(const RopeConfig& config) noexcept;

/// Order of the axes of a rotated tensor in memory.
enum class RotaryOrder : std::uint8_t {
  /// [batch, heads, length, head_dim]
  heads_first,
  /// [batch, length, heads, head_dim]
  length_first,
};

/// The shape of a tensor that is rotated, and its positions.
struct RotaryArgs {
  std::size_t batch = 1;
  /// Heads of this tensor: query heads for q, key-value heads for k.
  std::size_t heads = 1;
  /// [length], shared by the batch, or [batch, length]. Not read by `rotate`.
  Positions positions{};
  /// Tokens per sequence; 0 stands for positions.size() (for `rotate`: the rows of the tables).
  std::size_t length = 0;
  RotaryOrder order = RotaryOrder::heads_first;
  /// Distances in elements between neighbours along each axis; 0 stands for the contiguous tensor
  /// of `order`. Rows of head_dim elements are contiguous and must not overlap.
  std::size_t batch_stride = 0;
  std::size_t head_stride = 0;
  std::size_t length_stride = 0;
};

/// Rotary position embedding: pair i of a row at position p turns by p * inv_freq[i],
/// (a, b) -> (a cos - b sin, b cos + a sin). Source: Su et al. 2021, "RoFormer", arXiv 2104.09864.
///
/// Verbs are const, thread-safe and allocate nothing; they check everything before they write.
/// Angles and the rotation are float32 or better whatever the storage type of x and out, which are
/// rounded once when written (half an ulp of the storage type beside the bounds below).
class Rope {
 public:
  /// Throws `posenc::Error` when `check(config)` fails, std::bad_alloc when memory runs out.
  explicit Rope(const RopeConfig& config);

  /// The config, with rotary_dim filled in.
  const RopeConfig& config() const noexcept { return config_; }
  /// [rotary_dim/2] radians per position, nearest double, scaling included.
  std::span<const double> inv_freq() const noexcept { return frequencies_.radians(); }

  /// Writes the tables of cosines and sines, each [positions, rotary_dim/2].
  /// Error: within 1 ulp of float32 of the exact value for |position| <= 2^24, fractional and
  /// negative ones too. Fails with SHAPE, OVERLAP or POSITION_RANGE (|position| > 2^50).
  Status angles(const Positions& positions, std::span<float> cos,
                std::span<float> sin) const noexcept;

  /// Rotates with ready tables, each [length, rotary_dim/2] or [batch, length, rotary_dim/2].
  /// In place, or from `x` to `out` of the same shape; the two may be the same memory, any other
  /// overlap is an error. Error against exact arithmetic on the given tables: at most
  /// 1.5 * 2^-24 * (|a cos| + |b sin|) for each output. Fails with SHAPE or OVERLAP.
  Status rotate(Floats x, std::span<const float> cos, std::span<const float> sin,
                const RotaryArgs& args) const noexcept;
  Status rotate(ConstFloats x, Floats out, std::span<const float> cos, std::span<const float> sin,
                const RotaryArgs& args) const noexcept;

  /// `angles` and `rotate` in one, without tables in memory; gives the bits of the two calls.
  /// Error for |position| <= 2^24: at most 3 * 2^-24 * (|a cos| + |b sin|) for each output.
  /// Fails with SHAPE, OVERLAP or POSITION_RANGE.
  Status apply(Floats x, const RotaryArgs& args) const noexcept;
  Status apply(ConstFloats x, Floats out, const RotaryArgs& args) const noexcept;

  /// The inverse rotation (by minus the angle); also the gradient of `apply`. Bounds as `apply`.
  Status unapply(Floats x, const RotaryArgs& args) const noexcept;
  Status unapply(ConstFloats x, Floats out, const RotaryArgs& args) const noexcept;

 private:
  Status turn(ConstFloats x, Floats out, const RotaryArgs& args, double direction) const noexcept;

  RopeConfig config_;
  Frequencies frequencies_;
};

/// `Rope(config)` without exceptions.
Result<Rope> make(const RopeConfig& config) noexcept;

}  // namespace posenc
