#include "posenc/bias/fire.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "posenc/bias/toeplitz.hpp"
#include "posenc/core/check.hpp"
#include "posenc/core/elements.hpp"
#include "posenc/math/double_double.hpp"
#include "posenc/math/elementary.hpp"

namespace posenc {
namespace {

constexpr char kName[] = "fire";

double psi(double c, double x) noexcept {
  const math::DoubleDouble product =
      math::DoubleDouble{std::fabs(c)} * math::DoubleDouble{std::fabs(x)};
  return math::log(product + math::DoubleDouble{1.0}).hi;
}

/// Writes the values of all heads for one query and key.
void write_heads(const double* values, std::size_t heads, std::size_t plane, std::size_t at,
                 Floats out) noexcept {
  for (std::size_t head = 0; head < heads; ++head) {
    detail::generate_rounded(out, head * plane + at, 1, [&](std::size_t) { return values[head]; });
  }
}

}  // namespace

Status check(const FireConfig& config) noexcept {
  if (config.heads < 1 || config.heads > kMaxMlpWidth) {
    return Status::failure(Code::value_range, "heads", "fire: heads must be 1 to %zu, got %zu",
                           kMaxMlpWidth, config.heads);
  }
  POSENC_RETURN_IF_FAILED(detail::check_number(kName, "c", config.c, -1e30, 1e30));
  POSENC_RETURN_IF_FAILED(detail::check_number(kName, "threshold", config.threshold, 0.0, 1e30));
  POSENC_RETURN_IF_FAILED(detail::check_number(kName, "eps", config.eps, 0.0, 1.0));
  return detail::check_mlp(kName, config.layers, 1, config.heads);
}

Fire::Fire(const FireConfig& config) : config_(config) { check(config).or_throw(); }

Status Fire::bias(const Positions& queries, const Positions& keys, Floats out) const noexcept {
  POSENC_RETURN_IF_FAILED(
      detail::check_bias(kName, "out", out.size(), config_.heads, queries, keys));
  POSENC_RETURN_IF_FAILED(detail::check_apart_from_layers(kName, out, config_.layers));
  if (out.empty()) return {};  // however many queries without a key there are
  const std::size_t plane = queries.size() * keys.size();
  double values[kMaxMlpWidth];
  for (std::size_t query = 0; query < queries.size(); ++query) {
    const double reach = std::max(config_.threshold, queries[query]);
    const double denominator = psi(config_.c, reach) + config_.eps;
    for (std::size_t key = 0; key < keys.size(); ++key) {
      const double distance = queries[query] - keys[key];
      if (config_.causal && distance < 0.0) {
        std::fill_n(values, config_.heads, -std::numeric_limits<double>::infinity());
      } else {
        const double numerator = psi(config_.c, distance);
        values[0] = denominator == 0.0 ? 0.0 : numerator / denominator;
        detail::run_mlp(config_.layers, detail::Activation::relu, 1, values);
      }
      write_heads(values, config_.heads, plane, query * keys.size() + key, out);
    }
  }
  return {};
}

Result<Fire> make(const FireConfig& config) noexcept {
  return make_result<Fire>(config, {kName, "heads", config.heads});
}

}  // namespace posenc
