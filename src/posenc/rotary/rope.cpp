#include "posenc/rotary/rope.hpp"

#include <algorithm>
#include <cmath>

#include "posenc/core/check.hpp"
#include "posenc/core/sin_cos_rows.hpp"
#include "posenc/kernels/kernels.hpp"
#include "posenc/math/constants.hpp"
#include "posenc/math/elementary.hpp"
#include "posenc/rotary/ladder.hpp"
#include "posenc/rotary/rope_row.hpp"

namespace posenc {
namespace {

constexpr char kName[] = "rope";

RopeConfig filled(RopeConfig config) {
  config.rotary_dim = detail::rotary_dim_of(config);
  return config;
}

std::size_t axes_of(const RopeConfig& config) noexcept {
  if (std::holds_alternative<Mrope>(config.axes)) return 3;
  if (std::holds_alternative<Axial>(config.axes)) return 2;
  const auto* custom = std::get_if<CustomFrequencies>(&config.scaling);
  return custom != nullptr ? custom->axes : 1;
}

math::DoubleDouble rounded(const RopeConfig& config, math::DoubleDouble frequency) noexcept {
  if (config.angles == Angles::exact) return frequency;
  return {static_cast<double>(static_cast<float>(frequency.hi))};
}

std::vector<double> log_zetas(std::size_t pairs) {
  std::vector<double> logs(pairs);
  const double d = 2.0 * static_cast<double>(pairs);
  for (std::size_t i = 0; i < pairs; ++i) {
    const math::DoubleDouble zeta =
        math::DoubleDouble{20.0 * static_cast<double>(i) + 4.0 * d} / math::DoubleDouble{14.0 * d};
    logs[i] = math::log(zeta).hi;
  }
  return logs;
}

}  // namespace

Rope::Rope(const RopeConfig& config) {
  check(config).or_throw();
  config_ = filled(config);
  const std::size_t pairs = config_.rotary_dim / 2;
  const auto* custom = std::get_if<CustomFrequencies>(&config_.scaling);
  if (custom != nullptr) frequency_heads_ = custom->frequency_heads;
  axes_.assign(axes_of(config_) * frequency_heads_, Frequencies(pairs));
  inv_freq_.resize(custom != nullptr ? custom->inv_freq.size() : pairs);
  if (config_.xpos.has_value()) log_zeta_ = log_zetas(pairs);
  rebuild(config_.length);
}

void Rope::rebuild(std::int64_t length) noexcept {
  config_.length = length;
  attention_factor_ = detail::attention_factor(config_, length);
  const std::size_t pairs = config_.rotary_dim / 2;
  if (const auto* custom = std::get_if<CustomFrequencies>(&config_.scaling)) {
    for (std::size_t i = 0; i < custom->inv_freq.size(); ++i) {
      const math::DoubleDouble frequency = rounded(config_, {custom->inv_freq[i]});
      inv_freq_[i] = frequency.hi;
      axes_[i / pairs].set(i % pairs, frequency);
    }
  } else {
    const detail::Ladder ladder(config_, length);
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      Frequencies& axis = axes_[detail::axis_of(config_, pair)];
      const math::DoubleDouble frequency = ladder.frequency(pair);
      if (!ladder.in_quarter_turns()) {
        axis.set(pair, rounded(config_, frequency));
      } else if (config_.angles == Angles::exact) {
        axis.set_quarter_turns(pair, frequency);
      } else {
        axis.set(pair, rounded(config_, frequency * math::kPi * 0.5));
      }
      inv_freq_[pair] = axis.radians()[pair];
    }
  }
  position_limit_ = static_cast<double>(kMaxPosition);
  for (const Frequencies& axis : axes_) {
    position_limit_ = std::min(position_limit_, axis.position_limit());
  }
}

double Rope::softmax_scale_factor() const noexcept {
  const Yarn* yarn = std::get_if<Yarn>(&config_.scaling);
  if (yarn == nullptr || yarn->mscale_all_dim == 0.0) return 1.0;
  const double factor = detail::yarn_mscale(yarn->factor, yarn->mscale_all_dim);
  return factor * factor;
}

double Rope::softmax_scale() const noexcept {
  return softmax_scale_factor() / std::sqrt(static_cast<double>(config_.head_dim));
}

double Rope::scaled_base() const noexcept { return detail::scaled_base(config_, config_.length); }

std::optional<YarnRamp> Rope::yarn_ramp() const noexcept {
  const Yarn* yarn = std::get_if<Yarn>(&config_.scaling);
  if (yarn == nullptr) return std::nullopt;
  return detail::yarn_ramp(*yarn, config_.base, config_.rotary_dim);
}

Status Rope::set_length(std::int64_t length) noexcept {
  if (length < 0 || length > kMaxPosition) {
    return Status::failure(Code::value_range, "length", "rope: length must be 0 to 2^50, got %lld",
                           static_cast<long long>(length));
  }
  rebuild(length);
  return {};
}

Status Rope::check_positions(const char* field, const Positions& positions) const noexcept {
  return detail::check_positions(kName, field, positions, position_limit_);
}

Status Rope::angles(const Positions& positions, std::span<float> cos,
                    std::span<float> sin) const noexcept {
  const std::size_t pairs = config_.rotary_dim / 2, rows = positions.size() / axis_count();
  constexpr char kShape[] = "frequency_heads * rows * rotary_dim/2";
  if (!log_zeta_.empty()) {
    return Status::failure(Code::value_range, "xpos",
                           "rope: angles are not defined with xpos, which gives queries and keys "
                           "tables of their own; use apply");
  }
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "positions", positions.size(), "axes * rows",
                                              {axis_count(), rows}));
  POSENC_RETURN_IF_FAILED(
      detail::check_shape(kName, "cos", cos.size(), kShape, {frequency_heads_, rows, pairs}));
  POSENC_RETURN_IF_FAILED(
      detail::check_shape(kName, "sin", sin.size(), kShape, {frequency_heads_, rows, pairs}));
  POSENC_RETURN_IF_FAILED(detail::check_apart(kName, "cos", cos, "sin", sin));
  POSENC_RETURN_IF_FAILED(check_positions("positions", positions));
  const bool streamed = kernels::streams(cos.size_bytes() + sin.size_bytes());
  detail::SinCosRows::Memory<kernels::kSinCosPairs> memory;
  for (std::size_t head = 0; head < frequency_heads_; ++head) {
    const std::size_t start = head * rows * pairs;
    for (std::size_t first = 0; turns_alone() && first < pairs; first += kernels::kSinCosPairs) {
      detail::SinCosRows turning(axes_[head], first, std::min(kernels::kSinCosPairs, pairs - first),
                                 positions, {attention_factor_, attention_factor_}, memory);
      turning.write(0, positions.size(), kernels::Rounding::nearest, sin.data() + start + first,
                    cos.data() + start + first, pairs, streamed);
    }
    for (std::size_t row = 0; !turns_alone() && row < rows; ++row) {
      const std::size_t at = start + row * pairs;
      write_row({.positions = positions,
                 .row = row,
                 .rows = rows,
                 .head = head,
                 .first_pair = 0,
                 .pairs = pairs,
                 .sin_scale = attention_factor_,
                 .cos_scale = attention_factor_},
                sin.data() + at, cos.data() + at);
    }
  }
  return {};
}

Result<Rope> make(const RopeConfig& config) noexcept {
  return make_result<Rope>(config, {kName, "head_dim", config.head_dim});
}

}  // namespace posenc
