#include "posenc/additive/sinusoidal.hpp"

#include <algorithm>

#include "posenc/additive/sinusoid_block.hpp"
#include "posenc/core/check.hpp"
#include "posenc/core/elements.hpp"
#include "posenc/math/double_double.hpp"

namespace posenc {
namespace {

constexpr char kName[] = "sinusoidal";
constexpr double kSmallest = 1e-30, kLargest = 1e30;

std::size_t pair_count(const SinusoidalConfig& config) noexcept {
  const bool extra = config.odd_width == OddWidth::sine;
  return config.dim / 2 + (extra ? config.dim % 2 : 0);
}

Frequencies frequencies_of(const SinusoidalConfig& config) {
  const std::size_t pairs = pair_count(config);
  const math::DoubleDouble scale{config.position_scale};
  if (config.max_timescale != 0.0) {
    const std::size_t steps = std::max<std::size_t>(config.dim / 2, 2) - 1;
    const math::DoubleDouble ratio =
        math::DoubleDouble{config.max_timescale} / math::DoubleDouble{config.min_timescale};
    return Frequencies::powers(pairs, ratio, 2.0 * static_cast<double>(steps),
                               scale * config.min_timescale);
  }
  const double denominator = config.frequency_denominator == 0.0 ? static_cast<double>(config.dim)
                                                                 : config.frequency_denominator;
  return Frequencies::powers(pairs, math::DoubleDouble{config.base}, denominator, scale);
}

detail::SinusoidBlock block_of(const SinusoidalConfig& config) noexcept {
  const bool interleaved = config.layout == SinusoidalLayout::interleaved;
  const std::size_t pairs = pair_count(config);
  return {.firsts = pairs,
          .seconds = config.dim / 2,
          .first_column = 0,
          .second_column = interleaved ? 1 : pairs,
          .interleaved = interleaved,
          .cosine_first = config.order == SinusoidalOrder::cosine_first,
          .scale = config.scale};
}

bool is_padding(const SinusoidalConfig& config, double position) noexcept {
  const std::optional<std::int64_t>& padding = config.padding_position;
  return padding.has_value() && position == static_cast<double>(*padding);
}

/// Hands what no pair fills to `put(row, column, zeros, count)`: rows of padding, columns left
/// over.
template <class Put>
void visit_unfilled(const SinusoidalConfig& config, const detail::SinusoidBlock& block,
                    const Positions& positions, const Put& put) noexcept {
  const std::size_t filled = block.firsts + block.seconds;
  for (std::size_t row = 0; row < positions.size(); ++row) {
    const std::size_t first = is_padding(config, positions[row]) ? 0 : filled;
    detail::visit_zeros(first, config.dim - first,
                        [&](std::size_t column, const float* zeros, std::size_t count) {
                          put(row, column, zeros, count);
                        });
  }
}

/// Hands the rows of the positions to `put(row, column, values, count)`, piece by piece.
template <class Put>
void visit_rows(const SinusoidalConfig& config, const Frequencies& frequencies,
                const Positions& positions, kernels::Rounding rounding, const Put& put) noexcept {
  const detail::SinusoidBlock block = block_of(config);
  detail::visit_block(
      block, frequencies, positions, rounding,
      [&](std::size_t row, std::size_t column, const float* values, std::size_t count) {
        if (!is_padding(config, positions[row])) put(row, column, values, count);
      });
  visit_unfilled(config, block, positions, put);
}

Status check_call(const SinusoidalConfig& config, const Frequencies& frequencies,
                  const char* argument, const Positions& positions, std::size_t size) noexcept {
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, argument, size, "positions * dim",
                                              {positions.size(), config.dim}));
  return detail::check_positions(kName, "positions", positions, frequencies.position_limit());
}

Status check_timescales(const SinusoidalConfig& config) noexcept {
  if (config.max_timescale == 0.0) {
    if (config.min_timescale == 1.0) return {};
    return Status::failure(Code::value_range, "min_timescale",
                           "sinusoidal: min_timescale needs a max_timescale, got none");
  }
  POSENC_RETURN_IF_FAILED(
      detail::check_number(kName, "min_timescale", config.min_timescale, kSmallest, kLargest));
  POSENC_RETURN_IF_FAILED(detail::check_number(kName, "max_timescale", config.max_timescale,
                                               config.min_timescale, kLargest));
  if (config.frequency_denominator == 0.0) return {};
  return Status::failure(Code::value_range, "frequency_denominator",
                         "sinusoidal: frequency_denominator must not be given with max_timescale, "
                         "got %s",
                         detail::NumberText(config.frequency_denominator).c_str());
}

}  // namespace

Status check(const SinusoidalConfig& config) noexcept {
  POSENC_RETURN_IF_FAILED(detail::check_width(kName, "dim", config.dim));
  POSENC_RETURN_IF_FAILED(detail::check_number(kName, "base", config.base, 1.0, kLargest));
  if (config.frequency_denominator != 0.0) {
    POSENC_RETURN_IF_FAILED(detail::check_number(kName, "frequency_denominator",
                                                 config.frequency_denominator, 1.0,
                                                 2.0 * static_cast<double>(detail::kMaxWidth)));
  }
  POSENC_RETURN_IF_FAILED(detail::check_number(kName, "scale", config.scale, -kLargest, kLargest));
  POSENC_RETURN_IF_FAILED(
      detail::check_number(kName, "position_scale", config.position_scale, kSmallest, kLargest));
  return check_timescales(config);
}

Sinusoidal::Sinusoidal(const SinusoidalConfig& config) : config_(config) {
  check(config).or_throw();
  frequencies_ = frequencies_of(config);
}

Status Sinusoidal::table(const Positions& positions, Floats out) const noexcept {
  POSENC_RETURN_IF_FAILED(check_call(config_, frequencies_, "out", positions, out.size()));
  const auto put = [&](std::size_t row, std::size_t column, const float* values,
                       std::size_t count) {
    detail::write(out, row * config_.dim + column, count, values);
  };
  const detail::SinusoidBlock block = block_of(config_);
  if (out.type() == StorageType::float32 && block.firsts == block.seconds) {
    detail::write_block(block, frequencies_, positions, static_cast<float*>(out.data()),
                        config_.dim);
    visit_unfilled(config_, block, positions, put);
  } else {
    visit_rows(config_, frequencies_, positions, detail::rounding_for(out), put);
  }
  return {};
}

Status Sinusoidal::add(const Positions& positions, Floats x) const noexcept {
  POSENC_RETURN_IF_FAILED(check_call(config_, frequencies_, "x", positions, x.size()));
  visit_rows(config_, frequencies_, positions, kernels::Rounding::nearest,
             [&](std::size_t row, std::size_t column, const float* values, std::size_t count) {
               detail::add({values, count}, 0, x, row * config_.dim + column, count);
             });
  return {};
}

Result<Sinusoidal> make(const SinusoidalConfig& config) noexcept {
  return make_result<Sinusoidal>(config, {kName, "dim", config.dim});
}

}  // namespace posenc
