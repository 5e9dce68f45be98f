#include "posenc/bias/swin.hpp"

#include "posenc/bias/window.hpp"
#include "posenc/core/check.hpp"
#include "posenc/core/elements.hpp"

namespace posenc {
namespace {

constexpr char kName[] = "swin";

detail::Window window_of(const SwinConfig& config) noexcept {
  return {config.window_height, config.window_width};
}

}  // namespace

Status detail::check_window(const char* encoding, const char* field, std::size_t side) noexcept {
  if (side >= 1 && side <= kMaxWindow) return {};
  return Status::failure(Code::value_range, field, "%s: %s must be 1 to %zu, got %zu", encoding,
                         field, kMaxWindow, side);
}

Status check(const SwinConfig& config) noexcept {
  POSENC_RETURN_IF_FAILED(detail::check_window(kName, "window_height", config.window_height));
  POSENC_RETURN_IF_FAILED(detail::check_window(kName, "window_width", config.window_width));
  POSENC_RETURN_IF_FAILED(detail::check_width(kName, "heads", config.heads));
  if (config.table.empty()) return {};
  return detail::check_shape(kName, "table", config.table.size(), "(2H-1)(2W-1) * heads",
                             {window_of(config).offsets(), config.heads});
}

Swin::Swin(const SwinConfig& config) : config_(config) { check(config).or_throw(); }

Status Swin::index(std::span<std::int32_t> out) const noexcept {
  const detail::Window window = window_of(config_);
  const std::size_t cells = window.cells();
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "out", out.size(), "HW * HW", {cells, cells}));
  for (std::size_t query = 0; query < cells; ++query) {
    for (std::size_t key = 0; key < cells; ++key) {
      out[query * cells + key] = static_cast<std::int32_t>(window.row(query, key));
    }
  }
  return {};
}

Status Swin::bias(Floats out) const noexcept {
  const detail::Window window = window_of(config_);
  const std::size_t cells = window.cells(), heads = config_.heads;
  POSENC_RETURN_IF_FAILED(
      detail::check_shape(kName, "out", out.size(), "heads * HW * HW", {heads, cells, cells}));
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "table", config_.table.size(),
                                              "(2H-1)(2W-1) * heads", {window.offsets(), heads}));
  POSENC_RETURN_IF_FAILED(detail::check_apart(kName, "out", out, "table", config_.table));
  for (std::size_t head = 0; head < heads; ++head) {
    for (std::size_t query = 0; query < cells; ++query) {
      const std::size_t row = (head * cells + query) * cells;
      detail::generate(out, row, cells, [&](std::size_t first, std::size_t count, float* values) {
        for (std::size_t i = 0; i < count; ++i) {
          const std::size_t at = window.row(query, first + i) * heads + head;
          float value = 0.0f;
          values[i] = *detail::read(config_.table, at, 1, &value);
        }
      });
    }
  }
  return {};
}

Result<Swin> make(const SwinConfig& config) noexcept {
  return make_result<Swin>(config, {kName, "heads", config.heads});
}

}  // namespace posenc
