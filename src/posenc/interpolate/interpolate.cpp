#include "posenc/interpolate/interpolate.hpp"

#include <algorithm>

#include "posenc/core/check.hpp"
#include "posenc/core/elements.hpp"
#include "posenc/core/weighted_rows.hpp"
#include "posenc/interpolate/axis_weights.hpp"

namespace posenc {
namespace {

constexpr char kName[] = "interpolate";
/// Columns that are worked on at a time: enough for a call, and a row of the old grid stays in the
/// caches.
constexpr std::size_t kBand = 256;

std::size_t row_count(const InterpolateConfig& config, std::size_t height,
                      std::size_t width) noexcept {
  return config.prefix_rows + height * width + config.suffix_rows;
}

Status check_side(const InterpolateConfig& config, const char* field, std::size_t side) noexcept {
  POSENC_RETURN_IF_FAILED(detail::check_width(kName, field, side));
  if (config.spacing != GridSpacing::geometric || side % 2 == 1) return {};
  return Status::failure(Code::value_range, field,
                         "interpolate: %s must be odd with geometric spacing, got %zu", field,
                         side);
}

Status check_sizes(const InterpolateConfig& config) noexcept {
  POSENC_RETURN_IF_FAILED(check_side(config, "from_height", config.from_height));
  POSENC_RETURN_IF_FAILED(check_side(config, "from_width", config.from_width));
  POSENC_RETURN_IF_FAILED(check_side(config, "to_height", config.to_height));
  POSENC_RETURN_IF_FAILED(check_side(config, "to_width", config.to_width));
  POSENC_RETURN_IF_FAILED(detail::check_width(kName, "dim", config.dim));
  std::size_t elements = 0;
  POSENC_RETURN_IF_FAILED(detail::multiply(
      kName, "table", {config.from_height, config.from_width, config.dim}, elements));
  return detail::multiply(kName, "out", {config.to_height, config.to_width, config.dim}, elements);
}

Status check_fixed_rows(const char* field, std::size_t rows) noexcept {
  if (rows <= detail::kMaxWidth) return {};
  return Status::failure(Code::value_range, field, "interpolate: %s must be 0 to %zu, got %zu",
                         field, detail::kMaxWidth, rows);
}

/// VALUE_RANGE when `given` beside `other`.
Status check_without(bool given, const char* field, const char* other) noexcept {
  if (!given) return {};
  return Status::failure(Code::value_range, field, "interpolate: %s must not be given with %s",
                         field, other);
}

/// The bytes of a workspace, as overlap is checked.
ConstFloats as_floats(std::span<double> workspace) noexcept {
  return {workspace.data(), 2 * workspace.size(), StorageType::float32};
}

/// The sum of terms `begin` to `end` of an axis, in order, whose old rows are `width` doubles each
/// in `band`.
void mix_band(const detail::AxisWeights& weights, std::size_t begin, std::size_t end,
              const double* band, std::size_t width, double* sums) noexcept {
  const double* sources[detail::kTermBatch];
  for (std::size_t first = begin; first < end; first += detail::kTermBatch) {
    const std::size_t batch = std::min(detail::kTermBatch, end - first);
    for (std::size_t i = 0; i < batch; ++i) sources[i] = band + weights.index[first + i] * width;
    kernels::active().mix_doubles(weights.weight.data() + first, sources, batch, width, sums);
  }
}

}  // namespace

Status check(const InterpolateConfig& config) noexcept {
  POSENC_RETURN_IF_FAILED(check_sizes(config));
  POSENC_RETURN_IF_FAILED(detail::check_number(kName, "size_offset", config.size_offset, 0.0, 0.9));
  const bool offset = config.size_offset != 0.0;
  POSENC_RETURN_IF_FAILED(
      check_without(config.antialias && config.align_corners, "antialias", "align_corners"));
  POSENC_RETURN_IF_FAILED(
      check_without(offset && config.align_corners, "size_offset", "align_corners"));
  if (config.spacing == GridSpacing::geometric) {
    constexpr char kSpacing[] = "geometric spacing";
    const bool is_cubic = config.mode == InterpolationMode::cubic;
    POSENC_RETURN_IF_FAILED(check_without(is_cubic, "mode", kSpacing));
    POSENC_RETURN_IF_FAILED(check_without(config.antialias, "antialias", kSpacing));
    POSENC_RETURN_IF_FAILED(check_without(config.align_corners, "align_corners", kSpacing));
    POSENC_RETURN_IF_FAILED(check_without(offset, "size_offset", kSpacing));
  }
  POSENC_RETURN_IF_FAILED(check_fixed_rows("prefix_rows", config.prefix_rows));
  return check_fixed_rows("suffix_rows", config.suffix_rows);
}

Interpolate::Interpolate(const InterpolateConfig& config) : config_(config) {
  check(config).or_throw();
  if (is_identity()) return;
  rows_ = detail::axis_weights(config, config.from_height, config.to_height);
  columns_ = detail::axis_weights(config, config.from_width, config.to_width);
}

bool Interpolate::is_identity() const noexcept {
  return config_.from_height == config_.to_height && config_.from_width == config_.to_width;
}

std::size_t Interpolate::workspace_size() const noexcept {
  return is_identity() ? 0 : config_.from_width * std::min(kBand, config_.dim);
}

void Interpolate::resample(ConstFloats table, std::span<double> workspace,
                           Floats out) const noexcept {
  const std::size_t dim = config_.dim, width = config_.from_width;
  const std::size_t start = config_.prefix_rows * dim;
  for (std::size_t column = 0; column < dim; column += kBand) {
    const std::size_t count = std::min(kBand, dim - column);
    for (std::size_t y = 0; y < config_.to_height; ++y) {
      const std::size_t first = rows_.first[y], terms = rows_.first[y + 1] - first;
      std::fill_n(workspace.data(), width * count, 0.0);
      for (std::size_t x = 0; x < width; ++x) {
        const auto term = [&](std::size_t i) -> detail::WeightedRow {
          const std::size_t cell = rows_.index[first + i] * width + x;
          return {rows_.weight[first + i], table, start + cell * dim};
        };
        detail::accumulate(terms, term, column, count, workspace.data() + x * count);
      }
      for (std::size_t x = 0; x < config_.to_width; ++x) {
        double sums[kBand] = {};
        float values[kBand];
        mix_band(columns_, columns_.first[x], columns_.first[x + 1], workspace.data(), count, sums);
        kernels::active().narrow_doubles(sums, count, detail::rounding_for(out), values);
        const std::size_t cell = y * config_.to_width + x;
        detail::write(out, start + cell * dim + column, count, values);
      }
    }
  }
}

Status Interpolate::apply(ConstFloats table, std::span<double> workspace,
                          Floats out) const noexcept {
  const std::size_t old_rows = row_count(config_, config_.from_height, config_.from_width);
  const std::size_t new_rows = row_count(config_, config_.to_height, config_.to_width);
  const std::size_t dim = config_.dim, prefix = config_.prefix_rows * dim;
  const std::size_t suffix = config_.suffix_rows * dim;
  POSENC_RETURN_IF_FAILED(
      detail::check_shape(kName, "table", table.size(), "rows * dim", {old_rows, dim}));
  POSENC_RETURN_IF_FAILED(
      detail::check_shape(kName, "out", out.size(), "rows * dim", {new_rows, dim}));
  if (workspace.size() < workspace_size()) {
    return Status::failure(Code::shape, "workspace",
                           "interpolate: workspace must have at least %zu elements, got %zu",
                           workspace_size(), workspace.size());
  }
  POSENC_RETURN_IF_FAILED(detail::check_apart(kName, "out", out, "table", table));
  POSENC_RETURN_IF_FAILED(
      detail::check_apart(kName, "workspace", as_floats(workspace), "table", table));
  POSENC_RETURN_IF_FAILED(
      detail::check_apart(kName, "workspace", as_floats(workspace), "out", out));
  if (is_identity()) {
    detail::copy(table, 0, out, 0, out.size());
    return {};
  }
  detail::copy(table, 0, out, 0, prefix);
  detail::copy(table, table.size() - suffix, out, out.size() - suffix, suffix);
  resample(table, workspace, out);
  return {};
}

Result<Interpolate> make(const InterpolateConfig& config) noexcept {
  return make_result<Interpolate>(config, {kName, "to_height", config.to_height});
}

}  // namespace posenc
