#pragma once

// Private: doubles to decimal text and back, exactly, in little code. (The C library's way takes
// 9 KB of WebAssembly after brotli, most of it arithmetic of 128-bit numbers.)

#include <cstddef>

namespace posenc::detail {

/// What "%.*g" prints, with the fewest digits, six or more where it has them, that read back as the
/// same number. At most 24 characters and a zero byte. A NaN has no sign.
void write_decimal(char* text, double value) noexcept;

/// The nearest double to a number as JSON spells it, as strtod has it; infinity beyond the largest.
double read_decimal(const char* text, char** end) noexcept;

}  // namespace posenc::detail
