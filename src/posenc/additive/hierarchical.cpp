#include "posenc/additive/hierarchical.hpp"

#include <algorithm>
#include <cinttypes>

#include "posenc/core/check.hpp"
#include "posenc/core/elements.hpp"
#include "posenc/core/weighted_rows.hpp"

namespace posenc {
namespace {

constexpr char kName[] = "hierarchical";
constexpr double kMaxAlpha = 1000.0;

std::size_t row_count(const HierarchicalConfig& config) noexcept {
  return config.rows.size() / config.dim;
}

/// The three rows that the row of a position beyond the table is the sum of.
struct Terms {
  detail::WeightedRow rows[3];
};

Terms terms_of(const HierarchicalConfig& config, std::uint64_t position) noexcept {
  const std::uint64_t n = row_count(config);
  const double weight = config.alpha / (1.0 - config.alpha);
  const auto coarse = static_cast<std::size_t>(position / n);
  const auto fine = static_cast<std::size_t>(position % n);
  return {{{weight, config.rows, coarse * config.dim},
           {-weight, config.rows, 0},
           {1.0, config.rows, fine * config.dim}}};
}

Status check_call(const Hierarchical& encoding, const char* argument, const Positions& positions,
                  ConstFloats x) noexcept {
  const HierarchicalConfig& config = encoding.config();
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, argument, x.size(), "positions * dim",
                                              {positions.size(), config.dim}));
  POSENC_RETURN_IF_FAILED(detail::check_apart(kName, argument, x, "rows", config.rows));
  POSENC_RETURN_IF_FAILED(detail::check_whole_positions(kName, "positions", positions));
  const auto end = static_cast<double>(encoding.max_positions());
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (positions[i] >= 0.0 && positions[i] < end) continue;
    return Status::failure(Code::position_range, "positions",
                           "hierarchical: position %s has no row: %zu rows reach 0 to %" PRId64,
                           detail::NumberText(positions[i]).c_str(), row_count(config),
                           encoding.max_positions() - 1);
  }
  return {};
}

}  // namespace

Status check(const HierarchicalConfig& config) noexcept {
  POSENC_RETURN_IF_FAILED(detail::check_width(kName, "dim", config.dim));
  if (config.rows.empty() || config.rows.size() % config.dim != 0) {
    return Status::failure(Code::shape, "rows",
                           "hierarchical: rows must have a positive multiple of dim = %zu "
                           "elements, got %zu",
                           config.dim, config.rows.size());
  }
  POSENC_RETURN_IF_FAILED(
      detail::check_number(kName, "alpha", config.alpha, -kMaxAlpha, kMaxAlpha));
  if (config.alpha != 1.0) return {};
  return Status::failure(Code::value_range, "alpha", "hierarchical: alpha must not be 1");
}

Hierarchical::Hierarchical(const HierarchicalConfig& config) : config_(config) {
  check(config).or_throw();
}

std::int64_t Hierarchical::max_positions() const noexcept {
  const auto n = static_cast<std::int64_t>(row_count(config_));
  constexpr std::int64_t kRoot = std::int64_t{1} << 25;  // its square is kMaxPosition
  return n >= kRoot ? kMaxPosition : n * n;
}

Status Hierarchical::table(const Positions& positions, Floats out) const noexcept {
  POSENC_RETURN_IF_FAILED(check_call(*this, "out", positions, out));
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const auto position = static_cast<std::uint64_t>(positions[i]);
    if (position < row_count(config_)) {
      detail::copy(config_.rows, static_cast<std::size_t>(position) * config_.dim, out,
                   i * config_.dim, config_.dim);
    } else {
      detail::write_sum(terms_of(config_, position).rows, config_.dim, out, i * config_.dim);
    }
  }
  return {};
}

Status Hierarchical::add(const Positions& positions, Floats x) const noexcept {
  POSENC_RETURN_IF_FAILED(check_call(*this, "x", positions, x));
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const auto position = static_cast<std::uint64_t>(positions[i]);
    if (position < row_count(config_)) {
      detail::add(config_.rows, static_cast<std::size_t>(position) * config_.dim, x,
                  i * config_.dim, config_.dim);
    } else {
      detail::add_sum(terms_of(config_, position).rows, config_.dim, x, i * config_.dim);
    }
  }
  return {};
}

Result<Hierarchical> make(const HierarchicalConfig& config) noexcept {
  return make_result<Hierarchical>(config, {kName, "dim", config.dim});
}

}  // namespace posenc
