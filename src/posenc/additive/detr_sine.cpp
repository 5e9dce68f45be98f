#include "posenc/additive/detr_sine.hpp"

#include <algorithm>

#include "posenc/additive/sinusoid_block.hpp"
#include "posenc/core/check.hpp"
#include "posenc/core/elements.hpp"
#include "posenc/math/double_double.hpp"

namespace posenc {
namespace {

constexpr char kName[] = "detr_sine";
using detail::kPairTile;

/// Elements of a tensor, `step` apart.
struct Line {
  std::size_t at;
  std::size_t step;
};

/// The elements of a line as floats, and floats to the elements of a line.
void gather(ConstFloats x, Line line, std::size_t count, float* values) noexcept {
  if (x.type() == StorageType::float32) {
    const auto* source = static_cast<const float*>(x.data());
    for (std::size_t i = 0; i < count; ++i) values[i] = source[line.at + i * line.step];
    return;
  }
  std::uint16_t halves[2 * kPairTile];
  const auto* source = static_cast<const std::uint16_t*>(x.data());
  for (std::size_t i = 0; i < count; ++i) halves[i] = source[line.at + i * line.step];
  detail::read({halves, count, x.type()}, 0, count, values);
}

void scatter(Floats x, Line line, std::size_t count, const float* values) noexcept {
  if (x.type() == StorageType::float32) {
    auto* target = static_cast<float*>(x.data());
    for (std::size_t i = 0; i < count; ++i) target[line.at + i * line.step] = values[i];
    return;
  }
  std::uint16_t halves[2 * kPairTile];
  detail::write({halves, count, x.type()}, 0, count, values);
  auto* target = static_cast<std::uint16_t*>(x.data());
  for (std::size_t i = 0; i < count; ++i) target[line.at + i * line.step] = halves[i];
}

/// The frequencies of a line of pixels: those of the encoding, divided by the line's last
/// coordinate. Kept while neighbouring lines have the same one.
class LineTurns {
 public:
  LineTurns(const DetrSineConfig& config, const Frequencies& frequencies, std::size_t first,
            std::size_t count) noexcept
      : config_(config), frequencies_(frequencies), first_(first), count_(count) {}

  kernels::Turns operator()(double last) noexcept {
    if (!config_.normalize) return kernels::turns_from(frequencies_, first_);
    if (last != last_) divide(last);
    return {.high = high_, .split = split_, .low = low_};
  }

 private:
  void divide(double last) noexcept {
    const math::DoubleDouble factor =
        math::DoubleDouble{config_.scale} / math::two_sum(last, config_.eps);
    for (std::size_t i = 0; i < count_; ++i) {
      const std::size_t pair = first_ + i;
      const math::DoubleDouble turns =
          math::DoubleDouble{frequencies_.turns_high()[pair], frequencies_.turns_low()[pair]} *
          factor;
      high_[i] = turns.hi;
      split_[i] = math::split(turns.hi).hi;
      low_[i] = turns.lo;
    }
    last_ = last;
  }

  const DetrSineConfig& config_;
  const Frequencies& frequencies_;
  std::size_t first_, count_;
  double last_ = -1.0;
  double high_[kPairTile], split_[kPairTile], low_[kPairTile];
};

/// Where the channels of a pixel lie, from `channel` on.
Line line_of(const DetrSineConfig& config, const DetrShape& shape, std::size_t image,
             std::size_t pixel, std::size_t channel) noexcept {
  const std::size_t channels = 2 * config.num_pos_feats, pixels = shape.height * shape.width;
  if (config.order == DetrOrder::channels_last) {
    return {(image * pixels + pixel) * channels + channel, 1};
  }
  return {(image * channels + channel) * pixels + pixel, pixels};
}

/// Calls `visit(pixel, count, last)` for each pixel of a row or column: real pixels up to it, and
/// in all of the line.
template <class Visit>
void visit_line(const std::uint8_t* mask, Line line, std::size_t length,
                const Visit& visit) noexcept {
  std::size_t total = 0, count = 0;
  for (std::size_t i = 0; i < length; ++i) total += mask[line.at + i * line.step] != 0 ? 1 : 0;
  for (std::size_t i = 0; i < length; ++i) {
    count += mask[line.at + i * line.step] != 0 ? 1 : 0;
    visit(line.at + i * line.step, static_cast<double>(count), static_cast<double>(total));
  }
}

/// Calls `visit(axis, pixel, count, last)` for both axes of every pixel of an image.
template <class Visit>
void visit_image(const std::uint8_t* mask, const DetrShape& shape, const Visit& visit) noexcept {
  for (std::size_t x = 0; x < shape.width; ++x) {
    visit_line(mask, {x, shape.width}, shape.height,
               [&](std::size_t pixel, double count, double last) { visit(0, pixel, count, last); });
  }
  for (std::size_t y = 0; y < shape.height; ++y) {
    visit_line(mask, {y * shape.width, 1}, shape.width,
               [&](std::size_t pixel, double count, double last) { visit(1, pixel, count, last); });
  }
}

/// Hands the values of every pixel to `put(line, values, count)`, piece by piece.
template <class Put>
void visit_values(const DetrSineConfig& config, const Frequencies& frequencies,
                  std::span<const std::uint8_t> mask, const DetrShape& shape,
                  kernels::Rounding rounding, const Put& put) noexcept {
  if (mask.empty()) return;  // however many empty images there are
  const std::size_t pairs = frequencies.size();
  const double offset = config.centered ? -0.5 : 0.0;
  float values[2 * kPairTile];
  for (std::size_t first = 0; first < pairs; first += kPairTile) {
    const std::size_t count = std::min(kPairTile, pairs - first);
    LineTurns turns(config, frequencies, first, count);
    for (std::size_t image = 0; image < shape.batch; ++image) {
      const std::uint8_t* pixels = mask.data() + image * shape.height * shape.width;
      visit_image(pixels, shape,
                  [&](std::size_t axis, std::size_t pixel, double coordinate, double last) {
                    kernels::active().sin_cos(coordinate + offset, turns(last), count, 1.0, 1.0,
                                              rounding, values, values + 1);
                    const std::size_t channel = axis * config.num_pos_feats + 2 * first;
                    put(line_of(config, shape, image, pixel, channel), values, 2 * count);
                  });
    }
  }
}

Status check_call(const DetrSineConfig& config, std::span<const std::uint8_t> mask,
                  const DetrShape& shape, const char* argument, ConstFloats values) noexcept {
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "mask", mask.size(), "batch * height * width",
                                              {shape.batch, shape.height, shape.width}));
  POSENC_RETURN_IF_FAILED(detail::check_shape(
      kName, argument, values.size(), "batch * 2 num_pos_feats * height * width",
      {shape.batch, 2 * config.num_pos_feats, shape.height, shape.width}));
  return detail::check_apart(kName, argument, values, "mask", std::as_bytes(mask));
}

}  // namespace

Status check(const DetrSineConfig& config) noexcept {
  constexpr std::size_t kMost = detail::kMaxWidth / 2;
  const std::size_t feats = config.num_pos_feats;
  if (feats < 2 || feats > kMost || feats % 2 != 0) {
    return Status::failure(Code::value_range, "num_pos_feats",
                           "detr_sine: num_pos_feats must be even, 2 to %zu, got %zu", kMost,
                           feats);
  }
  POSENC_RETURN_IF_FAILED(
      detail::check_number(kName, "temperature", config.temperature, 1.0, 1e30));
  POSENC_RETURN_IF_FAILED(detail::check_number(kName, "scale", config.scale, 1e-6, 1e6));
  return detail::check_number(kName, "eps", config.eps, 1e-12, 0.1);
}

DetrSine::DetrSine(const DetrSineConfig& config) : config_(config) {
  check(config).or_throw();
  frequencies_ = Frequencies::geometric(config.num_pos_feats / 2, config.temperature,
                                        static_cast<double>(config.num_pos_feats));
}

Status DetrSine::table(std::span<const std::uint8_t> mask, const DetrShape& shape,
                       Floats out) const noexcept {
  POSENC_RETURN_IF_FAILED(check_call(config_, mask, shape, "out", out));
  visit_values(config_, frequencies_, mask, shape, detail::rounding_for(out),
               [&](Line line, const float* values, std::size_t count) {
                 scatter(out, line, count, values);
               });
  return {};
}

Status DetrSine::add(std::span<const std::uint8_t> mask, const DetrShape& shape,
                     Floats x) const noexcept {
  POSENC_RETURN_IF_FAILED(check_call(config_, mask, shape, "x", x));
  visit_values(config_, frequencies_, mask, shape, kernels::Rounding::nearest,
               [&](Line line, const float* values, std::size_t count) {
                 float sums[2 * kPairTile];
                 gather(x, line, count, sums);
                 kernels::active().add(values, sums, count);
                 scatter(x, line, count, sums);
               });
  return {};
}

Result<DetrSine> make(const DetrSineConfig& config) noexcept {
  return make_result<DetrSine>(config, {kName, "num_pos_feats", config.num_pos_feats});
}

}  // namespace posenc
