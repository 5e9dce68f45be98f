#pragma once

// Private: the tables of model types by what their positions are.

#include <span>

#include "posenc/model/model_type.hpp"

namespace posenc::detail {

/// Ropes that are alike in all layers.
extern const std::span<const ModelType> kRopeTypes;
/// Newer ones.
extern const std::span<const ModelType> kRecentRopeTypes;
/// Ropes whose layers differ: windows, bases, layers without positions.
extern const std::span<const ModelType> kLayeredRopeTypes;
/// Learned and sinusoidal tables.
extern const std::span<const ModelType> kTableTypes;
/// Biases and relative positions.
extern const std::span<const ModelType> kScoreTypes;
/// Vision towers, models of several parts, and those without positions.
extern const std::span<const ModelType> kPartTypes;

}  // namespace posenc::detail
