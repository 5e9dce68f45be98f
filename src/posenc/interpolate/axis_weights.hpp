#pragma once

// Private: which old rows make a new one, and with which weights.

#include <cstddef>

#include "posenc/interpolate/interpolate.hpp"

namespace posenc::detail {

/// The weights of an axis of `from` old and `to` new rows, by the rules of `config` (whose sizes
/// are not read).
AxisWeights axis_weights(const InterpolateConfig& config, std::size_t from, std::size_t to);

}  // namespace posenc::detail
