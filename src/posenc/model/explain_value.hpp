#pragma once

// Private: what `explain_value` tells of its parts.

#include <span>

#include "posenc/model/encodings.hpp"
#include "posenc/model/finding.hpp"
#include "posenc/model/value.hpp"

namespace posenc::detail {

/// {"encodings": [...], "warnings": [...]}
Value told_value(std::span<const ModelEncoding> encodings, std::span<const Finding> warnings);
/// {"error": {...}}
Value told_value(const Finding& error);

}  // namespace posenc::detail
