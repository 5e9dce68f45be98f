#include "posenc/additive/learned.hpp"

#include <cinttypes>

#include "posenc/core/check.hpp"
#include "posenc/core/elements.hpp"
#include "posenc/core/weighted_rows.hpp"

namespace posenc {
namespace {

constexpr char kName[] = "learned";

std::int64_t row_count(const LearnedConfig& config) noexcept {
  return static_cast<std::int64_t>(config.rows.size() / config.dim);
}

/// Where the row of a position starts in the table.
std::size_t row_start(const LearnedConfig& config, double position) noexcept {
  const std::int64_t row = static_cast<std::int64_t>(position) + config.row_offset;
  return static_cast<std::size_t>(row) * config.dim;
}

Status check_rows(const LearnedConfig& config, const Positions& positions) noexcept {
  const std::int64_t rows = row_count(config);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const std::int64_t position = static_cast<std::int64_t>(positions[i]);
    const std::int64_t row = position + config.row_offset;
    if (row >= 0 && row < rows) continue;
    return Status::failure(Code::position_range, "positions",
                           "learned: position %" PRId64 " has no row: the table reaches %" PRId64
                           " to %" PRId64 "; interpolate it or train a longer one to go further",
                           position, -config.row_offset, rows - 1 - config.row_offset);
  }
  return {};
}

Status check_call(const LearnedConfig& config, const char* argument, const Positions& positions,
                  ConstFloats x) noexcept {
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, argument, x.size(), "positions * dim",
                                              {positions.size(), config.dim}));
  POSENC_RETURN_IF_FAILED(detail::check_apart(kName, argument, x, "rows", config.rows));
  POSENC_RETURN_IF_FAILED(detail::check_whole_positions(kName, "positions", positions));
  return check_rows(config, positions);
}

}  // namespace

Status check(const LearnedConfig& config) noexcept {
  POSENC_RETURN_IF_FAILED(detail::check_width(kName, "dim", config.dim));
  if (config.rows.empty() || config.rows.size() % config.dim != 0) {
    return Status::failure(Code::shape, "rows",
                           "learned: rows must have a positive multiple of dim = %zu elements, "
                           "got %zu",
                           config.dim, config.rows.size());
  }
  if (config.row_offset < 0 || config.row_offset >= row_count(config)) {
    return Status::failure(Code::value_range, "row_offset",
                           "learned: row_offset must be 0 to rows - 1 = %" PRId64 ", got %" PRId64,
                           row_count(config) - 1, config.row_offset);
  }
  POSENC_RETURN_IF_FAILED(detail::check_number(kName, "scale", config.scale, -1e30, 1e30));
  const std::int64_t padding = config.padding_row.value_or(0);
  if (padding >= 0 && padding < row_count(config)) return {};
  return Status::failure(Code::value_range, "padding_row",
                         "learned: padding_row must be 0 to rows - 1 = %" PRId64 ", got %" PRId64,
                         row_count(config) - 1, padding);
}

Learned::Learned(const LearnedConfig& config) : config_(config) { check(config).or_throw(); }

Status Learned::table(const Positions& positions, Floats out) const noexcept {
  POSENC_RETURN_IF_FAILED(check_call(config_, "out", positions, out));
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const std::size_t row = row_start(config_, positions[i]), at = i * config_.dim;
    detail::copy_scaled(config_.scale, config_.rows, row, out, at, config_.dim);
  }
  return {};
}

Status Learned::add(const Positions& positions, Floats x) const noexcept {
  POSENC_RETURN_IF_FAILED(check_call(config_, "x", positions, x));
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const std::size_t row = row_start(config_, positions[i]), at = i * config_.dim;
    detail::add_scaled(config_.scale, config_.rows, row, x, at, config_.dim);
  }
  return {};
}

Status Learned::scatter(const Positions& positions, ConstFloats gradient,
                        std::span<float> rows_gradient) const noexcept {
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "gradient", gradient.size(), "positions * dim",
                                              {positions.size(), config_.dim}));
  const std::size_t rows = config_.rows.size() / config_.dim;
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "rows_gradient", rows_gradient.size(),
                                              "rows * dim", {rows, config_.dim}));
  POSENC_RETURN_IF_FAILED(
      detail::check_apart(kName, "rows_gradient", rows_gradient, "gradient", gradient));
  POSENC_RETURN_IF_FAILED(
      detail::check_apart(kName, "rows_gradient", rows_gradient, "rows", config_.rows));
  POSENC_RETURN_IF_FAILED(detail::check_whole_positions(kName, "positions", positions));
  POSENC_RETURN_IF_FAILED(check_rows(config_, positions));
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const std::size_t row = row_start(config_, positions[i]), at = i * config_.dim;
    const auto padding = static_cast<std::size_t>(config_.padding_row.value_or(0)) * config_.dim;
    if (config_.padding_row.has_value() && row == padding) continue;
    detail::add_scaled(config_.scale, gradient, at, rows_gradient, row, config_.dim);
  }
  return {};
}

Result<Learned> make(const LearnedConfig& config) noexcept {
  return make_result<Learned>(config, {kName, "dim", config.dim});
}

}  // namespace posenc
