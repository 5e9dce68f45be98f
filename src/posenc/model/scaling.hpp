#pragma once

// Private: rope_scaling and rope_parameters.

#include <cstdint>
#include <optional>
#include <string>

#include "posenc/model/model_type.hpp"
#include "posenc/rotary/scaling.hpp"

namespace posenc::detail {

/// What a scaling depends on beside its own fields.
struct ScalingContext {
  std::int64_t pairs = 0;
  std::int64_t max_position = 0;
  /// original_max_position_embeddings of the config itself (Phi-3).
  std::optional<std::int64_t> original{};
  Field<double> base;
  Field<std::int64_t> head_dim;
  Field<std::int64_t> rotary_dim;
};

struct Scaling {
  RopeScaling scaling = NoScaling{};
  /// {"type": ..., "factor": ..., ...}
  Value::Object told{};
  Origin source = kClassDefault;
};

/// Reads the object of rope_scaling or rope_parameters; nothing for none.
Scaling read_scaling(const std::optional<Section>& params, const RopeRow& row,
                     const ScalingContext& context);

}  // namespace posenc::detail
