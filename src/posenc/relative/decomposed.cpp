#include "posenc/relative/decomposed.hpp"

#include <algorithm>
#include <cstdint>

#include "posenc/core/check.hpp"
#include "posenc/core/elements.hpp"
#include "posenc/core/packed_rows.hpp"

namespace posenc {
namespace {

constexpr char kName[] = "decomposed";
constexpr std::size_t kMaxSide = 2048;

/// One axis: its query and key sides.
struct Axis {
  std::size_t query, key;

  std::size_t rows() const noexcept { return 2 * std::max(query, key) - 1; }

  /// In whole numbers: multiplied by both sides, then divided.
  std::size_t row(std::size_t at, std::size_t key_at) const noexcept {
    // at * max(K, Q)/Q + (K - 1 - ky) * max(Q, K)/K, truncated; 2^34 for the largest sides
    const std::uint64_t step = std::max(key, query);
    const std::uint64_t numerator = step * (at * key + (key - 1 - key_at) * query);
    return static_cast<std::size_t>(numerator / (query * key));
  }
};

Axis vertical(const DecomposedConfig& config) noexcept {
  return {config.query_height, config.key_height};
}

Axis horizontal(const DecomposedConfig& config) noexcept {
  return {config.query_width, config.key_width};
}

/// The table with as many rows as the axis needs, packed.
std::vector<float> packed_table(ConstFloats table, std::size_t head_dim, std::size_t wanted) {
  const std::size_t rows = table.size() / head_dim;
  std::vector<float> resized(wanted * head_dim), low(head_dim), high(head_dim);
  for (std::size_t row = 0; row < wanted; ++row) {
    const double scale = static_cast<double>(rows) / static_cast<double>(wanted);
    const double centre =
        rows == wanted ? static_cast<double>(row) : (static_cast<double>(row) + 0.5) * scale - 0.5;
    const double at = std::clamp(centre, 0.0, static_cast<double>(rows - 1));
    const auto below = static_cast<std::size_t>(at);
    const std::size_t above = std::min(below + 1, rows - 1);
    const double share = at - static_cast<double>(below);
    const float* a = detail::read(table, below * head_dim, head_dim, low.data());
    const float* b = detail::read(table, above * head_dim, head_dim, high.data());
    for (std::size_t i = 0; i < head_dim; ++i) {
      resized[row * head_dim + i] = static_cast<float>((1.0 - share) * static_cast<double>(a[i]) +
                                                       share * static_cast<double>(b[i]));
    }
  }
  std::vector<float> packed(detail::packed_size(wanted, head_dim));
  detail::pack_rows(resized, 0, head_dim, wanted, head_dim, low.data(), packed.data());
  return packed;
}

Status check_table(const char* field, ConstFloats table, std::size_t head_dim) noexcept {
  const std::size_t rows = table.size() / head_dim;
  POSENC_RETURN_IF_FAILED(
      detail::check_shape(kName, field, table.size(), "rows * head_dim", {rows, head_dim}));
  return detail::check_count(kName, field, rows, 1, detail::kMaxRelativeRows);
}

}  // namespace

Status check(const DecomposedConfig& config) noexcept {
  POSENC_RETURN_IF_FAILED(
      detail::check_count(kName, "query_height", config.query_height, 1, kMaxSide));
  POSENC_RETURN_IF_FAILED(
      detail::check_count(kName, "query_width", config.query_width, 1, kMaxSide));
  POSENC_RETURN_IF_FAILED(detail::check_count(kName, "key_height", config.key_height, 1, kMaxSide));
  POSENC_RETURN_IF_FAILED(detail::check_count(kName, "key_width", config.key_width, 1, kMaxSide));
  POSENC_RETURN_IF_FAILED(
      detail::check_count(kName, "head_dim", config.head_dim, 1, detail::kMaxHeadDim));
  POSENC_RETURN_IF_FAILED(check_table("table_h", config.table_h, config.head_dim));
  return check_table("table_w", config.table_w, config.head_dim);
}

Decomposed::Decomposed(const DecomposedConfig& config) : config_(config) {
  check(config).or_throw();
  packed_h_ = packed_table(config.table_h, config.head_dim, vertical(config).rows());
  packed_w_ = packed_table(config.table_w, config.head_dim, horizontal(config).rows());
  config_.table_h = config_.table_w = {};
}

Status Decomposed::scores(ConstFloats q, std::span<float> out) const noexcept {
  const Axis rows = vertical(config_), columns = horizontal(config_);
  const std::size_t queries = rows.query * columns.query, keys = rows.key * columns.key;
  const std::size_t heads = q.empty() ? 0 : detail::heads_of(q.size(), queries * config_.head_dim);
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "q", q.size(), "heads * queries * head_dim",
                                              {heads, queries, config_.head_dim}));
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "out", out.size(), "heads * queries * keys",
                                              {heads, queries, keys}));
  POSENC_RETURN_IF_FAILED(detail::check_apart(kName, "out", out, "q", q));
  float tile[detail::kMaxHeadDim];
  float by_row[detail::kMaxRelativeRows], by_column[detail::kMaxRelativeRows];
  for (std::size_t line = 0; line < heads * queries; ++line) {
    const float* query = detail::read(q, line * config_.head_dim, config_.head_dim, tile);
    detail::dot_rows(query, packed_h_.data(), rows.rows(), config_.head_dim, 1.0f, by_row);
    detail::dot_rows(query, packed_w_.data(), columns.rows(), config_.head_dim, 1.0f, by_column);
    const std::size_t y = line % queries / columns.query, x = line % columns.query;
    for (std::size_t key = 0; key < keys; ++key) {
      out[line * keys + key] =
          by_row[rows.row(y, key / columns.key)] + by_column[columns.row(x, key % columns.key)];
    }
  }
  return {};
}

Result<Decomposed> make(const DecomposedConfig& config) noexcept {
  return make_result<Decomposed>(config, {kName, "head_dim", config.head_dim});
}

}  // namespace posenc
