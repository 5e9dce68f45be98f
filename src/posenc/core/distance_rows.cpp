#include "posenc/core/distance_rows.hpp"

namespace posenc::detail {

DistanceRows distance_rows(const std::int32_t* rows, std::size_t count) noexcept {
  DistanceRows found{
      .rows = rows, .count = count, .head = 0, .tail = count, .begin = 0, .end = 0, .step = 1};
  while (found.head < count && rows[found.head] == rows[0]) ++found.head;
  while (found.tail > 0 && rows[found.tail - 1] == rows[count - 1]) --found.tail;
  for (const std::int32_t step : {1, -1}) {
    std::size_t begin = 0;
    for (std::size_t at = 0; at < count; ++at) {
      const bool goes_on = at != 0 && rows[at] >= 0 && rows[at - 1] >= 0 &&
                           std::int64_t{rows[at]} - rows[at - 1] == step;
      if (!goes_on) begin = at;
      if (at + 1 - begin <= found.end - found.begin) continue;
      found.begin = begin;
      found.end = at + 1;
      found.step = step;
    }
  }
  return found;
}

void spread_rows(const DistanceRows& distances, std::size_t first, std::size_t count,
                 const float* values, std::int32_t lowest, float* out) noexcept {
  const std::size_t stop = first + count;
  const auto value_of = [&](std::size_t at) {
    const std::int32_t row = distances.rows[at];
    return row < 0 ? -0.0f : values[row - lowest];
  };
  std::size_t at = first;
  const auto fill_to = [&](std::size_t end) {
    if (end <= at) return;
    std::fill(out + (at - first), out + (end - first), value_of(at));
    at = end;
  };
  const auto look_up_to = [&](std::size_t end) {
    for (; at < end; ++at) out[at - first] = value_of(at);
  };
  fill_to(std::min(distances.head, stop));
  look_up_to(std::min(distances.begin, stop));
  const std::size_t end = std::min(distances.end, stop);
  if (at < end) {
    const float* from = values + (distances.rows[at] - lowest);
    const std::ptrdiff_t length = static_cast<std::ptrdiff_t>(end - at);
    float* to = out + (at - first);
    if (distances.step > 0) {
      for (std::ptrdiff_t i = 0; i < length; ++i) to[i] = from[i];
    } else {
      for (std::ptrdiff_t i = 0; i < length; ++i) to[i] = from[-i];
    }
    at = end;
  }
  look_up_to(std::min(distances.tail, stop));
  fill_to(stop);
}

}  // namespace posenc::detail
