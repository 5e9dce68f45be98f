#include "posenc/relative/forgetting_bias.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "posenc/core/check.hpp"
#include "posenc/core/elements.hpp"
#include "posenc/math/double_double.hpp"
#include "posenc/math/elementary.hpp"

namespace posenc {
namespace {

constexpr char kName[] = "forgetting_bias";

/// ln sigmoid(x) = min(x, 0) - ln(1 + e^-|x|).
double log_sigmoid(double x) noexcept {
  const math::DoubleDouble tail =
      math::log(math::DoubleDouble{1.0} + math::exp(math::DoubleDouble{-std::fabs(x)}));
  return std::min(x, 0.0) - tail.hi;
}

/// The running sums of one row of gates.
void accumulate(ConstFloats logits, std::size_t row, double scale,
                std::span<double> sums) noexcept {
  double sum = 0.0;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    float logit = 0.0f;
    logit = *detail::read(logits, row * sums.size() + i, 1, &logit);
    sum += scale * log_sigmoid(static_cast<double>(logit));
    sums[i] = sum;
  }
}

}  // namespace

Status check(const ForgettingBiasConfig& config) noexcept {
  POSENC_RETURN_IF_FAILED(detail::check_width(kName, "heads", config.heads));
  return detail::check_number(kName, "log_scale", config.log_scale, 1e-30, 1e30);
}

ForgettingBias::ForgettingBias(const ForgettingBiasConfig& config) : config_(config) {
  check(config).or_throw();
}

Status ForgettingBias::bias(ConstFloats gate_logits, std::span<double> workspace,
                            Floats out) const noexcept {
  const std::size_t rows = config_.causal ? config_.heads : 2 * config_.heads;
  const std::size_t length = gate_logits.size() / rows;
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "gate_logits", gate_logits.size(),
                                              "rows * length", {rows, length}));
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "out", out.size(), "heads * length * length",
                                              {config_.heads, length, length}));
  if (workspace.size() < length) {
    return Status::failure(Code::shape, "workspace",
                           "forgetting_bias: workspace must have at least %zu elements, got %zu",
                           length, workspace.size());
  }
  POSENC_RETURN_IF_FAILED(detail::check_apart(kName, "out", out, "gate_logits", gate_logits));
  const std::span<double> sums = workspace.first(length);
  for (std::size_t row = 0; row < rows; ++row) {
    accumulate(gate_logits, row, config_.log_scale, sums);
    const std::size_t head = row % config_.heads;
    const bool after = row >= config_.heads;
    for (std::size_t query = 0; query < length; ++query) {
      const std::size_t line = (head * length + query) * length;
      const std::size_t first = after ? query + 1 : 0, last = after ? length : query + 1;
      detail::generate_rounded(out, line + first, last - first, [&](std::size_t i) {
        const double difference = sums[query] - sums[first + i];
        return after ? -difference : difference;
      });
      if (!config_.causal) continue;
      detail::generate_rounded(out, line + last, length - last, [](std::size_t) {
        return -std::numeric_limits<double>::infinity();
      });
    }
  }
  return {};
}

Result<ForgettingBias> make(const ForgettingBiasConfig& config) noexcept {
  return make_result<ForgettingBias>(config);
}

}  // namespace posenc
