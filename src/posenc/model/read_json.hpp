#pragma once

// Private: the text of a config.json to values.

#include <cstddef>
#include <string_view>
#include <vector>

#include "posenc/model/finding.hpp"
#include "posenc/model/message.hpp"
#include "posenc/model/value.hpp"

namespace posenc::detail {

/// As much of a key as messages show.
inline constexpr std::size_t kMaxShownKey = 64;

/// What a reader throws when no encodings can be told; caught where `Model` begins.
struct Failure {
  Finding finding;
};

[[noreturn]] void fail(FindingCode code, const char* field, Pieces message);

/// Reads a text whose outermost value is an object. Bare NaN, Infinity and -Infinity, which Python
/// writes, are numbers; a byte order mark is skipped; of equal keys the last one counts, with a
/// warning. Throws Failure, also for nesting beyond 32 levels, texts beyond 16 MiB and more than
/// 2^18 values.
Value read_json(std::string_view text, std::vector<Finding>& warnings);

}  // namespace posenc::detail
