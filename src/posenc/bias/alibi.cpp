#include "posenc/bias/alibi.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "posenc/bias/toeplitz.hpp"
#include "posenc/core/check.hpp"
#include "posenc/core/consecutive.hpp"
#include "posenc/core/elements.hpp"
#include "posenc/kernels/kernels.hpp"
#include "posenc/math/double_double.hpp"
#include "posenc/math/elementary.hpp"

namespace posenc {
namespace {

constexpr char kName[] = "alibi";
constexpr double kMaxDistance = 2.0 * static_cast<double>(kMaxPosition);

/// 2^(-bias_max * numerator / denominator).
double slope(double bias_max, std::size_t numerator, std::size_t denominator) noexcept {
  const math::DoubleDouble exponent = math::DoubleDouble{-bias_max} *
                                      math::DoubleDouble{static_cast<double>(numerator)} /
                                      math::DoubleDouble{static_cast<double>(denominator)};
  return math::pow(math::DoubleDouble{2.0}, exponent).hi;
}

std::vector<double> slopes_of(const AlibiConfig& config) {
  if (!config.custom_slopes.empty()) return config.custom_slopes;
  const std::size_t heads = config.alibi_heads != 0 ? config.alibi_heads : config.heads;
  const std::size_t regular = config.slopes == AlibiSlopes::paper ? heads : std::bit_floor(heads);
  std::vector<double> slopes(config.heads, 0.0);
  for (std::size_t head = 0; head < heads; ++head) {
    slopes[head] = head < regular
                       ? slope(config.alibi_bias_max, head + 1, regular)
                       : slope(config.alibi_bias_max, 2 * (head - regular) + 1, 2 * regular);
  }
  return slopes;
}

/// The bias of distances first, first + 1, ... for one head.
void fill(double slope, AlibiForm form, double first, std::size_t count, kernels::Rounding rounding,
          float* out) noexcept {
  const double past = std::floor(-first) + 1.0;  // how many distances are at most 0
  const std::size_t split =
      past <= 0.0 ? 0 : static_cast<std::size_t>(std::min(past, static_cast<double>(count)));
  kernels::active().line(slope, first, split, rounding, out);
  if (form == AlibiForm::causal) {
    std::fill(out + split, out + count, -std::numeric_limits<float>::infinity());
  } else {
    const double next = first + static_cast<double>(split);
    kernels::active().line(-slope, next, count - split, rounding, out + split);
  }
}

void fill(double slope, AlibiForm form, double first, std::size_t count, Floats out,
          std::size_t at) noexcept {
  detail::generate(out, at, count, [&](std::size_t done, std::size_t part, float* values) {
    fill(slope, form, first + static_cast<double>(done), part, detail::rounding_for(out), values);
  });
}

}  // namespace

Status check(const AlibiConfig& config) noexcept {
  POSENC_RETURN_IF_FAILED(detail::check_width(kName, "heads", config.heads));
  POSENC_RETURN_IF_FAILED(
      detail::check_number(kName, "alibi_bias_max", config.alibi_bias_max, 1e-30, 1000.0));
  if (config.alibi_heads > config.heads) {
    return Status::failure(Code::value_range, "alibi_heads",
                           "alibi: alibi_heads must be at most heads = %zu, got %zu", config.heads,
                           config.alibi_heads);
  }
  if (config.custom_slopes.empty()) return {};
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "custom_slopes", config.custom_slopes.size(),
                                              "heads", {config.heads}));
  for (double slope : config.custom_slopes) {
    POSENC_RETURN_IF_FAILED(detail::check_number(kName, "custom_slopes", slope, -1e30, 1e30));
  }
  return {};
}

Alibi::Alibi(const AlibiConfig& config) : config_(config) {
  check(config).or_throw();
  slopes_ = slopes_of(config);
}

Status Alibi::distances(std::int64_t first, Floats out) const noexcept {
  const std::size_t count = out.size() / config_.heads;
  POSENC_RETURN_IF_FAILED(
      detail::check_shape(kName, "out", out.size(), "heads * count", {config_.heads, count}));
  POSENC_RETURN_IF_FAILED(
      detail::check_positions(kName, "first", Positions::from(first, count), kMaxDistance));
  for (std::size_t head = 0; head < config_.heads; ++head) {
    fill(slopes_[head], config_.form, static_cast<double>(first), count, out, head * count);
  }
  return {};
}

Status Alibi::bias(const Positions& queries, const Positions& keys, Floats out) const noexcept {
  POSENC_RETURN_IF_FAILED(
      detail::check_bias(kName, "out", out.size(), config_.heads, queries, keys));
  for (std::size_t head = 0; head < config_.heads; ++head) {
    detail::fill_toeplitz(queries, keys, head, out,
                          [&](double first, Floats target, std::size_t at, std::size_t count) {
                            fill(slopes_[head], config_.form, first, count, target, at);
                          });
  }
  return {};
}

Status Alibi::key_bias(const Positions& keys, Floats out) const noexcept {
  POSENC_RETURN_IF_FAILED(
      detail::check_shape(kName, "out", out.size(), "heads * keys", {config_.heads, keys.size()}));
  POSENC_RETURN_IF_FAILED(detail::check_positions(kName, "keys", keys));
  const auto line = kernels::active().line;
  const kernels::Rounding rounding = detail::rounding_for(out);
  for (std::size_t head = 0; head < config_.heads; ++head) {
    const double slope = slopes_[head];
    detail::generate(out, head * keys.size(), keys.size(),
                     [&](std::size_t first, std::size_t count, float* values) {
                       std::size_t run = 0;
                       for (std::size_t i = 0; i < count; i += run) {
                         run = detail::run_length(keys, first + i, count - i);
                         line(slope, keys[first + i], run, rounding, values + i);
                       }
                     });
  }
  return {};
}

Status Alibi::falcon_key_bias(const Positions& keys, Floats out) const noexcept {
  POSENC_RETURN_IF_FAILED(
      detail::check_shape(kName, "out", out.size(), "heads * keys", {config_.heads, keys.size()}));
  POSENC_RETURN_IF_FAILED(detail::check_positions(kName, "keys", keys));
  const auto rounded = [](double value) {
    return to_float(to_bfloat16(static_cast<float>(value)));
  };
  for (std::size_t head = 0; head < config_.heads; ++head) {
    const float slope = rounded(slopes_[head]);
    detail::generate(out, head * keys.size(), keys.size(),
                     [&](std::size_t first, std::size_t count, float* values) {
                       for (std::size_t i = 0; i < count; ++i) {
                         values[i] = rounded(slope * rounded(keys[first + i]));
                       }
                     });
  }
  return {};
}

Status Alibi::slope_gradient(const Positions& queries, const Positions& keys, ConstFloats gradient,
                             std::span<float> slopes) const noexcept {
  POSENC_RETURN_IF_FAILED(
      detail::check_bias(kName, "gradient", gradient.size(), config_.heads, queries, keys));
  POSENC_RETURN_IF_FAILED(
      detail::check_shape(kName, "slopes", slopes.size(), "heads", {config_.heads}));
  POSENC_RETURN_IF_FAILED(detail::check_apart(kName, "slopes", slopes, "gradient", gradient));
  const bool causal = config_.form == AlibiForm::causal;
  for (std::size_t head = 0; head < config_.heads; ++head) {
    double sum = 0.0;
    detail::visit_bias(queries, keys, head, gradient, [&](double distance, double weight) {
      if (!causal || distance <= 0.0) sum -= std::fabs(distance) * weight;
    });
    slopes[head] = static_cast<float>(sum);
  }
  return {};
}

Result<Alibi> make(const AlibiConfig& config) noexcept {
  return make_result<Alibi>(config, {kName, "heads", config.heads});
}

}  // namespace posenc
