#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "posenc/core/storage.hpp"

namespace posenc {

/// Terms that depend on content and on the distance key position - query position: Shaw's,
/// DeBERTa's, Transformer-XL's. A distance has a row of trained tables, which `index` names; scale
/// is attention's.
struct RelativeTerms {
  /// The row of distance d at d - first_distance, below row_count; negative for no row. It must
  /// cover every distance of the call. What `index(...)` of shaw, deberta and transformer_xl writes
  /// for one query at 0 and keys at the distances.
  std::span<const std::int32_t> index{};
  std::int64_t first_distance = 0;
  std::size_t row_count = 0;

  /// Adds scale * (query + position_bias) . keys[row]: [row_count, head_dim], shared by the heads,
  /// or [heads, row_count, head_dim].
  ConstFloats keys{};
  /// Adds scale * key . queries[row]: likewise.
  ConstFloats queries{};
  /// Adds probability * values[row] to the output: [row_count, value_dim], shared, or [heads,
  /// row_count, value_dim].
  ConstFloats values{};

  /// [heads, head_dim]: what `keys` are multiplied with beside the query (Transformer-XL's v).
  ConstFloats position_bias{};
  /// [heads, head_dim]: added to the query before q . k (Transformer-XL's u).
  ConstFloats content_bias{};
};

/// What encodings hand to attention: terms added to scores[head, query, key] before softmax, in the
/// order relative, distances, bias, key_bias. A plain value of views, so that attention includes no
/// encoding and no encoding includes attention. Every part may be left empty; all empty is NoPE.
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

  RelativeTerms relative{};
};

}  // namespace posenc
