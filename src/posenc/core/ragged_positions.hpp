#pragma once

#include <cstdint>
#include <span>

#include "posenc/core/status.hpp"

namespace posenc {

// Positions of sequences that each have an offset of their own, as batches of chats in progress do:
// what was cached before counts. All are integers within 2^50, checked before anything is written;
// none allocates or throws. What they write goes to `Positions::of`.
//
// Caches that drop, ring or page their rows need no helper: a token keeps the position it had, and
// verbs take positions, never row numbers. Only keys that are moved to other positions are rotated
// again, with `Rope::rerotate`.

/// Token i of sequence s is at offsets[s] + i. offsets [batch], out [batch, tokens].
/// Fails with SHAPE or POSITION_RANGE.
Status offset_positions(std::span<const std::int64_t> offsets,
                        std::span<std::int64_t> out) noexcept;

/// Sequences one after the other without padding, as flash-attention packs them: sequence s has the
/// tokens starts[s] to starts[s + 1] (not included), the first of them at position offsets[s].
/// offsets [batch] (empty: all 0), starts [batch + 1] ("cu_seqlens"), out [starts[batch]].
/// Fails with SHAPE, VALUE_RANGE (starts that do not begin at 0 or decrease) or POSITION_RANGE.
Status packed_positions(std::span<const std::int64_t> offsets, std::span<const std::int32_t> starts,
                        std::span<std::int64_t> out) noexcept;
Status packed_positions(std::span<const std::int64_t> offsets, std::span<const std::int64_t> starts,
                        std::span<std::int64_t> out) noexcept;

}  // namespace posenc
