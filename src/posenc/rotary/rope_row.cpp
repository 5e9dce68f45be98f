#include "posenc/rotary/rope_row.hpp"

#include <algorithm>
#include <array>

#include "posenc/kernels/kernels.hpp"
#include "posenc/kernels/turns.hpp"
#include "posenc/math/elementary.hpp"

namespace posenc {
namespace {

constexpr std::size_t kTile = 64;
constexpr std::size_t kMaxTerms = 16;  // 8 axes, forth and back

}  // namespace

bool Rope::turns_alone() const noexcept {
  return axis_count() == 1 && config_.angles != Angles::float32 && log_zeta_.empty();
}

void Rope::write_row(const Row& row, float* sin, float* cos) const noexcept {
  const kernels::Kernels& kernels = kernels::active();
  const std::size_t axes = axis_count();
  const double position = row.positions[row.row];

  if (config_.angles == Angles::float32) {
    std::array<double, kTile> radians;
    for (std::size_t done = 0; done < row.pairs; done += kTile) {
      const std::size_t count = std::min(kTile, row.pairs - done);
      for (std::size_t i = 0; i < count; ++i) {
        const auto frequency = static_cast<float>(inv_freq_[row.first_pair + done + i]);
        radians[i] = static_cast<double>(static_cast<float>(position) * frequency);
      }
      kernels.sin_cos_radians(radians.data(), count, row.sin_scale, row.cos_scale, sin + done,
                              cos + done);
    }
    return;
  }
  if (turns_alone() && row.from == nullptr) {
    kernels.sin_cos(position, kernels::turns_from(axes_[row.head], row.first_pair), row.pairs,
                    row.sin_scale, row.cos_scale, kernels::Rounding::nearest, sin, cos);
    return;
  }
  std::array<double, kTile> zetas;
  for (std::size_t done = 0; done < row.pairs; done += kTile) {
    const std::size_t count = std::min(kTile, row.pairs - done), pair = row.first_pair + done;
    std::array<kernels::AxisTurns, kMaxTerms> terms;
    std::size_t used = 0;
    for (std::size_t axis = 0; axis < axes; ++axis) {
      const std::size_t set = axis * frequency_heads_ + row.head, at = axis * row.rows + row.row;
      terms[used++] = {row.positions[at], kernels::turns_from(axes_[set], pair)};
      if (row.from == nullptr) continue;
      terms[used++] = {-row.from_positions[at], kernels::turns_from(row.from->axes_[set], pair)};
    }
    for (std::size_t i = 0; !log_zeta_.empty() && i < count; ++i) {
      zetas[i] = math::exp(row.zeta_power * log_zeta_[pair + i]);
    }
    kernels.sin_cos_axes(terms.data(), used, count, row.sin_scale, row.cos_scale,
                         log_zeta_.empty() ? nullptr : zetas.data(), kernels::Rounding::nearest,
                         sin + done, cos + done);
  }
}

}  // namespace posenc
