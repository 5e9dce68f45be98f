#pragma once

#include <cstddef>

#include "posenc/core/frequencies.hpp"
#include "posenc/kernels/kernels.hpp"

namespace posenc::kernels {

/// What the kernels read of `frequencies`, from index `first` on.
inline Turns turns_from(const Frequencies& frequencies, std::size_t first) noexcept {
  return {.high = frequencies.turns_high() + first,
          .split = frequencies.turns_split() + first,
          .low = frequencies.turns_low() + first};
}

}  // namespace posenc::kernels
