#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "posenc/core/frequencies.hpp"
#include "posenc/core/positions.hpp"
#include "posenc/core/result.hpp"
#include "posenc/core/status.hpp"
#include "posenc/core/storage.hpp"

namespace posenc {

/// How the levels of a multiscale encoding come together in a row.
enum class MultiscaleCombine : std::uint8_t {
  /// Side by side: the row is as wide as the levels together.
  concatenate,
  /// Added: every level has the width of the row.
  sum,
};

/// One level of position: document, section, sentence, token.
struct MultiscaleLevel {
  /// Columns of the level's part, even, 2 to 2^24.
  std::size_t dim = 0;
  /// Frequencies are base^(-2i / dim); 1 to 1e30. A level with few positions wants a small one.
  double base = 10000.0;
  /// What the level's values are multiplied with, -1e30 to 1e30.
  double scale = 1.0;
};

/// Parameters of the multiscale encoding.
struct MultiscaleConfig {
  /// 1 to 16 levels, the coarsest first by custom. Copied when the encoding is made.
  std::span<const MultiscaleLevel> levels{};
  MultiscaleCombine combine = MultiscaleCombine::concatenate;
  /// Whether sine and cosine of a pair stand beside each other, or all sines before all cosines;
  /// within each level.
  bool interleaved = true;
};

/// Says what is wrong with a config; VALUE_RANGE with the field's name.
Status check(const MultiscaleConfig& config) noexcept;

/// Sinusoidal encoding of several positions at once: where a token lies in its sentence, its
/// section and its document. Each level is the encoding of Vaswani et al. 2017 with its own width
/// and base. A generalisation, not the rule of one paper: with `concatenate` it is the scheme that
/// grid encodings use for their axes (MAE, multidim-positional-encoding), with `sum` the one by
/// which LayoutLM adds the tables of its coordinates.
class Multiscale {
 public:
  /// Throws `posenc::Error` when `check(config)` fails, std::bad_alloc when memory runs out.
  explicit Multiscale(const MultiscaleConfig& config);

  std::span<const MultiscaleLevel> levels() const noexcept { return levels_; }
  MultiscaleCombine combine() const noexcept { return combine_; }
  bool interleaved() const noexcept { return interleaved_; }
  /// Columns of a row.
  std::size_t dim() const noexcept;

  /// Writes the rows of tokens to `out` [tokens, dim()]; `positions` has one list of `tokens`
  /// positions for each level, in the levels' order.
  /// Error: concatenated, within 1 ulp of float32 of the exact value for |position| <= 2^24, and
  /// 16-bit types get the nearest of theirs; summed, 2^-24 times the sum of 2 |scale| of the
  /// levels (each level rounded to float32, added in order), and half an ulp of the storage type.
  /// Fails with SHAPE or POSITION_RANGE; writes nothing then. Allocates nothing.
  Status table(std::span<const Positions> positions, Floats out) const noexcept;

  /// Adds the rows to `x` [tokens, dim()] in place: the float32 value of `table`, one float32
  /// addition, and one rounding to the storage type. Fails as `table` does.
  Status add(std::span<const Positions> positions, Floats x) const noexcept;

 private:
  Status check_call(std::span<const Positions> positions, const char* argument,
                    std::size_t size) const noexcept;

  std::vector<MultiscaleLevel> levels_;
  std::vector<Frequencies> frequencies_;
  MultiscaleCombine combine_;
  bool interleaved_;
};

/// `Multiscale(config)` without exceptions.
Result<Multiscale> make(const MultiscaleConfig& config) noexcept;

}  // namespace posenc
