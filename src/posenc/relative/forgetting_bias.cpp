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

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double element(ConstFloats x, std::size_t at) noexcept {
  float value = 0.0f;
  return static_cast<double>(*detail::read(x, at, 1, &value));
}

/// The running sums of one row of gates, without those that are shut: infinity - infinity would be
/// no number.
void accumulate(ConstFloats logits, std::size_t row, double scale,
                std::span<double> sums) noexcept {
  double sum = 0.0;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const double logit = element(logits, row * sums.size() + i);
    if (logit != -kInfinity) sum += scale * log_sigmoid(logit);
    sums[i] = sum;
  }
}

/// The first gate after `first` that is shut, or `length`.
std::size_t next_shut(ConstFloats logits, std::size_t row, std::size_t length,
                      std::size_t first) noexcept {
  std::size_t gate = first + 1;
  while (gate < length && element(logits, row * length + gate) != -kInfinity) ++gate;
  return gate;
}

/// The entries of one row of gates at or before each query.
void write_before(ConstFloats logits, std::size_t row, std::size_t head,
                  std::span<const double> sums, Floats out) noexcept {
  const std::size_t length = sums.size();
  std::size_t shut = 0;  // keys before it are behind a gate that is shut
  for (std::size_t query = 0; query < length; ++query) {
    if (element(logits, row * length + query) == -kInfinity) shut = query;
    detail::generate_rounded(
        out, (head * length + query) * length, query + 1,
        [&](std::size_t key) { return key < shut ? -kInfinity : sums[query] - sums[key]; });
  }
}

/// The entries of one row of gates after each query.
void write_after(ConstFloats logits, std::size_t row, std::size_t head,
                 std::span<const double> sums, Floats out) noexcept {
  const std::size_t length = sums.size();
  std::size_t shut = 0;  // keys from it on are behind a gate that is shut
  for (std::size_t query = 0; query < length; ++query) {
    if (shut <= query) shut = next_shut(logits, row, length, query);
    const std::size_t first = query + 1;
    detail::generate_rounded(
        out, (head * length + query) * length + first, length - first, [&](std::size_t i) {
          return first + i < shut ? -(sums[query] - sums[first + i]) : -kInfinity;
        });
  }
}

/// -infinity after each query.
void mask_after(std::size_t head, std::size_t length, Floats out) noexcept {
  for (std::size_t query = 0; query < length; ++query) {
    const std::size_t first = query + 1;
    detail::generate_rounded(out, (head * length + query) * length + first, length - first,
                             [](std::size_t) { return -kInfinity; });
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
    if (row >= config_.heads) {
      write_after(gate_logits, row, head, sums, out);
    } else {
      write_before(gate_logits, row, head, sums, out);
      if (config_.causal) mask_after(head, length, out);
    }
  }
  return {};
}

Result<ForgettingBias> make(const ForgettingBiasConfig& config) noexcept {
  return make_result<ForgettingBias>(config, {kName, "heads", config.heads});
}

}  // namespace posenc
