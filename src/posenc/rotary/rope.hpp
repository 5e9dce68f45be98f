#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "posenc/core/frequencies.hpp"
#include "posenc/core/positions.hpp"
#include "posenc/core/result.hpp"
#include "posenc/core/rope_layout.hpp"
#include "posenc/core/status.hpp"
#include "posenc/core/storage.hpp"
#include "posenc/rotary/axes.hpp"
#include "posenc/rotary/scaling.hpp"

namespace posenc {

/// How angles are made from positions and frequencies.
enum class Angles : std::uint8_t {
  /// position * frequency to the last place.
  exact,
  /// Frequencies are rounded to float32 first; the rest is exact.
  float32_frequencies,
  /// Frequencies and positions are float32 and multiplied in float32, as common Python code does:
  /// the angles that most checkpoints were trained with, off by up to 2^-24 of the angle.
  float32,
};

/// xPos's decay (Sun et al. 2022, arXiv 2212.10554): pair i of a query at position p is multiplied
/// by zeta^((p - origin) / scale_base), of a key by its inverse, zeta = (2i + 0.4 d) / (1.4 d).
struct Xpos {
  /// Above 0.
  double scale_base = 512.0;
  /// Queries and keys must share it. Keys grow and queries shrink with the distance from it, by up
  /// to 3.5^(distance / scale_base): verbs refuse positions where that leaves float32's range, more
  /// than 69 * scale_base away. With a fixed origin cached keys stay valid. Not given: half
  /// the length of the call, rounded down, as published code does; then nothing may be cached.
  std::optional<double> origin = 0.0;
};

/// Parameters of rotary position embedding.
struct RopeConfig {
  /// Width of a head: even, 2 to 2^24.
  std::size_t head_dim = 0;
  /// How many dims rotate: even, 2 to head_dim; 0 stands for head_dim - rotary_start. The rest is
  /// copied.
  std::size_t rotary_dim = 0;
  /// The first dim that rotates.
  std::size_t rotary_start = 0;
  /// Frequencies are base^(-2i / rotary_dim); base is 1 to 1e30. Often called rope_theta.
  double base = 10000.0;
  /// Not told by a config.json: see the model's code. A wrong layout gives wrong values silently.
  RopeLayout layout = RopeLayout::half;
  RopeScaling scaling = NoScaling{};
  /// The sequence length that DynamicNtk and LongRope adapt to; not read by the others.
  std::int64_t length = 0;
  Angles angles = Angles::exact;
  RopeAxes axes = OneAxis{};
  std::optional<Xpos> xpos{};
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

/// Which side of the product a tensor is on; read by xPos alone.
enum class RotarySide : std::uint8_t { query, key };

/// The shape of a tensor that is rotated, and its positions.
struct RotaryArgs {
  std::size_t batch = 1;
  /// Heads of this tensor: query heads for q, key-value heads for k.
  std::size_t heads = 1;
  /// [length], shared by the batch, or [batch, length]; with several axes [axes, ...] of these. Not
  /// read by `rotate`.
  Positions positions{};
  /// Tokens per sequence; 0 stands for positions.size() / axes (for `rotate`: the rows of the
  /// tables).
  std::size_t length = 0;
  RotaryOrder order = RotaryOrder::heads_first;
  /// Distances in elements between neighbours along each axis; 0 stands for the contiguous tensor
  /// of `order`. Rows of head_dim elements are contiguous and must not overlap.
  std::size_t batch_stride = 0;
  std::size_t head_stride = 0;
  std::size_t length_stride = 0;
  RotarySide side = RotarySide::query;
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
  /// Radians per position of each pair, nearest double, scaling included: [rotary_dim/2], or the
  /// caller's [axes, frequency_heads, rotary_dim/2].
  std::span<const double> inv_freq() const noexcept { return inv_freq_; }
  /// What cosines and sines are multiplied by: 1 but for YaRN, LongRoPE and custom frequencies.
  /// It applies to q and to k, so scores get its square.
  double attention_factor() const noexcept { return attention_factor_; }
  /// What DeepSeek's YaRN multiplies the softmax scale by, beside the attention factor; else 1.
  double softmax_scale_factor() const noexcept;
  /// head_dim^-0.5 * softmax_scale_factor(): `AttentionArgs::scale`.
  double softmax_scale() const noexcept;
  /// The base that StaticNtk and DynamicNtk raise the config's to; with others the config's.
  double scaled_base() const noexcept;
  /// YaRN's ramp, in indices of pairs; nothing with other scalings.
  std::optional<YarnRamp> yarn_ramp() const noexcept;
  /// Position axes: 1, 2 (Axial), 3 (Mrope) or the caller's.
  std::size_t axis_count() const noexcept { return axes_.size() / frequency_heads_; }
  /// Heads with frequencies of their own: 1 but for custom frequencies.
  std::size_t frequency_heads() const noexcept { return frequency_heads_; }

  /// Adapts DynamicNtk and LongRope to another sequence length while decoding: rotary_dim
  /// operations, no allocation. Keys that were rotated before keep their old angles: see
  /// `rerotate`. Not to be called while other threads use this rope. The result depends on `length`
  /// alone, not on lengths set before. Fails with VALUE_RANGE when length is negative.
  Status set_length(std::int64_t length) noexcept;

  /// Writes the tables of cosines and sines, each [rows, rotary_dim/2], or
  /// [frequency_heads, rows, rotary_dim/2]; positions are [rows], or [axes, rows].
  /// Error: within 1 ulp of float32 of the exact value, or within 2^-70 where that is more, for
  /// |position| <= 2^24, fractional and negative ones too. Fails with SHAPE, OVERLAP,
  /// POSITION_RANGE (|position| > 2^50, or less where a scaling makes frequencies large: the
  /// message has the limit), or VALUE_RANGE for a rope with xPos, whose tables depend on the side.
  Status angles(const Positions& positions, std::span<float> cos,
                std::span<float> sin) const noexcept;

  /// Rotates with ready tables, each [length, rotary_dim/2] or [batch, length, rotary_dim/2].
  /// In place, or from `x` to `out` of the same shape; the two may be the same memory, any other
  /// overlap is an error. Error against exact arithmetic on the given tables: at most
  /// 2 * 2^-24 * (|a cos| + |b sin|) for each output, the bound of two products and a sum rounded
  /// one by one (1.998 is reached), while no product falls below 2^-126. Fails with SHAPE or
  /// OVERLAP, or VALUE_RANGE for a rope whose heads have frequencies of their own.
  Status rotate(Floats x, std::span<const float> cos, std::span<const float> sin,
                const RotaryArgs& args) const noexcept;
  Status rotate(ConstFloats x, Floats out, std::span<const float> cos, std::span<const float> sin,
                const RotaryArgs& args) const noexcept;

  /// `angles` and `rotate` in one, without tables in memory; gives the bits of the two calls.
  /// Error for |position| <= 2^24: at most 4 * 2^-24 * (|a cos| + |b sin|) for each output, half of
  /// it the 1 ulp of the tables, while no product falls below 2^-126. Fails with SHAPE, OVERLAP or
  /// POSITION_RANGE.
  Status apply(Floats x, const RotaryArgs& args) const noexcept;
  Status apply(ConstFloats x, Floats out, const RotaryArgs& args) const noexcept;
  /// q and k in one call, with one table for both: args describe q, k has `kv_heads` heads and else
  /// the same shape. In place; contiguous tensors only.
  Status apply(Floats q, Floats k, const RotaryArgs& args, std::size_t kv_heads) const noexcept;

  /// The inverse of `apply`: by minus the angle, divided by the attention factor. Bounds as
  /// `apply`.
  Status unapply(Floats x, const RotaryArgs& args) const noexcept;
  Status unapply(ConstFloats x, Floats out, const RotaryArgs& args) const noexcept;

  /// The gradient of `apply`, its transpose: by minus the angle, times the attention factor. From
  /// the gradient of the output to that of the input. Bounds as `apply`.
  Status backward(Floats gradient, const RotaryArgs& args) const noexcept;
  Status backward(ConstFloats gradient, Floats out, const RotaryArgs& args) const noexcept;

  /// Turns cached keys that `from` rotated at args.positions into what this rope gives at
  /// `positions` (of the same size): a shift of positions, a change of scaling or length, or both,
  /// in one rotation by the difference of the angles. `from` may be this rope; both must rotate the
  /// same dims in the same layout and axes. Bounds as `apply`. Fails also with VALUE_RANGE when the
  /// ropes do not fit together, or when either has xPos or Angles::float32.
  ///
  /// Every call rounds the keys once to their storage type. Measured on pairs of length 1: a
  /// thousand shifts by one position leave float32 keys within 1e-4; 16-bit keys are lost by then
  /// (float16 off by 0.3, bfloat16 by 2), for a turn of a slow pair that is less than half a unit
  /// in the last place rounds to none. One call over the same distance costs half a unit. So shift
  /// 16-bit keys seldom and far at a time, or keep them as they were before rotation.
  Status rerotate(Floats x, const Rope& from, const RotaryArgs& args,
                  const Positions& positions) const noexcept;
  Status rerotate(ConstFloats x, Floats out, const Rope& from, const RotaryArgs& args,
                  const Positions& positions) const noexcept;

 private:
  enum class Direction : std::uint8_t { forward, inverse, transpose };
  struct Row;
  struct Target;
  struct Turn;

  void rebuild(std::int64_t length) noexcept;
  Status check_positions(const char* field, const Positions& positions) const noexcept;
  Status check_decay(const Positions& positions, std::size_t length) const noexcept;
  /// Whether an angle is position * frequency: not a sum over axes, nor in float32, nor with xPos.
  bool turns_alone() const noexcept;
  void write_row(const Row& row, float* sin, float* cos) const noexcept;
  Status prepare(const RotaryArgs& args, ConstFloats x, Floats out, Target& target) const noexcept;
  Turn turning(std::span<const Target> targets, const RotaryArgs& args,
               Direction direction) const noexcept;
  Status turn(ConstFloats x, Floats out, const RotaryArgs& args,
              Direction direction) const noexcept;
  void run(const Turn& turn) const noexcept;
  void turn_sequences(const Turn& turn, std::size_t head, std::size_t first_row,
                      std::size_t first_sequence, std::size_t sequences) const noexcept;

  RopeConfig config_;
  std::size_t frequency_heads_ = 1;
  /// [axes, frequency_heads]
  std::vector<Frequencies> axes_;
  std::vector<double> inv_freq_;
  /// Natural logarithms of xPos's zeta, empty without.
  std::vector<double> log_zeta_;
  double attention_factor_ = 1.0;
  double position_limit_ = 0.0;
};

/// `Rope(config)` without exceptions.
Result<Rope> make(const RopeConfig& config) noexcept;

}  // namespace posenc
