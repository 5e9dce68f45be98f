#include "posenc/bias/kerple.hpp"

#include <algorithm>
#include <cmath>

#include "posenc/bias/toeplitz.hpp"
#include "posenc/core/check.hpp"
#include "posenc/core/elements.hpp"
#include "posenc/math/double_double.hpp"
#include "posenc/math/elementary.hpp"

namespace posenc {
namespace {

constexpr char kName[] = "kerple";
constexpr double kMaxDistance = 2.0 * static_cast<double>(kMaxPosition);

/// The clamped parameters of a head.
struct Head {
  KerpleKind kind;
  double p, a;
};

Head head_of(const KerpleConfig& config, std::size_t head) noexcept {
  return {config.kind, std::min(std::max(config.p[head], config.minimum), config.p_maximum),
          std::max(config.a[head], config.minimum)};
}

/// ln(1 + a d), near 0 too.
double log_term(const Head& head, double distance) noexcept {
  const math::DoubleDouble product = math::DoubleDouble{head.a} * math::DoubleDouble{distance};
  return math::log(math::DoubleDouble{1.0} + product).hi;
}

double power_term(const Head& head, double distance) noexcept {
  return distance == 0.0 ? 0.0 : math::pow(distance, head.p);
}

/// a * distance^p; 0 when a is 0, also where the power overflows.
double power_product(const Head& head, double distance) noexcept {
  return head.a == 0.0 ? 0.0 : head.a * power_term(head, distance);
}

double value(const Head& head, double distance) noexcept {
  if (head.kind == KerpleKind::log) return 0.0 - head.p * log_term(head, distance);
  return 0.0 - power_product(head, distance);
}

void fill(const KerpleConfig& config, std::size_t head, double first, std::size_t count, Floats out,
          std::size_t at) noexcept {
  const Head parameters = head_of(config, head);
  detail::generate_rounded(out, at, count, [&](std::size_t i) {
    const double distance = first + static_cast<double>(i);
    const bool hidden = config.causal && distance > 0.0;
    return hidden ? -std::numeric_limits<double>::infinity()
                  : value(parameters, std::fabs(distance));
  });
}

}  // namespace

Status check(const KerpleConfig& config) noexcept {
  POSENC_RETURN_IF_FAILED(detail::check_width(kName, "heads", config.heads));
  POSENC_RETURN_IF_FAILED(
      detail::check_shape(kName, "p", config.p.size(), "heads", {config.heads}));
  POSENC_RETURN_IF_FAILED(
      detail::check_shape(kName, "a", config.a.size(), "heads", {config.heads}));
  const double least = config.minimum > 0.0 ? -1e30 : 0.0;
  for (double p : config.p) {
    POSENC_RETURN_IF_FAILED(detail::check_number(kName, "p", p, least, 1e30));
  }
  for (double a : config.a) {
    POSENC_RETURN_IF_FAILED(detail::check_number(kName, "a", a, least, 1e30));
  }
  POSENC_RETURN_IF_FAILED(detail::check_number(kName, "minimum", config.minimum, 0.0, 1e30));
  return detail::check_number(kName, "p_maximum", config.p_maximum, config.minimum,
                              std::numeric_limits<double>::infinity());
}

Kerple::Kerple(const KerpleConfig& config) : config_(config) { check(config).or_throw(); }

Status Kerple::distances(std::int64_t first, Floats out) const noexcept {
  const std::size_t count = out.size() / config_.heads;
  POSENC_RETURN_IF_FAILED(
      detail::check_shape(kName, "out", out.size(), "heads * count", {config_.heads, count}));
  POSENC_RETURN_IF_FAILED(
      detail::check_positions(kName, "first", Positions::from(first, count), kMaxDistance));
  for (std::size_t head = 0; head < config_.heads; ++head) {
    fill(config_, head, static_cast<double>(first), count, out, head * count);
  }
  return {};
}

Status Kerple::bias(const Positions& queries, const Positions& keys, Floats out) const noexcept {
  POSENC_RETURN_IF_FAILED(
      detail::check_bias(kName, "out", out.size(), config_.heads, queries, keys));
  for (std::size_t head = 0; head < config_.heads; ++head) {
    detail::fill_toeplitz(queries, keys, head, out,
                          [&](double first, Floats target, std::size_t at, std::size_t count) {
                            fill(config_, head, first, count, target, at);
                          });
  }
  return {};
}

Status Kerple::gradient(const Positions& queries, const Positions& keys, ConstFloats gradient,
                        std::span<float> p, std::span<float> a) const noexcept {
  POSENC_RETURN_IF_FAILED(
      detail::check_bias(kName, "gradient", gradient.size(), config_.heads, queries, keys));
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "p", p.size(), "heads", {config_.heads}));
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "a", a.size(), "heads", {config_.heads}));
  POSENC_RETURN_IF_FAILED(detail::check_apart(kName, "p", p, "a", a));
  POSENC_RETURN_IF_FAILED(detail::check_apart(kName, "p", p, "gradient", gradient));
  POSENC_RETURN_IF_FAILED(detail::check_apart(kName, "a", a, "gradient", gradient));
  for (std::size_t head = 0; head < config_.heads; ++head) {
    const Head parameters = head_of(config_, head);
    double p_sum = 0.0, a_sum = 0.0;
    detail::visit_bias(queries, keys, head, gradient, [&](double signed_distance, double weight) {
      const double distance = std::fabs(signed_distance);
      if (distance == 0.0 || (config_.causal && signed_distance > 0.0)) return;
      if (config_.kind == KerpleKind::log) {
        p_sum -= weight * log_term(parameters, distance);
        a_sum -= weight * parameters.p * distance / (1.0 + parameters.a * distance);
      } else {
        p_sum -= weight * power_product(parameters, distance) * math::log(distance);
        a_sum -= weight * power_term(parameters, distance);
      }
    });
    p[head] = static_cast<float>(p_sum);
    a[head] = static_cast<float>(a_sum);
  }
  return {};
}

Result<Kerple> make(const KerpleConfig& config) noexcept {
  return make_result<Kerple>(config, {kName, "heads", config.heads});
}

}  // namespace posenc
