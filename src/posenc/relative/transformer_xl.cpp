#include "posenc/relative/transformer_xl.hpp"

#include <algorithm>
#include <cmath>

#include "posenc/core/check.hpp"
#include "posenc/core/elements.hpp"
#include "posenc/core/packed_rows.hpp"
#include "posenc/core/relative_products.hpp"
#include "posenc/kernels/turns.hpp"

namespace posenc {
namespace {

constexpr char kName[] = "transformer_xl";

Status check_vector(const TransformerXlConfig& config, const char* field, ConstFloats x,
                    std::size_t rows) noexcept {
  return detail::check_shape(kName, field, x.size(), "rows * heads * head_dim",
                             {rows, config.heads, config.head_dim});
}

/// q + bias of a head, as float32.
const float* biased(ConstFloats q, std::size_t at, ConstFloats bias, std::size_t head,
                    std::size_t dim, float* sum) noexcept {
  float tile[detail::kMaxHeadDim];
  std::copy_n(detail::read(q, at, dim, sum), dim, sum);
  const float* terms = detail::read(bias, head * dim, dim, tile);
  for (std::size_t i = 0; i < dim; ++i) sum[i] += terms[i];
  return sum;
}

float dot(const float* a, const float* b, std::size_t count) noexcept {
  float sum = 0.0f;
  for (std::size_t i = 0; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

Status check(const TransformerXlConfig& config) noexcept {
  POSENC_RETURN_IF_FAILED(
      detail::check_count(kName, "heads", config.heads, 1, detail::kMaxHeadDim));
  POSENC_RETURN_IF_FAILED(
      detail::check_count(kName, "head_dim", config.head_dim, 1, detail::kMaxHeadDim));
  if (config.d_model % 2 != 0 || config.d_model > detail::kMaxHeadDim) {
    return Status::failure(Code::value_range, "d_model",
                           "transformer_xl: d_model must be even and at most %zu, got %zu",
                           detail::kMaxHeadDim, config.d_model);
  }
  POSENC_RETURN_IF_FAILED(detail::check_number(kName, "base", config.base, 1.0, 1e30));
  POSENC_RETURN_IF_FAILED(check_vector(config, "content_bias", config.content_bias, 1));
  POSENC_RETURN_IF_FAILED(check_vector(config, "position_bias", config.position_bias, 1));
  if (config.segment_bias.empty() && config.segment_embedding.empty()) return {};
  POSENC_RETURN_IF_FAILED(check_vector(config, "segment_bias", config.segment_bias, 1));
  return check_vector(config, "segment_embedding", config.segment_embedding, 2);
}

TransformerXl::TransformerXl(const TransformerXlConfig& config) : config_(config) {
  check(config).or_throw();
  frequencies_ = Frequencies::geometric(config.d_model / 2, config.base,
                                        std::max(static_cast<double>(config.d_model), 1.0));
}

Status TransformerXl::rows(std::int64_t first, Floats out) const noexcept {
  const std::size_t width = config_.d_model, half = width / 2;
  if (width == 0) {
    return Status::failure(Code::value_range, "d_model",
                           "transformer_xl: d_model must be given for sinusoid rows, got 0");
  }
  const std::size_t count = out.size() / width;
  POSENC_RETURN_IF_FAILED(
      detail::check_shape(kName, "out", out.size(), "rows * d_model", {count, width}));
  POSENC_RETURN_IF_FAILED(detail::check_positions(kName, "first", Positions::from(first, 1)));
  POSENC_RETURN_IF_FAILED(detail::check_positions(kName, "first", Positions::from(-first, count)));
  const auto limit = static_cast<double>(config_.clamp_len);
  float row[detail::kMaxHeadDim];
  for (std::size_t i = 0; i < count; ++i) {
    double position = static_cast<double>(first) - static_cast<double>(i);
    if (config_.clamp_len >= 0) position = std::clamp(position, -limit, limit);
    kernels::active().sin_cos(position, kernels::turns_from(frequencies_, 0), half, 1.0, 1.0,
                              detail::rounding_for(out), row, row + half);
    detail::write(out, i * width, width, row);
  }
  return {};
}

Status TransformerXl::project(ConstFloats rows, ConstFloats weight, Floats out) const noexcept {
  const std::size_t width = config_.d_model, columns = config_.heads * config_.head_dim;
  const std::size_t count = width == 0 ? 0 : rows.size() / width;
  POSENC_RETURN_IF_FAILED(
      detail::check_shape(kName, "rows", rows.size(), "rows * d_model", {count, width}));
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "weight", weight.size(),
                                              "d_model * heads * head_dim",
                                              {width, config_.heads, config_.head_dim}));
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "out", out.size(), "heads * rows * head_dim",
                                              {config_.heads, count, config_.head_dim}));
  POSENC_RETURN_IF_FAILED(detail::check_apart(kName, "out", out, "rows", rows));
  POSENC_RETURN_IF_FAILED(detail::check_apart(kName, "out", out, "weight", weight));
  float tile[detail::kMaxHeadDim];
  for (std::size_t row = 0; row < count; ++row) {
    const float* elements = detail::read(rows, row * width, width, tile);
    for (std::size_t head = 0; head < config_.heads; ++head) {
      const std::size_t at = (head * count + row) * config_.head_dim;
      detail::generate_rounded(out, at, config_.head_dim, [&](std::size_t column) {
        double sum = 0.0;
        for (std::size_t i = 0; i < width; ++i) {
          float value = 0.0f;
          value = *detail::read(weight, i * columns + head * config_.head_dim + column, 1, &value);
          sum += static_cast<double>(elements[i]) * static_cast<double>(value);
        }
        return sum;
      });
    }
  }
  return {};
}

std::size_t TransformerXl::workspace_size(std::size_t rows) const noexcept {
  std::size_t size = 0;
  const std::size_t blocks = rows / kernels::kBlock + 1;
  const Status fits =
      detail::multiply(kName, "workspace", {blocks, kernels::kBlock, config_.head_dim + 1}, size);
  return fits.ok() ? size : 0;
}

Status TransformerXl::index(std::int64_t first_distance, std::size_t rows, const Positions& queries,
                            const Positions& keys, std::span<std::int32_t> out) noexcept {
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "out", out.size(), "queries * keys",
                                              {queries.size(), keys.size()}));
  POSENC_RETURN_IF_FAILED(detail::check_count(kName, "rows", rows, 0, INT32_MAX));
  POSENC_RETURN_IF_FAILED(detail::check_whole_positions(kName, "queries", queries));
  POSENC_RETURN_IF_FAILED(detail::check_whole_positions(kName, "keys", keys));
  POSENC_RETURN_IF_FAILED(
      detail::check_positions(kName, "first_distance", Positions::from(first_distance, 1)));
  if (out.empty()) return {};  // however many queries without a key there are
  for (std::size_t at = 0; at < out.size(); ++at) {
    const double distance = queries[at / keys.size()] - keys[at % keys.size()];
    const double row = static_cast<double>(first_distance) - distance;
    const bool has_row = row >= 0.0 && row < static_cast<double>(rows);
    out[at] = has_row ? static_cast<std::int32_t>(row) : -1;
  }
  return {};
}

Status TransformerXl::scores(ConstFloats q, ConstFloats k, ConstFloats r,
                             std::int64_t first_distance, const Positions& queries,
                             const Positions& keys, double scale, std::span<float> workspace,
                             std::span<float> out) const noexcept {
  const std::size_t heads = config_.heads, dim = config_.head_dim;
  const std::size_t rows = r.size() / (heads * dim);
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "q", q.size(), "heads * queries * head_dim",
                                              {heads, queries.size(), dim}));
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "k", k.size(), "heads * keys * head_dim",
                                              {heads, keys.size(), dim}));
  POSENC_RETURN_IF_FAILED(
      detail::check_shape(kName, "r", r.size(), "heads * rows * head_dim", {heads, rows, dim}));
  POSENC_RETURN_IF_FAILED(detail::check_count(kName, "rows", rows, 0, INT32_MAX));
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "out", out.size(), "heads * queries * keys",
                                              {heads, queries.size(), keys.size()}));
  POSENC_RETURN_IF_FAILED(detail::check_whole_positions(kName, "queries", queries));
  POSENC_RETURN_IF_FAILED(detail::check_whole_positions(kName, "keys", keys));
  POSENC_RETURN_IF_FAILED(
      detail::check_positions(kName, "first_distance", Positions::from(first_distance, 1)));
  POSENC_RETURN_IF_FAILED(detail::check_number(kName, "scale", scale, -1e30, 1e30));
  if (workspace.size() < workspace_size(rows)) {
    return Status::failure(Code::shape, "workspace",
                           "transformer_xl: workspace must have at least %zu elements, got %zu",
                           workspace_size(rows), workspace.size());
  }
  POSENC_RETURN_IF_FAILED(detail::check_apart(kName, "out", out, "workspace", workspace));
  for (const detail::NamedFloats& written :
       {detail::NamedFloats{"out", out}, {"workspace", workspace}}) {
    POSENC_RETURN_IF_FAILED(detail::check_apart(kName, written.name, written.values,
                                                {{"q", q},
                                                 {"k", k},
                                                 {"r", r},
                                                 {"content_bias", config_.content_bias},
                                                 {"position_bias", config_.position_bias}}));
  }
  if (out.empty()) return {};
  float* packed = workspace.data() + detail::packed_size(rows, 1);
  for (std::size_t head = 0; head < heads; ++head) {
    float tile[detail::kMaxHeadDim];
    detail::pack_rows(r, head * rows * dim, dim, rows, dim, tile, packed);
    write_head({q, k, head, first_distance, rows, static_cast<float>(scale)}, queries, keys,
               workspace.data(), packed, out);
  }
  return {};
}

void TransformerXl::write_head(const Head& head, const Positions& queries, const Positions& keys,
                               float* products, const float* packed,
                               std::span<float> out) const noexcept {
  const std::size_t dim = config_.head_dim;
  float key_tile[detail::kMaxHeadDim], bias_tile[detail::kMaxHeadDim];
  float content[detail::kDistanceTile];
  const float* bias = detail::read(config_.content_bias, head.index * dim, dim, bias_tile);
  for (std::size_t first = 0; first < keys.size(); first += detail::kDistanceTile) {
    const std::size_t count = std::min(detail::kDistanceTile, keys.size() - first);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t at = (head.index * keys.size() + first + i) * dim;
      content[i] = dot(bias, detail::read(head.k, at, dim, key_tile), dim) * head.scale;
    }
    detail::write_relative_products(
        {.lines = queries,
         .columns = keys.slice(first, count),
         .x = head.q,
         .start = head.index * queries.size() * dim,
         .bias = config_.position_bias,
         .bias_start = head.index * dim,
         .packed = packed,
         .row_count = head.rows,
         .head_dim = dim,
         .scale = head.scale,
         .row_of = row_of,
         .encoding = &head,
         .terms = content,
         .products = products,
         .out = out.data() + head.index * queries.size() * keys.size() + first,
         .out_stride = keys.size(),
         .streamed = kernels::streams(out.size_bytes())});
  }
}

std::int32_t TransformerXl::row_of(const void* head, double distance) noexcept {
  const auto& call = *static_cast<const Head*>(head);
  const double row = static_cast<double>(call.first_distance) + distance;
  return row >= 0.0 && row < static_cast<double>(call.rows) ? static_cast<std::int32_t>(row) : -1;
}

Status TransformerXl::add_segments(ConstFloats q, std::span<const std::int32_t> query_segments,
                                   std::span<const std::int32_t> key_segments, double scale,
                                   std::span<float> out) const noexcept {
  const std::size_t heads = config_.heads, dim = config_.head_dim;
  const std::size_t queries = query_segments.size(), keys = key_segments.size();
  POSENC_RETURN_IF_FAILED(check_vector(config_, "segment_embedding", config_.segment_embedding, 2));
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "q", q.size(), "heads * queries * head_dim",
                                              {heads, queries, dim}));
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "out", out.size(), "heads * queries * keys",
                                              {heads, queries, keys}));
  POSENC_RETURN_IF_FAILED(detail::check_number(kName, "scale", scale, -1e30, 1e30));
  POSENC_RETURN_IF_FAILED(detail::check_apart(kName, "out", out,
                                              {{"q", q},
                                               {"segment_bias", config_.segment_bias},
                                               {"segment_embedding", config_.segment_embedding}}));
  float query[detail::kMaxHeadDim], tile[detail::kMaxHeadDim];
  for (std::size_t head = 0; head < heads; ++head) {
    for (std::size_t i = 0; i < queries; ++i) {
      biased(q, (head * queries + i) * dim, config_.segment_bias, head, dim, query);
      float terms[2];
      for (std::size_t other = 0; other < 2; ++other) {
        const std::size_t row = (other * heads + head) * dim;
        const float* embedding = detail::read(config_.segment_embedding, row, dim, tile);
        terms[other] = dot(query, embedding, dim) * static_cast<float>(scale);
      }
      for (std::size_t j = 0; j < keys; ++j) {
        out[(head * queries + i) * keys + j] += terms[query_segments[i] != key_segments[j] ? 1 : 0];
      }
    }
  }
  return {};
}

Result<TransformerXl> make(const TransformerXlConfig& config) noexcept {
  return make_result<TransformerXl>(config, {kName, "d_model", config.d_model});
}

Status relative_shift(ConstFloats x, std::size_t queries, std::size_t keys, Floats out) noexcept {
  POSENC_RETURN_IF_FAILED(
      detail::check_shape(kName, "x", x.size(), "queries * keys", {queries, keys}));
  POSENC_RETURN_IF_FAILED(
      detail::check_shape(kName, "out", out.size(), "queries * keys", {queries, keys}));
  POSENC_RETURN_IF_FAILED(detail::check_apart(kName, "out", out, "x", x));
  for (std::size_t i = 0; i < queries * keys; ++i) {
    const std::size_t padded = i + queries;  // of rows of keys + 1, the first element of each 0
    const std::size_t row = padded / (keys + 1), column = padded % (keys + 1);
    const float zero = 0.0f;
    if (column == 0) {
      detail::write(out, i, 1, &zero);
    } else {
      detail::copy(x, row * keys + column - 1, out, i, 1);
    }
  }
  return {};
}

}  // namespace posenc
