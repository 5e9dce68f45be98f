#pragma once

// Private: from the numbers of a rope to its encoding, for all rules that end in one.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "posenc/model/model_type.hpp"
#include "posenc/model/scaling.hpp"

namespace posenc::detail {

/// Bases up to this; published ones end at 1e8.
inline constexpr double kMaxBase = 1e30;

/// The numbers of a rope and where they came from.
struct RopeParts {
  Field<std::int64_t> head_dim;
  Field<std::int64_t> rotary_dim;
  std::int64_t rotary_start = 0;
  Field<double> base;
  Field<RopeLayout> layout;
  std::optional<Field<std::int64_t>> max_position{};
  /// Fields of rope_scaling, if any.
  std::optional<Section> scaling{};
  /// Whether that is the class's own.
  bool scaling_is_usual = false;
  std::optional<std::int64_t> original{};
  std::optional<Field<std::int64_t>> window{};
  std::optional<Field<std::vector<std::int64_t>>> sections{};
  bool interleaved_sections = false;
  bool causal = true;
  SoftmaxScale softmax = SoftmaxScale::usual;
  std::optional<Field<double>> softmax_field{};
};

/// Adds the rope, or M-RoPE when it has sections, for some layers.
void emit_rope(Reading& reading, const RopeParts& parts, std::vector<std::int64_t> layers);

/// hidden / heads, or the model's own field.
Field<std::int64_t> read_head_dim(const Section& section, const ModelType& type, const char* names,
                                  std::int64_t fallback);

/// The dims that rotate: factor * head_dim, as Python's int() cuts it.
Field<std::int64_t> partial_rotary_dim(const Section& section, const Field<std::int64_t>& head_dim,
                                       const Field<double>& factor);

/// max_position_embeddings, without a warning when it is missing; nothing where a model has none.
std::optional<Field<std::int64_t>> read_max_position(const Reading& reading);

}  // namespace posenc::detail
