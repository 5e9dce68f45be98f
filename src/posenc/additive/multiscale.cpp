#include "posenc/additive/multiscale.hpp"

#include <algorithm>

#include "posenc/additive/sinusoid_block.hpp"
#include "posenc/core/check.hpp"
#include "posenc/core/elements.hpp"

namespace posenc {
namespace {

constexpr char kName[] = "multiscale";
constexpr std::size_t kMaxLevels = 16;
using detail::kPairTile;

detail::SinusoidBlock block_of(const MultiscaleLevel& level, bool interleaved,
                               std::size_t start) noexcept {
  const std::size_t pairs = level.dim / 2;
  return {.firsts = pairs,
          .seconds = pairs,
          .first_column = start,
          .second_column = start + (interleaved ? 1 : pairs),
          .interleaved = interleaved,
          .scale = level.scale};
}

/// A summed row, a tile of pairs at a time: `put(column, values, count)`.
template <class Put>
void visit_summed(const Multiscale& encoding, const std::vector<Frequencies>& frequencies,
                  std::span<const Positions> positions, std::size_t token,
                  const Put& put) noexcept {
  const std::span<const MultiscaleLevel> levels = encoding.levels();
  const std::size_t pairs = encoding.dim() / 2;
  for (std::size_t first = 0; first < pairs; first += kPairTile) {
    const std::size_t count = std::min(kPairTile, pairs - first);
    float sums[2 * kPairTile] = {}, values[2 * kPairTile] = {};
    for (std::size_t i = 0; i < levels.size(); ++i) {
      float* const target = i == 0 ? sums : values;
      const detail::SinusoidBlock block = block_of(levels[i], encoding.interleaved(), 0);
      kernels::active().sin_cos(positions[i][token], kernels::turns_from(frequencies[i], first),
                                count, block.scale, block.scale, kernels::Rounding::nearest, target,
                                target + (encoding.interleaved() ? 1 : kPairTile));
      if (i > 0) kernels::active().add(values, sums, 2 * kPairTile);
    }
    if (encoding.interleaved()) {
      put(2 * first, sums, 2 * count);
    } else {
      put(first, sums, count);
      put(pairs + first, sums + kPairTile, count);
    }
  }
}

template <class Put>
void visit_row(const Multiscale& encoding, const std::vector<Frequencies>& frequencies,
               std::span<const Positions> positions, std::size_t token, kernels::Rounding rounding,
               const Put& put) noexcept {
  if (encoding.combine() == MultiscaleCombine::sum) {
    visit_summed(encoding, frequencies, positions, token, put);
    return;
  }
  std::size_t start = 0;
  for (std::size_t i = 0; i < encoding.levels().size(); ++i) {
    const MultiscaleLevel& level = encoding.levels()[i];
    detail::visit_block(block_of(level, encoding.interleaved(), start), frequencies[i],
                        positions[i][token], rounding, put);
    start += level.dim;
  }
}

Status check_level(const MultiscaleConfig& config, std::size_t index) noexcept {
  const MultiscaleLevel& level = config.levels[index];
  POSENC_RETURN_IF_FAILED(detail::check_width(kName, "dim", level.dim));
  if (level.dim % 2 != 0) {
    return Status::failure(Code::value_range, "dim",
                           "multiscale: dim of a level must be even, got %zu at level %zu",
                           level.dim, index);
  }
  if (config.combine == MultiscaleCombine::sum && level.dim != config.levels[0].dim) {
    return Status::failure(Code::value_range, "dim",
                           "multiscale: dim must be the same at every level to be summed, got %zu "
                           "at level %zu and %zu at level 0",
                           level.dim, index, config.levels[0].dim);
  }
  POSENC_RETURN_IF_FAILED(detail::check_number(kName, "base", level.base, 1.0, 1e30));
  return detail::check_number(kName, "scale", level.scale, -1e30, 1e30);
}

}  // namespace

Status check(const MultiscaleConfig& config) noexcept {
  if (config.levels.empty() || config.levels.size() > kMaxLevels) {
    return Status::failure(Code::value_range, "levels",
                           "multiscale: levels must be 1 to %zu, got %zu", kMaxLevels,
                           config.levels.size());
  }
  for (std::size_t i = 0; i < config.levels.size(); ++i) {
    POSENC_RETURN_IF_FAILED(check_level(config, i));
  }
  return {};
}

Multiscale::Multiscale(const MultiscaleConfig& config)
    : combine_(config.combine), interleaved_(config.interleaved) {
  check(config).or_throw();
  levels_.assign(config.levels.begin(), config.levels.end());
  for (const MultiscaleLevel& level : levels_) {
    frequencies_.push_back(
        Frequencies::geometric(level.dim / 2, level.base, static_cast<double>(level.dim)));
  }
}

std::size_t Multiscale::dim() const noexcept {
  if (combine_ == MultiscaleCombine::sum) return levels_[0].dim;
  std::size_t total = 0;
  for (const MultiscaleLevel& level : levels_) total += level.dim;
  return total;
}

Status Multiscale::check_call(std::span<const Positions> positions, const char* argument,
                              std::size_t size) const noexcept {
  POSENC_RETURN_IF_FAILED(
      detail::check_shape(kName, "positions", positions.size(), "levels", {levels_.size()}));
  const std::size_t tokens = positions[0].size();
  POSENC_RETURN_IF_FAILED(
      detail::check_shape(kName, argument, size, "tokens * dim", {tokens, dim()}));
  for (std::size_t i = 0; i < positions.size(); ++i) {
    POSENC_RETURN_IF_FAILED(
        detail::check_shape(kName, "positions", positions[i].size(), "tokens", {tokens}));
    POSENC_RETURN_IF_FAILED(detail::check_positions(kName, "positions", positions[i],
                                                    frequencies_[i].position_limit()));
  }
  return {};
}

Status Multiscale::table(std::span<const Positions> positions, Floats out) const noexcept {
  POSENC_RETURN_IF_FAILED(check_call(positions, "out", out.size()));
  const kernels::Rounding rounding = detail::rounding_for(out);
  for (std::size_t token = 0; token < positions[0].size(); ++token) {
    visit_row(*this, frequencies_, positions, token, rounding,
              [&](std::size_t column, const float* values, std::size_t count) {
                detail::write(out, token * dim() + column, count, values);
              });
  }
  return {};
}

Status Multiscale::add(std::span<const Positions> positions, Floats x) const noexcept {
  POSENC_RETURN_IF_FAILED(check_call(positions, "x", x.size()));
  for (std::size_t token = 0; token < positions[0].size(); ++token) {
    visit_row(*this, frequencies_, positions, token, kernels::Rounding::nearest,
              [&](std::size_t column, const float* values, std::size_t count) {
                detail::add({values, count}, 0, x, token * dim() + column, count);
              });
  }
  return {};
}

Result<Multiscale> make(const MultiscaleConfig& config) noexcept {
  return make_result<Multiscale>(config, {kName, "levels", config.levels.size()});
}

}  // namespace posenc
