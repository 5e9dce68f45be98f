#pragma once

// Private: learned and sinusoidal tables.

#include <optional>

#include "posenc/model/model_type.hpp"

namespace posenc::detail {

/// The numbers of a learned table.
struct LearnedParts {
  Field<std::int64_t> rows;
  Field<std::int64_t> dim;
  std::int64_t row_offset = 0;
  std::optional<Field<std::int64_t>> padding_idx{};
  bool causal = false;
};

ModelEncoding& emit_learned(Reading& reading, const LearnedParts& parts);

/// ALiBi in both directions (jina's BERT).
void emit_symmetric_alibi(Reading& reading);

}  // namespace posenc::detail
