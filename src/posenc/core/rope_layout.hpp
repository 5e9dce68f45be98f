#pragma once

#include <cstdint>

namespace posenc {

/// Which dims form pair i of the rotated part.
enum class RopeLayout : std::uint8_t {
  /// (i, i + rotary_dim/2): GPT-NeoX, Llama as published for transformers, most checkpoints.
  half,
  /// (2i, 2i + 1): RoFormer's paper, GPT-J, Llama as published by Meta.
  interleaved,
};

}  // namespace posenc
