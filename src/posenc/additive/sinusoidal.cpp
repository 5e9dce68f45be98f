#include "posenc/additive/sinusoidal.hpp"

#include <algorithm>

#include "posenc/core/check.hpp"
#include "posenc/core/elements.hpp"
#include "posenc/kernels/kernels.hpp"
#include "posenc/kernels/turns.hpp"

namespace posenc {
namespace {

constexpr char kName[] = "sinusoidal";
constexpr std::size_t kTile = 128;

std::size_t sine_count(const SinusoidalConfig& config) noexcept {
  const bool extra_sine = config.odd_width == OddWidth::sine;
  return config.dim / 2 + (extra_sine ? config.dim % 2 : 0);
}

Frequencies frequencies_of(const SinusoidalConfig& config) {
  const double denominator = config.frequency_denominator == 0.0 ? static_cast<double>(config.dim)
                                                                 : config.frequency_denominator;
  return Frequencies::geometric(sine_count(config), config.base, denominator);
}

/// Hands the row of a position to `put(column, values, count)`, piece by piece.
template <class Put>
void visit_row(const SinusoidalConfig& config, const Frequencies& frequencies, double position,
               kernels::Rounding rounding, const Put& put) noexcept {
  const kernels::Kernels& kernels = kernels::active();
  const std::size_t sines = frequencies.size(), cosines = config.dim / 2;
  float values[2 * kTile];
  for (std::size_t first = 0; first < sines; first += kTile) {
    const std::size_t count = std::min(kTile, sines - first);
    const kernels::Turns turns = kernels::turns_from(frequencies, first);
    if (config.layout == SinusoidalLayout::interleaved) {
      kernels.sin_cos_interleaved(position, turns, count, rounding, values);
      put(2 * first, values, std::min(2 * count, config.dim - 2 * first));
    } else {
      kernels.sin_cos(position, turns, count, 1.0, 1.0, rounding, values, values + kTile);
      put(first, values, count);
      put(sines + first, values + kTile, std::min(count, cosines - first));
    }
  }
  if (sines + cosines < config.dim) {
    const float zero = 0.0f;
    put(config.dim - 1, &zero, 1);
  }
}

Status check_call(const SinusoidalConfig& config, const Frequencies& frequencies,
                  const char* argument, const Positions& positions, std::size_t size) noexcept {
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, argument, size, "positions * dim",
                                              {positions.size(), config.dim}));
  return detail::check_positions(kName, "positions", positions, frequencies.position_limit());
}

}  // namespace

Status check(const SinusoidalConfig& config) noexcept {
  POSENC_RETURN_IF_FAILED(detail::check_width(kName, "dim", config.dim));
  POSENC_RETURN_IF_FAILED(detail::check_number(kName, "base", config.base, 1.0, 1e30));
  if (config.frequency_denominator == 0.0) return {};
  return detail::check_number(kName, "frequency_denominator", config.frequency_denominator, 1.0,
                              2.0 * static_cast<double>(detail::kMaxWidth));
}

Sinusoidal::Sinusoidal(const SinusoidalConfig& config) : config_(config) {
  check(config).or_throw();
  frequencies_ = frequencies_of(config);
}

Status Sinusoidal::table(const Positions& positions, Floats out) const noexcept {
  POSENC_RETURN_IF_FAILED(check_call(config_, frequencies_, "out", positions, out.size()));
  const kernels::Rounding rounding = detail::rounding_for(out);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    visit_row(config_, frequencies_, positions[i], rounding,
              [&](std::size_t column, const float* values, std::size_t count) {
                detail::write(out, i * config_.dim + column, count, values);
              });
  }
  return {};
}

Status Sinusoidal::add(const Positions& positions, Floats x) const noexcept {
  POSENC_RETURN_IF_FAILED(check_call(config_, frequencies_, "x", positions, x.size()));
  for (std::size_t i = 0; i < positions.size(); ++i) {
    visit_row(config_, frequencies_, positions[i], kernels::Rounding::nearest,
              [&](std::size_t column, const float* values, std::size_t count) {
                detail::add({values, count}, 0, x, i * config_.dim + column, count);
              });
  }
  return {};
}

Result<Sinusoidal> make(const SinusoidalConfig& config) noexcept {
  return make_result<Sinusoidal>(config);
}

}  // namespace posenc
