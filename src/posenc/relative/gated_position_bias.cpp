#include "posenc/relative/gated_position_bias.hpp"

#include <algorithm>

#include "posenc/core/check.hpp"
#include "posenc/core/elements.hpp"
#include "posenc/core/packed_rows.hpp"
#include "posenc/math/elementary.hpp"

namespace posenc {
namespace {

constexpr char kName[] = "gated_position_bias";
constexpr std::size_t kProjections = 8;

double element(ConstFloats x, std::size_t at) noexcept {
  float value = 0.0f;
  return static_cast<double>(*detail::read(x, at, 1, &value));
}

/// The sum of projections first .. first + 3 of a hidden state.
double project(const GatedPositionBiasConfig& config, const float* hidden,
               std::size_t first) noexcept {
  float tile[detail::kMaxHeadDim];
  double sum = 0.0;
  for (std::size_t row = first; row < first + kProjections / 2; ++row) {
    const float* weights =
        detail::read(config.gate_weight, row * config.head_dim, config.head_dim, tile);
    double product = element(config.gate_bias, row);
    for (std::size_t i = 0; i < config.head_dim; ++i) {
      product += static_cast<double>(weights[i]) * static_cast<double>(hidden[i]);
    }
    sum += product;
  }
  return sum;
}

}  // namespace

Status check(const GatedPositionBiasConfig& config) noexcept {
  POSENC_RETURN_IF_FAILED(detail::check_width(kName, "heads", config.heads));
  POSENC_RETURN_IF_FAILED(
      detail::check_count(kName, "head_dim", config.head_dim, 1, detail::kMaxHeadDim));
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "gate_weight", config.gate_weight.size(),
                                              "8 * head_dim", {kProjections, config.head_dim}));
  POSENC_RETURN_IF_FAILED(
      detail::check_shape(kName, "gate_bias", config.gate_bias.size(), "8", {kProjections}));
  return detail::check_shape(kName, "gate_const", config.gate_const.size(), "heads",
                             {config.heads});
}

GatedPositionBias::GatedPositionBias(const GatedPositionBiasConfig& config) : config_(config) {
  check(config).or_throw();
}

Status GatedPositionBias::gate(ConstFloats hidden, std::size_t length, Floats out) const noexcept {
  const std::size_t heads = config_.heads, dim = config_.head_dim;
  const std::size_t batch = length == 0 ? 0 : out.size() / heads / length;
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "out", out.size(), "batch * heads * length",
                                              {batch, heads, length}));
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "hidden", hidden.size(),
                                              "batch * length * heads * head_dim",
                                              {batch, length, heads, dim}));
  POSENC_RETURN_IF_FAILED(detail::check_apart(kName, "out", out,
                                              {{"hidden", hidden},
                                               {"gate_weight", config_.gate_weight},
                                               {"gate_bias", config_.gate_bias},
                                               {"gate_const", config_.gate_const}}));
  float tile[detail::kMaxHeadDim];
  for (std::size_t line = 0; line < batch * heads; ++line) {
    const std::size_t head = line % heads, sequence = line / heads;
    const double constant = element(config_.gate_const, head);
    detail::generate_rounded(out, line * length, length, [&](std::size_t i) {
      const std::size_t at = ((sequence * length + i) * heads + head) * dim;
      const float* state = detail::read(hidden, at, dim, tile);
      const double a = math::sigmoid(project(config_, state, 0));
      const double b = math::sigmoid(project(config_, state, kProjections / 2));
      return a * (b * constant - 1.0) + 2.0;
    });
  }
  return {};
}

Status GatedPositionBias::bias(ConstFloats gate, ConstFloats position_bias, std::size_t queries,
                               std::size_t keys, Floats out) const noexcept {
  const std::size_t heads = config_.heads;
  const std::size_t batch = queries == 0 ? 0 : gate.size() / heads / queries;
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "gate", gate.size(), "batch * heads * queries",
                                              {batch, heads, queries}));
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "position_bias", position_bias.size(),
                                              "heads * queries * keys", {heads, queries, keys}));
  POSENC_RETURN_IF_FAILED(detail::check_shape(
      kName, "out", out.size(), "batch * heads * queries * keys", {batch, heads, queries, keys}));
  POSENC_RETURN_IF_FAILED(
      detail::check_apart(kName, "out", out, {{"gate", gate}, {"position_bias", position_bias}}));
  for (std::size_t line = 0; line < batch * heads * queries; ++line) {
    const auto factor = static_cast<float>(element(gate, line));
    const std::size_t row = line % (heads * queries) * keys;
    detail::generate(out, line * keys, keys, [&](std::size_t first, std::size_t count, float* to) {
      for (std::size_t i = 0; i < count; ++i) {
        to[i] = factor * static_cast<float>(element(position_bias, row + first + i));
      }
    });
  }
  return {};
}

Result<GatedPositionBias> make(const GatedPositionBiasConfig& config) noexcept {
  return make_result<GatedPositionBias>(config, {kName, "heads", config.heads});
}

}  // namespace posenc
