#pragma once

// Private: which kind each layer of a model is.

#include <cstdint>
#include <string_view>
#include <vector>

#include "posenc/model/model_type.hpp"

namespace posenc::detail {

enum class LayerKind : std::uint8_t {
  full,
  sliding,
  chunked,
  /// Attention without positions.
  nope,
  linear,
  recurrent,
};

/// Names in layer_types and in rope_parameters: "full_attention", "sliding_attention", ...
const char* layer_type_name(LayerKind kind) noexcept;

/// The kind of each layer; one entry when all are alike.
std::vector<LayerKind> layer_kinds(const Reading& reading);

/// The layers of a kind; empty when there is one kind alone.
std::vector<std::int64_t> layers_of(const std::vector<LayerKind>& kinds, LayerKind kind);

}  // namespace posenc::detail
