#include "posenc/rotary/ladder.hpp"

#include <algorithm>
#include <cmath>

#include "posenc/core/check.hpp"
#include "posenc/math/constants.hpp"
#include "posenc/math/elementary.hpp"

namespace posenc {

using math::DoubleDouble;

namespace {

DoubleDouble exact(std::size_t value) noexcept { return {static_cast<double>(value)}; }

/// What NTK-aware scaling raises to the power of d / (d - 2).
DoubleDouble dynamic_growth(const DynamicNtk& ntk, std::int64_t length) noexcept {
  if (length <= ntk.max_position_embeddings) return {1.0};
  const DoubleDouble stretch = DoubleDouble{static_cast<double>(length)} /
                               DoubleDouble{static_cast<double>(ntk.max_position_embeddings)};
  return ntk.factor * stretch - (DoubleDouble{ntk.factor} - 1.0);
}

/// The logarithm of the base: ln(base * growth^(d / (d - 2))) with NTK-aware scaling.
DoubleDouble log_scaled_base(const RopeConfig& config, std::int64_t length) noexcept {
  const DoubleDouble log_base = math::log(DoubleDouble{config.base});
  const auto* fixed = std::get_if<StaticNtk>(&config.scaling);
  const auto* dynamic = std::get_if<DynamicNtk>(&config.scaling);
  if (fixed == nullptr && dynamic == nullptr) return log_base;
  const DoubleDouble growth =
      fixed != nullptr ? DoubleDouble{fixed->factor} : dynamic_growth(*dynamic, length);
  if (growth == DoubleDouble{1.0}) return log_base;
  const std::size_t d = config.rotary_dim;
  return log_base + math::log(growth) * (exact(d) / exact(d - 2));
}

/// The index, a real number, of the pair that turns `rotations` times within the original length.
double yarn_index(const Yarn& yarn, double base, std::size_t d, double rotations) noexcept {
  const DoubleDouble turns =
      DoubleDouble{static_cast<double>(yarn.original_max_position_embeddings)} /
      (math::kPi * DoubleDouble{2.0} * DoubleDouble{rotations});
  return (exact(d) * math::log(turns) / (DoubleDouble{2.0} * math::log(DoubleDouble{base}))).hi;
}

}  // namespace

namespace detail {

double scaled_base(const RopeConfig& config, std::int64_t length) noexcept {
  const bool ntk = std::holds_alternative<StaticNtk>(config.scaling) ||
                   std::holds_alternative<DynamicNtk>(config.scaling);
  return ntk ? math::exp(log_scaled_base(config, length)).hi : config.base;
}

YarnRamp yarn_ramp(const Yarn& yarn, double base, std::size_t rotary_dim) noexcept {
  double low = yarn_index(yarn, base, rotary_dim, yarn.beta_fast);
  double high = yarn_index(yarn, base, rotary_dim, yarn.beta_slow);
  if (yarn.truncate) {
    low = std::floor(low);
    high = std::ceil(high);
  }
  return {std::max(low, 0.0), std::min(high, static_cast<double>(rotary_dim) - 1.0)};
}

double yarn_mscale(double factor, double mscale) noexcept {
  return factor <= 1.0 ? 1.0 : 0.1 * mscale * math::log(factor) + 1.0;
}

namespace {

double attention_factor_of(const Yarn& yarn) noexcept {
  if (yarn.attention_factor.has_value()) return *yarn.attention_factor;
  if (yarn.mscale == 0.0 || yarn.mscale_all_dim == 0.0) return yarn_mscale(yarn.factor, 1.0);
  return yarn_mscale(yarn.factor, yarn.mscale) / yarn_mscale(yarn.factor, yarn.mscale_all_dim);
}

double attention_factor_of(const LongRope& rope, std::int64_t length) noexcept {
  const bool is_long = length > rope.original_max_position_embeddings;
  const auto& given = is_long ? rope.long_attention_factor : rope.short_attention_factor;
  if (given.has_value()) return *given;
  if (rope.factor <= 1.0) return 1.0;
  const auto original = static_cast<double>(rope.original_max_position_embeddings);
  return std::sqrt(1.0 + math::log(rope.factor) / math::log(original));
}

}  // namespace

double attention_factor(const RopeConfig& config, std::int64_t length) noexcept {
  if (const Yarn* yarn = std::get_if<Yarn>(&config.scaling)) return attention_factor_of(*yarn);
  if (const LongRope* rope = std::get_if<LongRope>(&config.scaling)) {
    return attention_factor_of(*rope, length);
  }
  if (const auto* custom = std::get_if<CustomFrequencies>(&config.scaling)) {
    return custom->attention_factor;
  }
  return 1.0;
}

Ladder::Ladder(const RopeConfig& config, std::int64_t length) noexcept
    : config_(config), length_(length), log_base_(log_scaled_base(config, length)) {
  if (const Yarn* yarn = std::get_if<Yarn>(&config.scaling)) {
    ramp_ = yarn_ramp(*yarn, config.base, config.rotary_dim);
    if (ramp_.low == ramp_.high) ramp_.high += 0.001;
  }
}

DoubleDouble Ladder::frequency(std::size_t pair) const noexcept { return scaled(pair, band(pair)); }

namespace {

/// The place of a pair in its axis's ladder, and how many pairs that ladder has.
struct Rung {
  std::size_t place, count;
};

Rung rung_of(const Axial& axial, std::size_t pair, std::size_t axis_pairs) noexcept {
  const bool blocks = axial.order == AxialOrder::blocks;
  return {blocks ? pair % axis_pairs : pair / 2, axis_pairs};
}

DoubleDouble pixel_band(const Axial& axial, const Rung& rung) noexcept {
  const DoubleDouble share =
      rung.count > 1 ? exact(rung.place) / exact(rung.count - 1) : DoubleDouble{};
  const DoubleDouble highest{axial.max_resolution / 2.0};
  if (axial.bands == AxialBands::pixel_linear) {
    return 2.0 * (DoubleDouble{1.0} + share * (highest - DoubleDouble{1.0}));
  }
  return 2.0 * math::exp(math::log(highest) * share);
}

}  // namespace

bool Ladder::in_quarter_turns() const noexcept {
  const Axial* axial = std::get_if<Axial>(&config_.axes);
  return axial != nullptr && axial->bands != AxialBands::geometric &&
         axial->bands != AxialBands::dealt;
}

/// The frequency before scaling.
DoubleDouble Ladder::band(std::size_t pair) const noexcept {
  const Axial* axial = std::get_if<Axial>(&config_.axes);
  std::size_t step = pair, steps = config_.rotary_dim / 2;
  if (axial != nullptr) {
    const Rung rung = rung_of(*axial, pair, config_.rotary_dim / 4);
    if (axial->bands == AxialBands::pixel_linear || axial->bands == AxialBands::pixel_log) {
      return pixel_band(*axial, rung);
    }
    const bool dealt = axial->bands == AxialBands::dealt;
    step = dealt ? 2 * rung.place + axis_of(config_, pair) : rung.place;
    if (!dealt) steps = rung.count;
  }
  const DoubleDouble ladder = math::exp(-(log_base_ * exact(step)) / exact(steps));
  const bool turns = axial != nullptr && axial->bands == AxialBands::turns;
  return turns ? ladder * 4.0 : ladder;
}

namespace {

DoubleDouble blend(DoubleDouble share, DoubleDouble a, DoubleDouble b) noexcept {
  return share * a + (DoubleDouble{1.0} - share) * b;
}

DoubleDouble yarn_frequency(const Yarn& yarn, const YarnRamp& ramp, std::size_t pair,
                            DoubleDouble frequency) noexcept {
  const DoubleDouble low{ramp.low}, width = DoubleDouble{ramp.high} - low;
  const DoubleDouble share = std::clamp((exact(pair) - low) / width, DoubleDouble{}, {1.0});
  return blend(share, frequency / DoubleDouble{yarn.factor}, frequency);
}

DoubleDouble llama3_frequency(const Llama3& llama3, DoubleDouble frequency) noexcept {
  const DoubleDouble original{static_cast<double>(llama3.original_max_position_embeddings)};
  // original / wavelength: how often the pair turns within the original length
  const DoubleDouble turns = original * frequency / (math::kPi * DoubleDouble{2.0});
  const DoubleDouble low{llama3.low_freq_factor}, high{llama3.high_freq_factor};
  const DoubleDouble interpolated = frequency / DoubleDouble{llama3.factor};
  if (!(turns < high)) return frequency;
  if (turns < low) return interpolated;
  return blend((turns - low) / (high - low), frequency, interpolated);
}

std::size_t turning_pairs(const Proportional& proportional, std::size_t head_dim) noexcept {
  const double width = proportional.partial_rotary_factor * static_cast<double>(head_dim);
  return static_cast<std::size_t>(std::floor(width / 2.0));
}

}  // namespace

DoubleDouble Ladder::scaled(std::size_t pair, DoubleDouble frequency) const noexcept {
  const RopeScaling& scaling = config_.scaling;
  if (const Linear* linear = std::get_if<Linear>(&scaling)) {
    return linear->factor == 1.0 ? frequency : frequency / DoubleDouble{linear->factor};
  }
  if (const Yarn* yarn = std::get_if<Yarn>(&scaling)) {
    return yarn_frequency(*yarn, ramp_, pair, frequency);
  }
  if (const LongRope* rope = std::get_if<LongRope>(&scaling)) {
    const bool is_long = length_ > rope->original_max_position_embeddings;
    return frequency / DoubleDouble{(is_long ? rope->long_factor : rope->short_factor)[pair]};
  }
  if (const Llama3* llama3 = std::get_if<Llama3>(&scaling)) {
    return llama3_frequency(*llama3, frequency);
  }
  if (const Proportional* proportional = std::get_if<Proportional>(&scaling)) {
    const bool turns = pair < turning_pairs(*proportional, config_.head_dim);
    return turns ? frequency / DoubleDouble{proportional->factor} : DoubleDouble{};
  }
  return frequency;
}

std::size_t axis_of(const RopeConfig& config, std::size_t pair) noexcept {
  if (const Mrope* mrope = std::get_if<Mrope>(&config.axes)) {
    const auto& sections = mrope->sections;
    if (mrope->interleaved) {
      const std::size_t axis = pair % 3;
      return axis != 0 && pair < 3 * sections[axis] ? axis : 0;
    }
    if (pair < sections[0]) return 0;
    return pair < sections[0] + sections[1] ? 1 : 2;
  }
  if (const Axial* axial = std::get_if<Axial>(&config.axes)) {
    return axial->order == AxialOrder::alternating ? pair % 2 : pair / (config.rotary_dim / 4);
  }
  return 0;
}

}  // namespace detail
}  // namespace posenc
