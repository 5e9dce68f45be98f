#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace posenc {

/// What bias encodings hand to attention: terms added to scores[head, query, key] before softmax.
/// A plain value of views, so that attention includes no encoding and no encoding includes
/// attention. Every part may be left empty; all empty is NoPE.
struct ScoreTerms {
  /// A bias that depends on the distance key position - query position alone, as one vector per
  /// head: [heads, distance_count], distance d at index d - first_distance. It must cover every
  /// distance of the call. What `distances(...)` of alibi and t5 writes.
  std::span<const float> distances{};
  std::int64_t first_distance = 0;

  /// A bias of any form: [heads, query_count, key_count].
  std::span<const float> bias{};

  /// A bias of the key alone: [heads, key_count]. What `key_bias(...)` of alibi writes.
  std::span<const float> key_bias{};
};

}  // namespace posenc
