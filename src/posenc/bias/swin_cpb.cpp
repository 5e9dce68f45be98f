#include "posenc/bias/swin_cpb.hpp"

#include <cmath>

#include "posenc/bias/window.hpp"
#include "posenc/core/check.hpp"
#include "posenc/core/elements.hpp"
#include "posenc/math/elementary.hpp"

namespace posenc {
namespace {

constexpr char kName[] = "swin_cpb";

detail::Window window_of(const SwinCpbConfig& config) noexcept {
  return {config.window_height, config.window_width};
}

/// The coordinate of offset `index` - (side - 1), index = 0 .. 2 side - 2.
double coordinate(SwinCoordinates form, std::size_t index, std::size_t side,
                  std::size_t pretrained) noexcept {
  const double offset = static_cast<double>(index) - static_cast<double>(side - 1);
  const double magnitude = std::fabs(offset);
  if (form == SwinCoordinates::logarithmic) {
    return std::copysign(math::log(1.0 + magnitude), offset);
  }
  const double reach = static_cast<double>((pretrained != 0 ? pretrained : side) - 1);
  if (offset == 0.0 || reach == 0.0) return 0.0;
  const math::DoubleDouble scaled =
      math::DoubleDouble{1.0} + math::DoubleDouble{8.0 * magnitude} / math::DoubleDouble{reach};
  const math::DoubleDouble log = math::log(scaled) / math::log(math::DoubleDouble{8.0});
  return std::copysign(log.hi, offset);
}

double y_of(const SwinCpbConfig& config, std::size_t row) noexcept {
  return coordinate(config.coordinates, row / (2 * config.window_width - 1), config.window_height,
                    config.pretrained_height);
}

double x_of(const SwinCpbConfig& config, std::size_t row) noexcept {
  return coordinate(config.coordinates, row % (2 * config.window_width - 1), config.window_width,
                    config.pretrained_width);
}

double squash(const SwinCpbConfig& config, double output) noexcept {
  const bool plain = config.coordinates == SwinCoordinates::logarithmic;
  return plain ? output : 16.0 * math::sigmoid(output);
}

/// Writes one offset's values, one per head, wherever the offset occurs.
void scatter(const detail::Window& window, std::size_t row, std::size_t heads, const double* values,
             Floats out) noexcept {
  const std::size_t cells = window.cells();
  const std::size_t dy = row / (2 * window.width - 1), dx = row % (2 * window.width - 1);
  for (std::size_t query = 0; query < cells; ++query) {
    const std::size_t y = query / window.width + window.height - 1 - dy;
    const std::size_t x = query % window.width + window.width - 1 - dx;
    if (y >= window.height || x >= window.width) continue;
    for (std::size_t head = 0; head < heads; ++head) {
      const std::size_t at = (head * cells + query) * cells + y * window.width + x;
      detail::generate_rounded(out, at, 1, [&](std::size_t) { return values[head]; });
    }
  }
}

Status check_out(const SwinCpbConfig& config, Floats out) noexcept {
  const std::size_t cells = window_of(config).cells();
  return detail::check_shape(kName, "out", out.size(), "heads * HW * HW",
                             {config.heads, cells, cells});
}

}  // namespace

Status check(const SwinCpbConfig& config) noexcept {
  POSENC_RETURN_IF_FAILED(detail::check_window(kName, "window_height", config.window_height));
  POSENC_RETURN_IF_FAILED(detail::check_window(kName, "window_width", config.window_width));
  if (config.pretrained_height != 0 || config.pretrained_width != 0) {
    POSENC_RETURN_IF_FAILED(
        detail::check_window(kName, "pretrained_height", config.pretrained_height));
    POSENC_RETURN_IF_FAILED(
        detail::check_window(kName, "pretrained_width", config.pretrained_width));
  }
  if (config.heads < 1 || config.heads > kMaxMlpWidth) {
    return Status::failure(Code::value_range, "heads", "swin_cpb: heads must be 1 to %zu, got %zu",
                           kMaxMlpWidth, config.heads);
  }
  if (config.layers.empty()) return {};
  return detail::check_mlp(kName, config.layers, 2, config.heads);
}

SwinCpb::SwinCpb(const SwinCpbConfig& config) : config_(config) { check(config).or_throw(); }

Status SwinCpb::coordinates(Floats out) const noexcept {
  const std::size_t offsets = window_of(config_).offsets();
  POSENC_RETURN_IF_FAILED(
      detail::check_shape(kName, "out", out.size(), "(2H-1)(2W-1) * 2", {offsets, 2}));
  detail::generate_rounded(out, 0, 2 * offsets, [&](std::size_t i) {
    return i % 2 == 0 ? y_of(config_, i / 2) : x_of(config_, i / 2);
  });
  return {};
}

Status SwinCpb::bias(Floats out) const noexcept {
  POSENC_RETURN_IF_FAILED(check_out(config_, out));
  if (config_.layers.empty()) return detail::check_mlp(kName, config_.layers, 2, config_.heads);
  POSENC_RETURN_IF_FAILED(detail::check_apart_from_layers(kName, out, config_.layers));
  const detail::Window window = window_of(config_);
  double values[kMaxMlpWidth];
  for (std::size_t row = 0; row < window.offsets(); ++row) {
    values[0] = y_of(config_, row);
    values[1] = x_of(config_, row);
    detail::run_mlp(config_.layers, detail::Activation::relu, 2, values);
    for (std::size_t head = 0; head < config_.heads; ++head) {
      values[head] = squash(config_, values[head]);
    }
    scatter(window, row, config_.heads, values, out);
  }
  return {};
}

Status SwinCpb::bias_from_output(ConstFloats output, Floats out) const noexcept {
  const detail::Window window = window_of(config_);
  POSENC_RETURN_IF_FAILED(check_out(config_, out));
  POSENC_RETURN_IF_FAILED(detail::check_shape(
      kName, "output", output.size(), "(2H-1)(2W-1) * heads", {window.offsets(), config_.heads}));
  POSENC_RETURN_IF_FAILED(detail::check_apart(kName, "out", out, "output", output));
  double values[kMaxMlpWidth];
  for (std::size_t row = 0; row < window.offsets(); ++row) {
    for (std::size_t head = 0; head < config_.heads; ++head) {
      float value = 0.0f;
      value = *detail::read(output, row * config_.heads + head, 1, &value);
      values[head] = squash(config_, static_cast<double>(value));
    }
    scatter(window, row, config_.heads, values, out);
  }
  return {};
}

Result<SwinCpb> make(const SwinCpbConfig& config) noexcept {
  return make_result<SwinCpb>(config, {kName, "heads", config.heads});
}

}  // namespace posenc
