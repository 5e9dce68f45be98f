#pragma once

// Private: images cut into patches.

#include "posenc/model/model_type.hpp"

namespace posenc::detail {

/// The grid of patches of an image.
struct Patches {
  std::int64_t rows;
  std::int64_t columns;
  Origin source;
};

/// image_size and patch_size, each a number or [height, width]; rounded down, as published code
/// does, with a warning.
Patches read_patch_grid(const Reading& reading);

/// Adds a learned table of `prefix_tokens` rows and one row per patch.
ModelEncoding& emit_patch_table(Reading& reading, const Patches& patches,
                                std::int64_t prefix_tokens);

}  // namespace posenc::detail
