#include "posenc/relative/pope.hpp"

#include <algorithm>
#include <cmath>

#include "posenc/core/check.hpp"
#include "posenc/core/elements.hpp"
#include "posenc/kernels/turns.hpp"
#include "posenc/math/constants.hpp"
#include "posenc/math/double_double.hpp"
#include "posenc/math/elementary.hpp"

namespace posenc {
namespace {

constexpr char kName[] = "pope";
constexpr std::size_t kTile = detail::kTile;

/// ln(1 + e^x) = max(x, 0) + ln(1 + e^-|x|).
double softplus(double x) noexcept {
  const math::DoubleDouble tail =
      math::log(math::DoubleDouble{1.0} + math::exp(math::DoubleDouble{-std::fabs(x)}));
  return std::max(x, 0.0) + tail.hi;
}

}  // namespace

Status check(const PopeConfig& config) noexcept {
  POSENC_RETURN_IF_FAILED(detail::check_width(kName, "heads", config.heads));
  POSENC_RETURN_IF_FAILED(detail::check_width(kName, "head_dim", config.head_dim));
  POSENC_RETURN_IF_FAILED(detail::check_number(kName, "base", config.base, 1.0, 1e30));
  if (config.delta.empty()) return {};
  return detail::check_shape(kName, "delta", config.delta.size(), "heads * head_dim",
                             {config.heads, config.head_dim});
}

Pope::Pope(const PopeConfig& config) : config_(config) {
  check(config).or_throw();
  frequencies_ = Frequencies::geometric(config.head_dim, config.base,
                                        2.0 * static_cast<double>(config.head_dim));
  if (config.delta.empty()) return;
  const math::DoubleDouble lowest = -(math::kPi * math::DoubleDouble{2.0});
  phases_.assign(config.heads, Frequencies(config.head_dim));
  for (std::size_t i = 0; i < config.delta.size(); ++i) {
    float value = 0.0f;
    value = *detail::read(config.delta, i, 1, &value);
    const math::DoubleDouble delta{static_cast<double>(value)};
    phases_[i / config.head_dim].set(i % config.head_dim,
                                     std::clamp(delta, lowest, math::DoubleDouble{}));
  }
  config_.delta = {};
}

Status Pope::embed(ConstFloats x, const Positions& positions, bool keys,
                   Floats out) const noexcept {
  const std::size_t dim = config_.head_dim, rows = config_.heads * positions.size();
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "x", x.size(), "heads * positions * head_dim",
                                              {config_.heads, positions.size(), dim}));
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "out", out.size(),
                                              "heads * positions * 2 head_dim",
                                              {config_.heads, positions.size(), 2, dim}));
  POSENC_RETURN_IF_FAILED(detail::check_apart(kName, "out", out, "x", x));
  POSENC_RETURN_IF_FAILED(detail::check_positions(kName, "positions", positions));
  const bool shifted = keys && !phases_.empty();
  float elements[kTile], sin[kTile], cos[kTile];
  double magnitudes[kTile];
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t head = row / positions.size();
    for (std::size_t first = 0; first < dim; first += kTile) {
      const std::size_t count = std::min(kTile, dim - first);
      const float* values = detail::read(x, row * dim + first, count, elements);
      for (std::size_t i = 0; i < count; ++i) {
        magnitudes[i] = softplus(static_cast<double>(values[i]));
      }
      const kernels::AxisTurns axes[2] = {
          {positions[row % positions.size()], kernels::turns_from(frequencies_, first)},
          {1.0, kernels::turns_from(shifted ? phases_[head] : frequencies_, first)}};
      kernels::active().sin_cos_axes(axes, shifted ? 2 : 1, count, 1.0, 1.0, magnitudes,
                                     detail::rounding_for(out), sin, cos);
      detail::write(out, row * 2 * dim + first, count, cos);
      detail::write(out, row * 2 * dim + dim + first, count, sin);
    }
  }
  return {};
}

Status Pope::embed_queries(ConstFloats x, const Positions& positions, Floats out) const noexcept {
  return embed(x, positions, false, out);
}

Status Pope::embed_keys(ConstFloats x, const Positions& positions, Floats out) const noexcept {
  return embed(x, positions, true, out);
}

Result<Pope> make(const PopeConfig& config) noexcept {
  return make_result<Pope>(config, {kName, "head_dim", config.head_dim});
}

}  // namespace posenc
