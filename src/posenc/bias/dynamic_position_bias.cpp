#include "posenc/bias/dynamic_position_bias.hpp"

#include <cmath>

#include "posenc/bias/toeplitz.hpp"
#include "posenc/core/check.hpp"
#include "posenc/core/elements.hpp"
#include "posenc/math/double_double.hpp"
#include "posenc/math/elementary.hpp"

namespace posenc {
namespace {

constexpr char kName[] = "dynamic_position_bias";
constexpr double kMaxDistance = 2.0 * static_cast<double>(kMaxPosition);

/// sign(d) ln(1 + |d|), near 0 too.
double log_distance(double distance) noexcept {
  const math::DoubleDouble size{std::fabs(distance)};
  return std::copysign(math::log(math::DoubleDouble{1.0} + size).hi, distance);
}

/// The values of all heads at a distance key - query.
void evaluate(const DynamicPositionBiasConfig& config, double distance, double* values) noexcept {
  const double signed_distance = -distance;
  values[0] = config.log_distance ? log_distance(signed_distance) : signed_distance;
  detail::run_mlp(config.layers, detail::Activation::silu, 1, values);
}

void write(const double* values, std::size_t head, Floats out, std::size_t at) noexcept {
  detail::generate_rounded(out, at, 1, [&](std::size_t) { return values[head]; });
}

}  // namespace

Status check(const DynamicPositionBiasConfig& config) noexcept {
  if (config.heads < 1 || config.heads > kMaxMlpWidth) {
    return Status::failure(Code::value_range, "heads",
                           "dynamic_position_bias: heads must be 1 to %zu, got %zu", kMaxMlpWidth,
                           config.heads);
  }
  return detail::check_mlp(kName, config.layers, 1, config.heads);
}

DynamicPositionBias::DynamicPositionBias(const DynamicPositionBiasConfig& config)
    : config_(config) {
  check(config).or_throw();
}

Status DynamicPositionBias::distances(std::int64_t first, Floats out) const noexcept {
  const std::size_t count = out.size() / config_.heads;
  POSENC_RETURN_IF_FAILED(
      detail::check_shape(kName, "out", out.size(), "heads * count", {config_.heads, count}));
  POSENC_RETURN_IF_FAILED(
      detail::check_positions(kName, "first", Positions::from(first, count), kMaxDistance));
  POSENC_RETURN_IF_FAILED(detail::check_apart_from_layers(kName, out, config_.layers));
  double values[kMaxMlpWidth];
  for (std::size_t i = 0; i < count; ++i) {
    evaluate(config_, static_cast<double>(first) + static_cast<double>(i), values);
    for (std::size_t head = 0; head < config_.heads; ++head) {
      write(values, head, out, head * count + i);
    }
  }
  return {};
}

Status DynamicPositionBias::bias(const Positions& queries, const Positions& keys,
                                 Floats out) const noexcept {
  POSENC_RETURN_IF_FAILED(
      detail::check_bias(kName, "out", out.size(), config_.heads, queries, keys));
  POSENC_RETURN_IF_FAILED(detail::check_apart_from_layers(kName, out, config_.layers));
  for (std::size_t head = 0; head < config_.heads; ++head) {
    detail::fill_toeplitz(queries, keys, head, out,
                          [&](double first, Floats target, std::size_t at, std::size_t count) {
                            double values[kMaxMlpWidth];
                            for (std::size_t i = 0; i < count; ++i) {
                              evaluate(config_, first + static_cast<double>(i), values);
                              write(values, head, target, at + i);
                            }
                          });
  }
  return {};
}

Result<DynamicPositionBias> make(const DynamicPositionBiasConfig& config) noexcept {
  return make_result<DynamicPositionBias>(config, {kName, "heads", config.heads});
}

}  // namespace posenc
