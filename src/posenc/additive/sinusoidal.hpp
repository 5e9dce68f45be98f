#pragma once

#include <cstddef>
#include <cstdint>

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
  /// All sines, then all cosines: tensor2tensor, fairseq, Marian, Whisper.
  half,
};

/// What fills the column left over when dim is odd.
enum class OddWidth : std::uint8_t {
  /// One more sine than cosines (keras-hub, Marian, multidim-positional-encoding).
  sine,
  /// Zero, in the last column (tensor2tensor, fairseq).
  zero,
};

/// Parameters of the sinusoidal encoding.
struct SinusoidalConfig {
  /// Columns of a row, 1 to 2^24; odd widths by `odd_width`.
  std::size_t dim = 0;
  /// Frequencies are base^(-2i / frequency_denominator), i = 0, 1, ...; base is 1 to 1e30.
  double base = 10000.0;
  SinusoidalLayout layout = SinusoidalLayout::interleaved;
  OddWidth odd_width = OddWidth::sine;
  /// 0 stands for `dim`, as in the paper. tensor2tensor, fairseq and Whisper use dim - 2 (their
  /// exponent i / (dim/2 - 1)); multidim-positional-encoding uses dim + 1 when dim is odd.
  double frequency_denominator = 0.0;
};

/// Says what is wrong with a config; VALUE_RANGE with the field's name.
Status check(const SinusoidalConfig& config) noexcept;

/// Sinusoidal position encoding: sines and cosines of the position at geometrically spaced
/// frequencies. Works for any real position, so nothing limits the length.
/// Source: Vaswani et al. 2017, "Attention is all you need", section 3.5.
class Sinusoidal {
 public:
  /// Throws `posenc::Error` when `check(config)` fails, std::bad_alloc when memory runs out.
  explicit Sinusoidal(const SinusoidalConfig& config);

  const SinusoidalConfig& config() const noexcept { return config_; }

  /// Writes the rows of `positions` to `out` [positions, dim].
  /// Error: within 1 ulp of float32 of the exact value for |position| <= 2^24, fractional and
  /// negative ones too, near zero crossings as well; 16-bit types get
  /// the nearest of theirs. Allocates nothing.
  /// Fails with SHAPE or POSITION_RANGE (not finite, or |position| > 2^50); writes nothing then.
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
