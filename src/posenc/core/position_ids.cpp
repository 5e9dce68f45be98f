#include "posenc/core/position_ids.hpp"

#include <limits>

#include "posenc/core/check.hpp"
#include "posenc/core/positions.hpp"

namespace posenc {
namespace {

/// VALUE_RANGE unless 0 <= first and positions first .. first + count fit the type of ids.
template <class Id>
Status check_range(const char* name, const char* field, std::int64_t first,
                   std::size_t count) noexcept {
  constexpr std::int64_t kMost =
      sizeof(Id) == 4 ? std::numeric_limits<std::int32_t>::max() : kMaxPosition;
  const bool fits = first >= 0 && first <= kMost &&
                    static_cast<std::uint64_t>(count) <= static_cast<std::uint64_t>(kMost - first);
  if (fits) return {};
  return Status::failure(Code::value_range, field,
                         "%s: %s must be 0 to %lld less the tokens of a sequence, got %lld", name,
                         field, static_cast<long long>(kMost), static_cast<long long>(first));
}

Status check_batch(const char* name, std::size_t batch) noexcept {
  return detail::check_width(name, "batch", batch);
}

template <class Id>
Status roberta(std::span<const Id> ids, std::size_t batch, Id padding_id, std::int64_t past_length,
               std::span<Id> out) noexcept {
  constexpr char kName[] = "roberta_positions";
  POSENC_RETURN_IF_FAILED(check_batch(kName, batch));
  const std::size_t tokens = ids.size() / batch;
  POSENC_RETURN_IF_FAILED(
      detail::check_shape(kName, "ids", ids.size(), "batch * tokens", {batch, tokens}));
  POSENC_RETURN_IF_FAILED(
      detail::check_shape(kName, "out", out.size(), "batch * tokens", {batch, tokens}));
  POSENC_RETURN_IF_FAILED(check_range<Id>(kName, "padding_id", padding_id, tokens));
  POSENC_RETURN_IF_FAILED(check_range<Id>(kName, "past_length", past_length, tokens));
  POSENC_RETURN_IF_FAILED(check_range<Id>(kName, "past_length", padding_id + past_length, tokens));
  for (std::size_t row = 0; row < batch; ++row) {
    std::int64_t next = std::int64_t{padding_id} + past_length + 1;
    for (std::size_t i = row * tokens; i < (row + 1) * tokens; ++i) {
      const bool real = ids[i] != padding_id;
      out[i] = real ? static_cast<Id>(next++) : padding_id;
    }
  }
  return {};
}

/// Writes to the tokens after the past: `masked` where the mask is 0, else `first` + the number of
/// real tokens before, past ones included.
template <class Id>
void count_real(std::span<const std::uint8_t> mask, std::size_t batch, std::size_t past_length,
                std::int64_t first, std::int64_t masked, std::span<Id> out) noexcept {
  const std::size_t columns = mask.size() / batch, tokens = out.size() / batch;
  for (std::size_t row = 0; row < batch; ++row) {
    std::int64_t next = first;
    for (std::size_t column = 0; column < columns; ++column) {
      const bool real = mask[row * columns + column] != 0;
      const std::int64_t position = real ? next++ : masked;
      if (column < past_length) continue;
      out[row * tokens + column - past_length] = static_cast<Id>(position);
    }
  }
}

template <class Id>
Status opt(std::span<const std::uint8_t> mask, std::size_t batch, std::size_t past_length,
           std::int64_t offset, std::span<Id> out) noexcept {
  constexpr char kName[] = "opt_positions";
  POSENC_RETURN_IF_FAILED(check_batch(kName, batch));
  const std::size_t columns = mask.size() / batch;
  POSENC_RETURN_IF_FAILED(
      detail::check_shape(kName, "mask", mask.size(), "batch * tokens", {batch, columns}));
  if (past_length > columns) {
    return Status::failure(Code::value_range, "past_length",
                           "opt_positions: past_length must be 0 to the mask's %zu tokens, got %zu",
                           columns, past_length);
  }
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "out", out.size(), "batch * tokens",
                                              {batch, columns - past_length}));
  POSENC_RETURN_IF_FAILED(check_range<Id>(kName, "offset", offset, columns));
  if (offset == 0) {
    return Status::failure(Code::value_range, "offset",
                           "opt_positions: offset must be at least 1, got 0");
  }
  count_real(mask, batch, past_length, offset, offset - 1, out);
  return {};
}

template <class Id>
Status left_padding(std::span<const std::uint8_t> mask, std::size_t batch,
                    std::int64_t masked_value, std::span<Id> out) noexcept {
  constexpr char kName[] = "left_padding_positions";
  POSENC_RETURN_IF_FAILED(check_batch(kName, batch));
  const std::size_t tokens = mask.size() / batch;
  POSENC_RETURN_IF_FAILED(
      detail::check_shape(kName, "mask", mask.size(), "batch * tokens", {batch, tokens}));
  POSENC_RETURN_IF_FAILED(
      detail::check_shape(kName, "out", out.size(), "batch * tokens", {batch, tokens}));
  POSENC_RETURN_IF_FAILED(check_range<Id>(kName, "masked_value", masked_value, tokens));
  count_real(mask, batch, 0, 0, masked_value, out);
  return {};
}

template <class Id>
Status next(std::span<const std::uint8_t> mask, std::span<Id> out) noexcept {
  constexpr char kName[] = "next_positions";
  POSENC_RETURN_IF_FAILED(check_batch(kName, out.size()));
  const std::size_t batch = out.size(), tokens = mask.size() / batch;
  POSENC_RETURN_IF_FAILED(
      detail::check_shape(kName, "mask", mask.size(), "batch * tokens", {batch, tokens}));
  POSENC_RETURN_IF_FAILED(check_range<Id>(kName, "mask", 0, tokens));
  for (std::size_t row = 0; row < batch; ++row) {
    std::size_t count = 0;
    for (const std::uint8_t real : mask.subspan(row * tokens, tokens)) count += real != 0 ? 1 : 0;
    out[row] = static_cast<Id>(count);
  }
  return {};
}

}  // namespace

Status roberta_positions(std::span<const std::int32_t> ids, std::size_t batch,
                         std::int32_t padding_id, std::int64_t past_length,
                         std::span<std::int32_t> out) noexcept {
  return roberta(ids, batch, padding_id, past_length, out);
}

Status roberta_positions(std::span<const std::int64_t> ids, std::size_t batch,
                         std::int64_t padding_id, std::int64_t past_length,
                         std::span<std::int64_t> out) noexcept {
  return roberta(ids, batch, padding_id, past_length, out);
}

Status opt_positions(std::span<const std::uint8_t> mask, std::size_t batch, std::size_t past_length,
                     std::int64_t offset, std::span<std::int32_t> out) noexcept {
  return opt(mask, batch, past_length, offset, out);
}

Status opt_positions(std::span<const std::uint8_t> mask, std::size_t batch, std::size_t past_length,
                     std::int64_t offset, std::span<std::int64_t> out) noexcept {
  return opt(mask, batch, past_length, offset, out);
}

Status left_padding_positions(std::span<const std::uint8_t> mask, std::size_t batch,
                              std::int64_t masked_value, std::span<std::int32_t> out) noexcept {
  return left_padding(mask, batch, masked_value, out);
}

Status left_padding_positions(std::span<const std::uint8_t> mask, std::size_t batch,
                              std::int64_t masked_value, std::span<std::int64_t> out) noexcept {
  return left_padding(mask, batch, masked_value, out);
}

Status next_positions(std::span<const std::uint8_t> mask, std::span<std::int32_t> out) noexcept {
  return next(mask, out);
}

Status next_positions(std::span<const std::uint8_t> mask, std::span<std::int64_t> out) noexcept {
  return next(mask, out);
}

}  // namespace posenc
