#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "posenc/core/status.hpp"

namespace posenc {

// Positions of tokens in padded batches, by the rules of published models. Each row of a batch is a
// sequence; a mask has one byte per token, not 0 where the token is real. All are integers, checked
// before anything is written, and none allocates or throws. What they write goes to
// `Positions::of`.

/// RoBERTa's, fairseq's: padding_id at padding tokens, else padding_id + past_length + the number
/// of real tokens so far, counting from 1. ids and out [batch, tokens].
/// Fails with VALUE_RANGE (batch 0, negative padding_id or past_length, or an id that does not fit
/// out's type) or SHAPE.
Status roberta_positions(std::span<const std::int32_t> ids, std::size_t batch,
                         std::int32_t padding_id, std::int64_t past_length,
                         std::span<std::int32_t> out) noexcept;
Status roberta_positions(std::span<const std::int64_t> ids, std::size_t batch,
                         std::int64_t padding_id, std::int64_t past_length,
                         std::span<std::int64_t> out) noexcept;

/// OPT's rows of its table: offset - 1 at masked tokens, else offset - 1 + the number of real
/// tokens so far, counting from 1 in the past already. mask [batch, past_length + tokens],
/// out [batch, tokens]; offset is 2 for OPT. Fails as above.
Status opt_positions(std::span<const std::uint8_t> mask, std::size_t batch, std::size_t past_length,
                     std::int64_t offset, std::span<std::int32_t> out) noexcept;
Status opt_positions(std::span<const std::uint8_t> mask, std::size_t batch, std::size_t past_length,
                     std::int64_t offset, std::span<std::int64_t> out) noexcept;

/// Positions that padding does not move: masked_value at masked tokens (1 in transformers'
/// generation, 0 in BLOOM), else the number of real tokens before. mask and out [batch, tokens].
/// Fails as above.
Status left_padding_positions(std::span<const std::uint8_t> mask, std::size_t batch,
                              std::int64_t masked_value, std::span<std::int32_t> out) noexcept;
Status left_padding_positions(std::span<const std::uint8_t> mask, std::size_t batch,
                              std::int64_t masked_value, std::span<std::int64_t> out) noexcept;

/// The position of the token that each sequence decodes next: its number of real tokens.
/// mask [batch, tokens], out [batch]. Fails with VALUE_RANGE (batch 0) or SHAPE.
Status next_positions(std::span<const std::uint8_t> mask, std::span<std::int32_t> out) noexcept;
Status next_positions(std::span<const std::uint8_t> mask, std::span<std::int64_t> out) noexcept;

}  // namespace posenc
