#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "posenc/core/frequencies.hpp"
#include "posenc/core/positions.hpp"
#include "posenc/core/result.hpp"
#include "posenc/core/status.hpp"
#include "posenc/core/storage.hpp"

namespace posenc {

/// Where the sine and cosine of pair i stand in a row.
enum class SinusoidalLayout : std::uint8_t {
  /// sin at column 2i, cos at column 2i + 1: the paper (Vaswani et al. 2017, section 3.5).
  interleaved,
  /// All sines, then all cosines: tensor2tensor, fairseq, Marian, Whisper, diffusion timesteps.
  half,
};

/// Which function of a pair comes first in `SinusoidalLayout`.
enum class SinusoidalOrder : std::uint8_t {
  /// The paper and most others.
  sine_first,
  /// ggml's and guided-diffusion's timestep embeddings: [cos | sin].
  cosine_first,
};

/// What fills the column left over when dim is odd.
enum class OddWidth : std::uint8_t {
  /// One more of the function that comes first, a sine unless the order says otherwise (keras-hub,
  /// Marian, multidim-positional-encoding).
  sine,
  /// Zero, in the last column (tensor2tensor, fairseq, ggml).
  zero,
};

/// Parameters of the sinusoidal encoding.
///
/// The frequencies are position_scale * base^(-2i / frequency_denominator), i = 0, 1, ... What
/// published code divides by, with half = dim / 2 rounded down:
///
///     exponent         frequency_denominator  used by
///     2i / dim         0 (stands for dim)     the paper, keras-hub, Marian, x-transformers
///     i / half         2 * half               ggml, guided-diffusion, diffusers (shift 0)
///     i / (half - 1)   2 * (half - 1)         tensor2tensor, fairseq, Whisper, DDPM
///     2i / (dim + 1)   dim + 1                multidim-positional-encoding when dim is odd
///
/// Only pair 0, of frequency 1, is left where a denominator would be 0.
struct SinusoidalConfig {
  /// Columns of a row, 1 to 2^24; odd widths by `odd_width`.
  std::size_t dim = 0;
  /// 1 to 1e30. Diffusion models call it max_period, vision models temperature.
  double base = 10000.0;
  SinusoidalLayout layout = SinusoidalLayout::interleaved;
  OddWidth odd_width = OddWidth::sine;
  /// 0 stands for `dim`; see above.
  double frequency_denominator = 0.0;
  SinusoidalOrder order = SinusoidalOrder::sine_first;
  /// What every value is multiplied with, -1e30 to 1e30: x-transformers starts from dim^-0.5.
  double scale = 1.0;
  /// What positions are multiplied with, 1e-30 to 1e30: diffusers' `scale`, 1000 where timesteps
  /// are fractions.
  double position_scale = 1.0;
  /// tensor2tensor's two timescales. When max_timescale is not 0 the frequencies are
  /// min_timescale * (max_timescale / min_timescale)^(-i / max(half - 1, 1)), as that code has it,
  /// and base and frequency_denominator must not be given. Each 1e-30 to 1e30.
  double min_timescale = 1.0;
  double max_timescale = 0.0;
  /// The position whose row is zero: fairseq's padding_idx, whose tokens start at padding_idx + 1.
  std::optional<std::int64_t> padding_position{};
};

/// Says what is wrong with a config; VALUE_RANGE with the field's name.
Status check(const SinusoidalConfig& config) noexcept;

/// Sinusoidal position encoding: sines and cosines of the position at geometrically spaced
/// frequencies. Works for any real position, so nothing limits the length, and a start index is
/// just the first position.
/// Source: Vaswani et al. 2017, "Attention is all you need", section 3.5.
class Sinusoidal {
 public:
  /// Throws `posenc::Error` when `check(config)` fails, std::bad_alloc when memory runs out.
  explicit Sinusoidal(const SinusoidalConfig& config);

  const SinusoidalConfig& config() const noexcept { return config_; }
  /// Radians per position of each pair, nearest double.
  std::span<const double> frequencies() const noexcept { return frequencies_.radians(); }

  /// Writes the rows of `positions` to `out` [positions, dim].
  /// Error: within 1 ulp of float32 of the exact value while |position| times the largest frequency
  /// is at most 2^24, for fractional and negative positions and near zero crossings as well; 16-bit
  /// types get the nearest of theirs. Allocates nothing.
  /// Fails with SHAPE or POSITION_RANGE (not finite, or |position| > 2^50, less when frequencies
  /// are above 1); writes nothing then.
  Status table(const Positions& positions, Floats out) const noexcept;

  /// Adds the rows of `positions` to `x` [positions, dim] in place: the float32 value of `table`,
  /// one float32 addition, and one rounding to the storage type. Fails as `table` does.
  Status add(const Positions& positions, Floats x) const noexcept;

 private:
  SinusoidalConfig config_;
  Frequencies frequencies_;
};

/// `Sinusoidal(config)` without exceptions.
Result<Sinusoidal> make(const SinusoidalConfig& config) noexcept;

}  // namespace posenc
