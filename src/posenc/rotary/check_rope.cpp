#include <cmath>

#include "posenc/core/check.hpp"
#include "posenc/rotary/ladder.hpp"
#include "posenc/rotary/rope.hpp"

namespace posenc {
namespace {

constexpr char kName[] = "rope";
constexpr std::size_t kMaxAxes = 8;

Status check_factor(const char* field, double value, double low = 1e-30) noexcept {
  return detail::check_number(kName, field, value, low, 1e30);
}

Status check_length(const char* field, std::int64_t value, std::int64_t least = 1) noexcept {
  if (value >= least && value <= kMaxPosition) return {};
  return Status::failure(Code::value_range, field, "rope: %s must be %lld to 2^50, got %lld", field,
                         static_cast<long long>(least), static_cast<long long>(value));
}

Status check_ntk_width(std::size_t rotary_dim) noexcept {
  if (rotary_dim > 2) return {};
  return Status::failure(Code::value_range, "rotary_dim",
                         "rope: rotary_dim must be above 2 for NTK scaling, got %zu", rotary_dim);
}

Status check_values(const char* field, const std::vector<double>& values, std::size_t count,
                    double low) noexcept {
  POSENC_RETURN_IF_FAILED(
      detail::check_shape(kName, field, values.size(), "rotary_dim/2", {count}));
  for (double value : values) {
    POSENC_RETURN_IF_FAILED(detail::check_number(kName, field, value, low, 1e30));
  }
  return {};
}

Status check_one(const NoScaling&, const RopeConfig&) noexcept { return {}; }

Status check_one(const Linear& linear, const RopeConfig&) noexcept {
  return check_factor("scaling.factor", linear.factor);
}

Status check_one(const StaticNtk& ntk, const RopeConfig& config) noexcept {
  POSENC_RETURN_IF_FAILED(check_ntk_width(detail::rotary_dim_of(config)));
  return check_factor("scaling.factor", ntk.factor);
}

Status check_one(const DynamicNtk& ntk, const RopeConfig& config) noexcept {
  POSENC_RETURN_IF_FAILED(check_ntk_width(detail::rotary_dim_of(config)));
  POSENC_RETURN_IF_FAILED(check_factor("scaling.factor", ntk.factor, 1.0));
  return check_length("scaling.max_position_embeddings", ntk.max_position_embeddings);
}

Status check_one(const Yarn& yarn, const RopeConfig& config) noexcept {
  POSENC_RETURN_IF_FAILED(check_factor("scaling.factor", yarn.factor, 1.0));
  POSENC_RETURN_IF_FAILED(check_length("scaling.original_max_position_embeddings",
                                       yarn.original_max_position_embeddings));
  POSENC_RETURN_IF_FAILED(check_factor("scaling.beta_slow", yarn.beta_slow));
  POSENC_RETURN_IF_FAILED(check_factor("scaling.beta_fast", yarn.beta_fast, yarn.beta_slow));
  POSENC_RETURN_IF_FAILED(check_factor("scaling.mscale", yarn.mscale, 0.0));
  POSENC_RETURN_IF_FAILED(check_factor("scaling.mscale_all_dim", yarn.mscale_all_dim, 0.0));
  if (config.base == 1.0) {
    return Status::failure(Code::value_range, "base", "rope: base must be above 1 for YaRN, got 1");
  }
  return check_factor("scaling.attention_factor", yarn.attention_factor.value_or(1.0));
}

Status check_one(const LongRope& rope, const RopeConfig& config) noexcept {
  const std::size_t pairs = detail::rotary_dim_of(config) / 2;
  POSENC_RETURN_IF_FAILED(check_values("scaling.short_factor", rope.short_factor, pairs, 1e-30));
  POSENC_RETURN_IF_FAILED(check_values("scaling.long_factor", rope.long_factor, pairs, 1e-30));
  POSENC_RETURN_IF_FAILED(check_length("scaling.original_max_position_embeddings",
                                       rope.original_max_position_embeddings, 2));
  POSENC_RETURN_IF_FAILED(check_factor("scaling.factor", rope.factor));
  POSENC_RETURN_IF_FAILED(
      check_factor("scaling.short_attention_factor", rope.short_attention_factor.value_or(1.0)));
  return check_factor("scaling.long_attention_factor", rope.long_attention_factor.value_or(1.0));
}

Status check_one(const Llama3& llama3, const RopeConfig&) noexcept {
  POSENC_RETURN_IF_FAILED(check_factor("scaling.factor", llama3.factor));
  POSENC_RETURN_IF_FAILED(check_factor("scaling.low_freq_factor", llama3.low_freq_factor));
  POSENC_RETURN_IF_FAILED(
      check_factor("scaling.high_freq_factor", llama3.high_freq_factor, llama3.low_freq_factor));
  return check_length("scaling.original_max_position_embeddings",
                      llama3.original_max_position_embeddings);
}

Status check_one(const Proportional& proportional, const RopeConfig& config) noexcept {
  POSENC_RETURN_IF_FAILED(detail::check_number(kName, "scaling.partial_rotary_factor",
                                               proportional.partial_rotary_factor, 0.0, 1.0));
  POSENC_RETURN_IF_FAILED(check_factor("scaling.factor", proportional.factor));
  if (detail::rotary_dim_of(config) == config.head_dim) return {};
  return Status::failure(Code::value_range, "rotary_dim",
                         "rope: rotary_dim must be head_dim = %zu for proportional scaling, whose "
                         "pairs span the whole head, got %zu",
                         config.head_dim, detail::rotary_dim_of(config));
}

Status check_one(const CustomFrequencies& custom, const RopeConfig& config) noexcept {
  if (custom.axes < 1 || custom.axes > kMaxAxes) {
    return Status::failure(Code::value_range, "scaling.axes",
                           "rope: scaling.axes must be 1 to %zu, got %zu", kMaxAxes, custom.axes);
  }
  POSENC_RETURN_IF_FAILED(
      detail::check_width(kName, "scaling.frequency_heads", custom.frequency_heads));
  POSENC_RETURN_IF_FAILED(detail::check_shape(
      kName, "scaling.inv_freq", custom.inv_freq.size(), "axes * frequency_heads * rotary_dim/2",
      {custom.axes, custom.frequency_heads, detail::rotary_dim_of(config) / 2}));
  for (double frequency : custom.inv_freq) {
    POSENC_RETURN_IF_FAILED(
        detail::check_number(kName, "scaling.inv_freq", frequency, -1e30, 1e30));
  }
  if (!std::holds_alternative<OneAxis>(config.axes)) {
    return Status::failure(Code::value_range, "axes",
                           "rope: axes must be one axis with custom frequencies, which bring axes "
                           "of their own");
  }
  return check_factor("scaling.attention_factor", custom.attention_factor);
}

Status check_mrope(const Mrope& mrope, std::size_t pairs) noexcept {
  const std::size_t t = mrope.sections[0], h = mrope.sections[1], w = mrope.sections[2];
  const bool small = t <= pairs && h <= pairs && w <= pairs;
  const std::size_t sum = small ? t + h + w : pairs + 1;
  if (mrope.interleaved ? sum <= pairs : sum == pairs) return {};
  return Status::failure(Code::value_range, "axes.sections",
                         "rope: axes.sections must sum to %s rotary_dim/2 = %zu, got %zu + %zu + "
                         "%zu",
                         mrope.interleaved ? "at most" : "exactly", pairs, t, h, w);
}

Status check_axial(const Axial& axial, const RopeConfig& config) noexcept {
  if (detail::rotary_dim_of(config) % 4 != 0) {
    return Status::failure(Code::value_range, "rotary_dim",
                           "rope: rotary_dim must be divisible by 4 for two axes, got %zu",
                           detail::rotary_dim_of(config));
  }
  if (!std::holds_alternative<NoScaling>(config.scaling) &&
      !std::holds_alternative<Linear>(config.scaling) &&
      !std::holds_alternative<CustomFrequencies>(config.scaling)) {
    return Status::failure(Code::value_range, "scaling",
                           "rope: scaling must be none or linear with axial axes");
  }
  return detail::check_number(kName, "axes.max_resolution", axial.max_resolution, 4.0, 1e6);
}

Status check_axes(const RopeConfig& config) noexcept {
  if (const Mrope* mrope = std::get_if<Mrope>(&config.axes)) {
    POSENC_RETURN_IF_FAILED(check_mrope(*mrope, detail::rotary_dim_of(config) / 2));
  }
  if (const Axial* axial = std::get_if<Axial>(&config.axes)) {
    POSENC_RETURN_IF_FAILED(check_axial(*axial, config));
  }
  const auto* custom = std::get_if<CustomFrequencies>(&config.scaling);
  const bool several = !std::holds_alternative<OneAxis>(config.axes) ||
                       (custom != nullptr && (custom->axes > 1 || custom->frequency_heads > 1));
  if (config.angles != Angles::float32 || !several) return {};
  return Status::failure(Code::value_range, "angles",
                         "rope: angles must be exact or float32_frequencies with several axes or "
                         "frequency heads, got float32");
}

Status check_xpos(const Xpos& xpos, const RopeConfig& config) noexcept {
  const auto* custom = std::get_if<CustomFrequencies>(&config.scaling);
  if (!std::holds_alternative<OneAxis>(config.axes) || (custom != nullptr && custom->axes > 1)) {
    return Status::failure(Code::value_range, "xpos", "rope: xpos goes with one axis only");
  }
  POSENC_RETURN_IF_FAILED(check_factor("xpos.scale_base", xpos.scale_base, 1e-3));
  return detail::check_number(kName, "xpos.origin", xpos.origin.value_or(0.0), -1e15, 1e15);
}

Status check_widths(const RopeConfig& config) noexcept {
  POSENC_RETURN_IF_FAILED(detail::check_width(kName, "head_dim", config.head_dim));
  if (config.head_dim % 2 != 0) {
    return Status::failure(Code::value_range, "head_dim", "rope: head_dim must be even, got %zu",
                           config.head_dim);
  }
  if (config.rotary_start >= config.head_dim) {
    return Status::failure(Code::value_range, "rotary_start",
                           "rope: rotary_start must be below head_dim = %zu, got %zu",
                           config.head_dim, config.rotary_start);
  }
  const std::size_t room = config.head_dim - config.rotary_start;
  if (detail::rotary_dim_of(config) % 2 == 0 && detail::rotary_dim_of(config) >= 2 &&
      detail::rotary_dim_of(config) <= room)
    return {};
  const char* rest = config.rotary_start == 0 ? "head_dim" : "head_dim - rotary_start";
  return Status::failure(Code::value_range, "rotary_dim",
                         "rope: rotary_dim must be even and at most %s = %zu, got %zu", rest, room,
                         detail::rotary_dim_of(config));
}

}  // namespace

Status check(const RopeConfig& config) noexcept {
  POSENC_RETURN_IF_FAILED(check_widths(config));
  POSENC_RETURN_IF_FAILED(detail::check_number(kName, "base", config.base, 1.0, 1e30));
  POSENC_RETURN_IF_FAILED(check_length("length", config.length, 0));
  POSENC_RETURN_IF_FAILED(check_axes(config));
  if (config.xpos.has_value()) POSENC_RETURN_IF_FAILED(check_xpos(*config.xpos, config));
  return std::visit([&](const auto& scaling) { return check_one(scaling, config); },
                    config.scaling);
}

}  // namespace posenc
