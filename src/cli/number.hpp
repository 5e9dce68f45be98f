#pragma once

#include <cstdint>
#include <string>

namespace posenc::cli {

/// Appends the shortest decimal that reads back as the same value, in JavaScript's notation: 0.1,
/// 1e-7, 123456789012345680000, 1e+21. JavaScript has no spelling for the rest: "-0", "inf",
/// "-inf", "nan".
///
/// The text for a float has fewer digits than that for the double which holds it.
void append_number(std::string& text, float value);
void append_number(std::string& text, double value);
void append_number(std::string& text, std::int64_t value);

}  // namespace posenc::cli
