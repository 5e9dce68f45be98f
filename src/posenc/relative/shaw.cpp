#include "posenc/relative/shaw.hpp"

#include <algorithm>

#include "posenc/core/check.hpp"
#include "posenc/core/elements.hpp"
#include "posenc/core/packed_rows.hpp"
#include "posenc/core/relative_products.hpp"

namespace posenc {
namespace {

constexpr char kName[] = "shaw";
constexpr std::size_t kMaxClip = 2047;

std::size_t rows_of(const ShawConfig& config) noexcept {
  return 2 * config.max_relative_position + 1;
}

std::size_t row_of(const ShawConfig& config, double distance) noexcept {
  const auto reach = static_cast<double>(config.max_relative_position);
  return static_cast<std::size_t>(std::clamp(distance, -reach, reach) + reach);
}

Status check_whole(const Positions& queries, const Positions& keys) noexcept {
  POSENC_RETURN_IF_FAILED(detail::check_whole_positions(kName, "queries", queries));
  return detail::check_whole_positions(kName, "keys", keys);
}

}  // namespace

Status check(const ShawConfig& config) noexcept {
  POSENC_RETURN_IF_FAILED(
      detail::check_count(kName, "head_dim", config.head_dim, 1, detail::kMaxHeadDim));
  POSENC_RETURN_IF_FAILED(detail::check_count(kName, "max_relative_position",
                                              config.max_relative_position, 0, kMaxClip));
  POSENC_RETURN_IF_FAILED(detail::check_shape(
      kName, "keys", config.keys.size(), "(2m+1) * head_dim", {rows_of(config), config.head_dim}));
  if (config.values.empty()) return {};
  const std::size_t value_dim = config.value_dim != 0 ? config.value_dim : config.head_dim;
  POSENC_RETURN_IF_FAILED(
      detail::check_count(kName, "value_dim", value_dim, 1, detail::kMaxHeadDim));
  return detail::check_shape(kName, "values", config.values.size(), "(2m+1) * value_dim",
                             {rows_of(config), value_dim});
}

Shaw::Shaw(const ShawConfig& config) : config_(config) {
  check(config).or_throw();
  if (config_.value_dim == 0) config_.value_dim = config_.head_dim;
  packed_keys_.resize(detail::packed_size(rows_of(config_), config_.head_dim));
  float row[detail::kMaxHeadDim];
  detail::pack_rows(config_.keys, 0, config_.head_dim, rows_of(config_), config_.head_dim, row,
                    packed_keys_.data());
  config_.keys = {};
}

Status Shaw::index(const Positions& queries, const Positions& keys,
                   std::span<std::int32_t> out) const noexcept {
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "out", out.size(), "queries * keys",
                                              {queries.size(), keys.size()}));
  POSENC_RETURN_IF_FAILED(check_whole(queries, keys));
  if (out.empty()) return {};  // however many queries without a key there are
  for (std::size_t query = 0; query < queries.size(); ++query) {
    for (std::size_t key = 0; key < keys.size(); ++key) {
      out[query * keys.size() + key] =
          static_cast<std::int32_t>(row_of(config_, keys[key] - queries[query]));
    }
  }
  return {};
}

Status Shaw::scores(ConstFloats q, const Positions& queries, const Positions& keys, double scale,
                    std::span<float> out) const noexcept {
  const std::size_t heads = detail::heads_of(q.size(), queries.size() * config_.head_dim);
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "q", q.size(), "heads * queries * head_dim",
                                              {heads, queries.size(), config_.head_dim}));
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "out", out.size(), "heads * queries * keys",
                                              {heads, queries.size(), keys.size()}));
  POSENC_RETURN_IF_FAILED(check_whole(queries, keys));
  POSENC_RETURN_IF_FAILED(detail::check_number(kName, "scale", scale, -1e30, 1e30));
  POSENC_RETURN_IF_FAILED(detail::check_apart(kName, "out", out, "q", q));
  if (out.empty()) return {};
  detail::write_relative_products({.heads = heads,
                                   .lines = queries,
                                   .columns = keys,
                                   .x = q,
                                   .start = 0,
                                   .packed = packed_keys_.data(),
                                   .row_count = rows_of(config_),
                                   .head_dim = config_.head_dim,
                                   .scale = static_cast<float>(scale),
                                   .row_of =
                                       [](const void* config, double distance) noexcept {
                                         return static_cast<std::int32_t>(row_of(
                                             *static_cast<const ShawConfig*>(config), distance));
                                       },
                                   .encoding = &config_,
                                   .out = out.data(),
                                   .out_stride = keys.size(),
                                   .streamed = kernels::streams(out.size_bytes())});
  return {};
}

Status Shaw::add_values(ConstFloats probabilities, const Positions& queries, const Positions& keys,
                        Floats out) const noexcept {
  const std::size_t width = config_.value_dim;
  const std::size_t heads = detail::heads_of(out.size(), queries.size() * width);
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "values", config_.values.size(),
                                              "(2m+1) * value_dim", {rows_of(config_), width}));
  POSENC_RETURN_IF_FAILED(detail::check_shape(
      kName, "out", out.size(), "heads * queries * value_dim", {heads, queries.size(), width}));
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "probabilities", probabilities.size(),
                                              "heads * queries * keys",
                                              {heads, queries.size(), keys.size()}));
  POSENC_RETURN_IF_FAILED(check_whole(queries, keys));
  POSENC_RETURN_IF_FAILED(detail::check_apart(kName, "out", out, "probabilities", probabilities));
  POSENC_RETURN_IF_FAILED(detail::check_apart(kName, "out", out, "values", config_.values));
  float sum[detail::kMaxHeadDim], tile[detail::kMaxHeadDim];
  for (std::size_t line = 0; line < heads * queries.size(); ++line) {
    const double position = queries[line % queries.size()];
    std::copy_n(detail::read(out, line * width, width, tile), width, sum);
    for (std::size_t key = 0; key < keys.size(); ++key) {
      const std::size_t row = row_of(config_, keys[key] - position);
      const float* values = detail::read(config_.values, row * width, width, tile);
      float weight = 0.0f;
      weight = *detail::read(probabilities, line * keys.size() + key, 1, &weight);
      for (std::size_t i = 0; i < width; ++i) sum[i] += weight * values[i];
    }
    detail::write(out, line * width, width, sum);
  }
  return {};
}

Result<Shaw> make(const ShawConfig& config) noexcept {
  return make_result<Shaw>(config, {kName, "max_relative_position", config.max_relative_position});
}

}  // namespace posenc
