#pragma once

// Private: what one call of a rotary verb turns, and one row of its tables.

#include <cstddef>
#include <span>

#include "posenc/core/positions.hpp"
#include "posenc/core/storage.hpp"
#include "posenc/rotary/rope.hpp"
#include "posenc/rotary/rotary_tensor.hpp"

namespace posenc {

/// Pairs first_pair .. first_pair + pairs - 1 of row `row` of `rows`, of frequency head `head`.
struct Rope::Row {
  Positions positions;
  std::size_t row;
  std::size_t rows;
  std::size_t head;
  std::size_t first_pair;
  std::size_t pairs;
  double sin_scale;
  double cos_scale;
  /// For rerotate: the rope and the positions that are taken back.
  const Rope* from = nullptr;
  Positions from_positions{};
  /// xPos: multiplies pair i by zeta[i]^zeta_power.
  double zeta_power = 0.0;
};

/// A tensor that a call turns.
struct Rope::Target {
  RotaryTensor tensor;
  ConstFloats x;
  Floats out;
};

/// What all rows of a call share.
struct Rope::Turn {
  std::span<const Target> targets;
  Positions positions;
  std::size_t rows;
  double sin_scale;
  double cos_scale;
  const Rope* from = nullptr;
  Positions from_positions{};
  double zeta_step = 0.0;
  double zeta_origin = 0.0;

  Row row(std::size_t index, std::size_t head, std::size_t pair, std::size_t width) const noexcept {
    return {.positions = positions,
            .row = index,
            .rows = rows,
            .head = head,
            .first_pair = pair,
            .pairs = width,
            .sin_scale = sin_scale,
            .cos_scale = cos_scale,
            .from = from,
            .from_positions = from_positions,
            .zeta_power = (positions[index] - zeta_origin) * zeta_step};
  }
};

}  // namespace posenc
