#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "posenc/core/status.hpp"

namespace posenc {

/// Which tokens of a prompt are parts of images and videos, and how large those are.
struct MropePositionsArgs {
  /// Sequences.
  std::size_t batch = 1;
  std::int32_t image_token_id = 0;
  std::int32_t video_token_id = 0;
  /// Patches of a side that become one token: 1 to 64.
  std::int32_t spatial_merge_size = 2;
  /// The position of masked tokens on all axes.
  std::int64_t masked_position = 1;
};

/// The ids of multimodal rope (Qwen2-VL's get_rope_index): three positions per token, time, height,
/// width, and per sequence the delta for decoding, where the next token's position is its index +
/// delta on all axes.
///
/// Text advances all axes by one. A grid of t x h x w patches has t * (h/m) * (w/m) tokens, row by
/// row, at offsets (t, h, w) from its first position; the next token follows the largest position
/// used. Masked tokens (mask 0) take
/// no part.
///
/// input_ids and attention_mask are [batch, length] (the mask may be empty: all tokens), grids
/// [count, 3] as (t, h, w) in order of appearance over the whole batch, positions [3, batch,
/// length], delta [batch]. Fails with SHAPE (sizes; more or fewer grids than the ids show; a grid
/// cut short) or VALUE_RANGE (a grid's side not positive or not divisible by the merge size);
/// nothing is written then.
Status mrope_positions(const MropePositionsArgs& args, std::span<const std::int32_t> input_ids,
                       std::span<const std::uint8_t> attention_mask,
                       std::span<const std::int64_t> image_grids,
                       std::span<const std::int64_t> video_grids, std::span<std::int64_t> positions,
                       std::span<std::int64_t> delta) noexcept;

}  // namespace posenc
