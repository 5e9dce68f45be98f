#include "posenc/relative/deberta.hpp"

#include <algorithm>
#include <cmath>

#include "posenc/core/check.hpp"
#include "posenc/core/elements.hpp"
#include "posenc/core/log_buckets.hpp"
#include "posenc/core/packed_rows.hpp"
#include "posenc/core/relative_products.hpp"

namespace posenc {
namespace {

constexpr char kName[] = "deberta";
constexpr std::size_t kMaxSpan = detail::kMaxRelativeRows / 2;
/// Buckets far beyond any table are not told apart.
constexpr std::size_t kMaxBuckets = std::size_t{1} << 16;

std::size_t width_of(const DebertaConfig& config) noexcept {
  return config.heads * config.head_dim;
}

std::size_t span_of(const DebertaConfig& config) noexcept {
  if (config.att_span != 0) return config.att_span;
  return config.position_buckets != 0 ? config.position_buckets : config.max_relative_positions;
}

/// Magnitudes above mid have bucket mid + ceil(ln(a / mid) / ln((max - 1) / mid) * (mid - 1)):
/// element t is the smallest with bucket mid + t + 1.
std::vector<std::int64_t> thresholds_of(const DebertaConfig& config) {
  std::vector<std::int64_t> thresholds;
  if (config.position_buckets == 0) return thresholds;
  const std::size_t mid = config.position_buckets / 2;
  const auto last = static_cast<std::int64_t>(config.max_relative_positions) - 1;
  for (std::size_t step = 0; step < kMaxBuckets; ++step) {
    const std::int64_t whole =
        detail::geometric_step(static_cast<std::int64_t>(mid), last, step, mid - 1).whole;
    thresholds.push_back(whole + 1);
    if (whole >= kMaxPosition) break;
  }
  return thresholds;
}

/// A row of the table, normalised.
void read_row(const DebertaConfig& config, std::size_t row, std::vector<double>& values) {
  const std::size_t width = width_of(config);
  std::vector<float> tile(width);
  const auto at = [&](ConstFloats x, std::size_t i) {
    float value = 0.0f;
    return static_cast<double>(*detail::read(x, i, 1, &value));
  };
  const float* elements = detail::read(config.rel_embeddings, row * width, width, tile.data());
  values.assign(elements, elements + width);
  if (config.norm_weight.empty()) return;
  double mean = 0.0, variance = 0.0;
  for (double value : values) mean += value;
  mean /= static_cast<double>(width);
  for (double value : values) variance += (value - mean) * (value - mean);
  variance /= static_cast<double>(width);
  const double deviation = std::sqrt(variance + config.norm_eps);
  for (std::size_t i = 0; i < width; ++i) {
    values[i] =
        (values[i] - mean) / deviation * at(config.norm_weight, i) + at(config.norm_bias, i);
  }
}

double project(const DebertaProjection& projection, const std::vector<double>& row,
               std::size_t column, std::vector<float>& tile) {
  double sum = 0.0;
  if (!projection.bias.empty()) {
    float bias = 0.0f;
    sum = static_cast<double>(*detail::read(projection.bias, column, 1, &bias));
  }
  if (projection.weight.empty()) return sum + row[column];
  const std::size_t width = row.size();
  const float* weights = detail::read(projection.weight, column * width, width, tile.data());
  for (std::size_t i = 0; i < width; ++i) sum += static_cast<double>(weights[i]) * row[i];
  return sum;
}

/// The projected table of each head, packed. The projection is computed in double.
std::vector<float> packed_tables(const DebertaConfig& config, const DebertaProjection& projection,
                                 std::size_t rows) {
  const std::size_t width = width_of(config), head_dim = config.head_dim;
  std::vector<float> table(rows * width), tile(width);
  std::vector<double> row;
  for (std::size_t r = 0; r < rows; ++r) {
    read_row(config, r, row);
    for (std::size_t column = 0; column < width; ++column) {
      table[r * width + column] = static_cast<float>(project(projection, row, column, tile));
    }
  }
  const std::size_t size = detail::packed_size(rows, head_dim);
  std::vector<float> packed(config.heads * size);
  for (std::size_t head = 0; head < config.heads; ++head) {
    detail::pack_rows(table, head * head_dim, width, rows, head_dim, tile.data(),
                      packed.data() + head * size);
  }
  return packed;
}

Status check_projection(const char* field, const DebertaProjection& projection,
                        std::size_t width) noexcept {
  if (!projection.weight.empty()) {
    POSENC_RETURN_IF_FAILED(detail::check_shape(kName, field, projection.weight.size(),
                                                "(heads * head_dim)^2", {width, width}));
  }
  if (projection.bias.empty()) return {};
  return detail::check_shape(kName, field, projection.bias.size(), "heads * head_dim", {width});
}

Status check_norm(const DebertaConfig& config) noexcept {
  if (config.norm_weight.empty() && config.norm_bias.empty()) return {};
  const std::size_t width = width_of(config);
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "norm_weight", config.norm_weight.size(),
                                              "heads * head_dim", {width}));
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "norm_bias", config.norm_bias.size(),
                                              "heads * head_dim", {width}));
  return detail::check_number(kName, "norm_eps", config.norm_eps, 1e-30, 1.0);
}

Status check_buckets(const DebertaConfig& config) noexcept {
  const std::size_t buckets = config.position_buckets;
  POSENC_RETURN_IF_FAILED(
      detail::check_count(kName, "max_relative_positions", config.max_relative_positions,
                          buckets != 0 ? buckets / 2 + 2 : 1, detail::kMaxWidth));
  if (buckets == 0) return {};
  if (buckets % 2 == 0 && buckets >= 4 && buckets <= kMaxBuckets) return {};
  return Status::failure(Code::value_range, "position_buckets",
                         "deberta: position_buckets must be even and 4 to %zu, or 0 for none, got "
                         "%zu",
                         kMaxBuckets, buckets);
}

}  // namespace

Status check(const DebertaConfig& config) noexcept {
  POSENC_RETURN_IF_FAILED(
      detail::check_count(kName, "heads", config.heads, 1, detail::kMaxHeadDim));
  POSENC_RETURN_IF_FAILED(
      detail::check_count(kName, "head_dim", config.head_dim, 1, detail::kMaxHeadDim));
  POSENC_RETURN_IF_FAILED(check_buckets(config));
  POSENC_RETURN_IF_FAILED(detail::check_count(kName, "att_span", span_of(config), 1, kMaxSpan));
  if (!config.c2p && !config.p2c) {
    return Status::failure(Code::value_range, "c2p",
                           "deberta: c2p or p2c must be true, got false for both");
  }
  if (config.rel_embeddings.empty()) return {};
  POSENC_RETURN_IF_FAILED(detail::check_shape(
      kName, "rel_embeddings", config.rel_embeddings.size(), "2 att_span * heads * head_dim",
      {2 * span_of(config), config.heads, config.head_dim}));
  POSENC_RETURN_IF_FAILED(check_norm(config));
  POSENC_RETURN_IF_FAILED(check_projection("pos_key", config.pos_key, width_of(config)));
  return check_projection("pos_query", config.pos_query, width_of(config));
}

Deberta::Deberta(const DebertaConfig& config) : config_(config) {
  check(config).or_throw();
  config_.att_span = span_of(config);
  thresholds_ = thresholds_of(config);
  const std::size_t rows = 2 * config_.att_span;
  if (config.rel_embeddings.empty()) return;
  if (config_.c2p) keys_ = packed_tables(config_, config_.pos_key, rows);
  if (config_.p2c) queries_ = packed_tables(config_, config_.pos_query, rows);
  config_.rel_embeddings = config_.norm_weight = config_.norm_bias = {};
  config_.pos_key = config_.pos_query = {};
}

std::int64_t Deberta::bucket(std::int64_t distance) const noexcept {
  const auto mid = static_cast<std::int64_t>(config_.position_buckets / 2);
  const bool negative = distance < 0;
  const std::uint64_t magnitude =
      negative ? 0 - static_cast<std::uint64_t>(distance) : static_cast<std::uint64_t>(distance);
  if (mid == 0 || magnitude <= static_cast<std::uint64_t>(mid)) return distance;
  const auto steps = std::upper_bound(thresholds_.begin(), thresholds_.end(), magnitude,
                                      [](std::uint64_t value, std::int64_t threshold) {
                                        return value < static_cast<std::uint64_t>(threshold);
                                      }) -
                     thresholds_.begin();
  const std::int64_t bucket = mid + steps;
  return negative ? -bucket : bucket;
}

std::size_t Deberta::row_of(double distance) const noexcept {
  const auto span = static_cast<std::int64_t>(config_.att_span);
  const std::int64_t row = bucket(static_cast<std::int64_t>(distance));
  return static_cast<std::size_t>(std::clamp(row, -span, span - 1) + span);
}

double Deberta::scale() const noexcept {
  const int terms = 1 + (config_.c2p ? 1 : 0) + (config_.p2c ? 1 : 0);
  return 1.0 / std::sqrt(static_cast<double>(config_.head_dim) * static_cast<double>(terms));
}

Status Deberta::scores(ConstFloats q, ConstFloats k, const Positions& queries,
                       const Positions& keys, std::span<float> out) const noexcept {
  const std::size_t heads = config_.heads, dim = config_.head_dim;
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "q", q.size(), "heads * queries * head_dim",
                                              {heads, queries.size(), dim}));
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "k", k.size(), "heads * keys * head_dim",
                                              {heads, keys.size(), dim}));
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "out", out.size(), "heads * queries * keys",
                                              {heads, queries.size(), keys.size()}));
  POSENC_RETURN_IF_FAILED(detail::check_whole_positions(kName, "queries", queries));
  POSENC_RETURN_IF_FAILED(detail::check_whole_positions(kName, "keys", keys));
  if (keys_.empty() && queries_.empty()) {
    return Status::failure(Code::shape, "rel_embeddings",
                           "deberta: rel_embeddings must be given for scores, got none");
  }
  POSENC_RETURN_IF_FAILED(detail::check_apart(kName, "out", out, "q", q));
  POSENC_RETURN_IF_FAILED(detail::check_apart(kName, "out", out, "k", k));
  if (out.empty()) return {};
  if (!config_.c2p) std::fill(out.begin(), out.end(), 0.0f);
  for (std::size_t head = 0; head < heads; ++head) {
    if (config_.c2p) write_term(q, head, queries, keys, false, out);
    // column by column, added to c2p in float32: a key's products with the table serve all queries
    if (config_.p2c) write_term(k, head, keys, queries, true, out);
  }
  return {};
}

void Deberta::write_term(ConstFloats x, std::size_t head, const Positions& lines,
                         const Positions& columns, bool p2c, std::span<float> out) const noexcept {
  const std::size_t rows = 2 * config_.att_span, dim = config_.head_dim;
  using RowOf = std::int32_t(const void*, double) noexcept;
  RowOf* const c2p_row = [](const void* deberta, double distance) noexcept {
    return static_cast<std::int32_t>(static_cast<const Deberta*>(deberta)->row_of(-distance));
  };
  RowOf* const p2c_row = [](const void* deberta, double distance) noexcept {
    return static_cast<std::int32_t>(static_cast<const Deberta*>(deberta)->row_of(distance));
  };
  detail::write_relative_products(
      {.lines = lines,
       .columns = columns,
       .x = x,
       .start = head * lines.size() * dim,
       .packed = (p2c ? queries_ : keys_).data() + head * detail::packed_size(rows, dim),
       .row_count = rows,
       .head_dim = dim,
       .scale = static_cast<float>(scale()),
       .row_of = p2c ? p2c_row : c2p_row,
       .encoding = this,
       .out = out.data() + head * lines.size() * columns.size(),
       .out_stride = p2c ? lines.size() : columns.size(),
       .transposed = p2c});
}

Result<Deberta> make(const DebertaConfig& config) noexcept {
  return make_result<Deberta>(config,
                              {kName, "max_relative_positions", config.max_relative_positions});
}

}  // namespace posenc
