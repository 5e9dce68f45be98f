#pragma once

// Private: the frequencies of a rope's pairs by the rule of its scaling and axes.

#include <cstddef>
#include <cstdint>

#include "posenc/math/double_double.hpp"
#include "posenc/rotary/rope.hpp"

namespace posenc::detail {

/// rotary_dim with its default filled in.
constexpr std::size_t rotary_dim_of(const RopeConfig& config) noexcept {
  return config.rotary_dim != 0 ? config.rotary_dim : config.head_dim - config.rotary_start;
}

/// g(s, m) = 0.1 m ln s + 1 for s > 1, else 1: YaRN's and DeepSeek's factor.
double yarn_mscale(double factor, double mscale) noexcept;

/// The base that StaticNtk and DynamicNtk use at a sequence length, else the config's. Error at
/// most 1 ulp of double.
double scaled_base(const RopeConfig& config, std::int64_t length) noexcept;

YarnRamp yarn_ramp(const Yarn& yarn, double base, std::size_t rotary_dim) noexcept;

/// What cosines and sines are multiplied by at a sequence length.
double attention_factor(const RopeConfig& config, std::int64_t length) noexcept;

/// The frequency of each pair at a sequence length, in radians per position, or in quarter turns
/// for the bands that are rational numbers of turns. Not for CustomFrequencies. `config` has its
/// rotary_dim filled in and outlives the ladder.
class Ladder {
 public:
  Ladder(const RopeConfig& config, std::int64_t length) noexcept;

  bool in_quarter_turns() const noexcept;
  /// Relative error at most 2^-95, before the rounding that Angles other than exact ask for.
  math::DoubleDouble frequency(std::size_t pair) const noexcept;

 private:
  math::DoubleDouble band(std::size_t pair) const noexcept;
  math::DoubleDouble scaled(std::size_t pair, math::DoubleDouble frequency) const noexcept;

  const RopeConfig& config_;
  std::int64_t length_;
  math::DoubleDouble log_base_{};
  YarnRamp ramp_{};
};

/// The axis that a pair reads its position of.
std::size_t axis_of(const RopeConfig& config, std::size_t pair) noexcept;

}  // namespace posenc::detail
