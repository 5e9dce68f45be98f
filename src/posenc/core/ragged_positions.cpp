#include "posenc/core/ragged_positions.hpp"

#include <cstddef>

#include "posenc/core/check.hpp"

namespace posenc {
namespace {

Status check_offsets(const char* name, std::span<const std::int64_t> offsets,
                     std::size_t most_tokens) noexcept {
  const std::int64_t last = kMaxPosition - static_cast<std::int64_t>(most_tokens);
  for (const std::int64_t offset : offsets) {
    if (offset >= -kMaxPosition && offset <= last) continue;
    return Status::failure(Code::position_range, "offsets",
                           "%s: offsets must keep positions within 2^50, got %lld", name,
                           static_cast<long long>(offset));
  }
  return {};
}

template <class Start>
Status check_starts(const char* name, std::span<const Start> starts) noexcept {
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const Start before = i == 0 ? Start{0} : starts[i - 1];
    if (i == 0 ? starts[i] == 0 : starts[i] >= before) continue;
    return Status::failure(Code::value_range, "starts",
                           "%s: starts must begin at 0 and not decrease, got %lld at %zu", name,
                           static_cast<long long>(starts[i]), i);
  }
  return {};
}

template <class Start>
Status pack(std::span<const std::int64_t> offsets, std::span<const Start> starts,
            std::span<std::int64_t> out) noexcept {
  constexpr char kName[] = "packed_positions";
  if (starts.empty()) {
    return Status::failure(Code::shape, "starts",
                           "packed_positions: starts must have batch + 1 elements, got 0");
  }
  if (!offsets.empty()) {
    POSENC_RETURN_IF_FAILED(
        detail::check_shape(kName, "offsets", offsets.size(), "batch", {starts.size() - 1}));
  }
  POSENC_RETURN_IF_FAILED(check_starts(kName, starts));
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "out", out.size(), "starts[batch]",
                                              {static_cast<std::size_t>(starts.back())}));
  POSENC_RETURN_IF_FAILED(check_offsets(kName, offsets, out.size()));
  for (std::size_t sequence = 0; sequence + 1 < starts.size(); ++sequence) {
    const auto first = static_cast<std::int64_t>(starts[sequence]);
    const auto end = static_cast<std::int64_t>(starts[sequence + 1]);
    const std::int64_t offset = offsets.empty() ? 0 : offsets[sequence];
    for (std::int64_t token = first; token < end; ++token) {
      out[static_cast<std::size_t>(token)] = offset + (token - first);
    }
  }
  return {};
}

}  // namespace

Status offset_positions(std::span<const std::int64_t> offsets,
                        std::span<std::int64_t> out) noexcept {
  constexpr char kName[] = "offset_positions";
  const std::size_t batch = offsets.size(), tokens = batch == 0 ? 0 : out.size() / batch;
  POSENC_RETURN_IF_FAILED(
      detail::check_shape(kName, "out", out.size(), "batch * tokens", {batch, tokens}));
  POSENC_RETURN_IF_FAILED(check_offsets(kName, offsets, tokens));
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = offsets[i / tokens] + static_cast<std::int64_t>(i % tokens);
  }
  return {};
}

Status packed_positions(std::span<const std::int64_t> offsets, std::span<const std::int32_t> starts,
                        std::span<std::int64_t> out) noexcept {
  return pack(offsets, starts, out);
}

Status packed_positions(std::span<const std::int64_t> offsets, std::span<const std::int64_t> starts,
                        std::span<std::int64_t> out) noexcept {
  return pack(offsets, starts, out);
}

}  // namespace posenc
