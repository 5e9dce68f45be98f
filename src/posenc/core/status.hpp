#pragma once

#include <cstdint>
#include <exception>
#include <string_view>

namespace posenc {

/// What went wrong. A closed list: JavaScript's `PosencError.code` uses the words of `code_name`.
enum class Code : std::uint8_t {
  ok,
  /// A config field or argument has a value outside what it may be (odd head_dim, NaN base).
  value_range,
  /// A buffer's length does not fit the shape that the other arguments describe.
  shape,
  /// A position is not finite, too large, or has no row in the table.
  position_range,
  /// Two buffers overlap where that is not allowed.
  overlap,
  /// The product of the dimensions is larger than memory can hold.
  size_limit,
  /// The memory that a constructor needs could not be had.
  out_of_memory,
  /// A file or a text breaks the rules of its format.
  malformed,
};

/// The word for a code: "OK", "VALUE_RANGE", "SHAPE", "POSITION_RANGE", "OVERLAP", "SIZE_LIMIT",
/// "OUT_OF_MEMORY", "MALFORMED".
std::string_view code_name(Code code) noexcept;

/// The outcome of `check(config)` and of every verb: a code, the field or argument it is about, and
/// a sentence with the value and what would be right ("rope: head_dim must be even, got 63").
/// Owns its text without allocating, so it can report that memory ran out.
class [[nodiscard]] Status {
 public:
  /// Success: no field, no message.
  Status() noexcept { message_[0] = '\0'; }  // not all of it: every check that passes makes one

  /// A failure with a printf-style message, cut at 191 characters. `field` must outlive the status
  /// (a string literal).
  [[gnu::format(printf, 3, 4)]] static Status failure(Code code, const char* field,
                                                      const char* format, ...) noexcept;

  bool ok() const noexcept { return code_ == Code::ok; }
  Code code() const noexcept { return code_; }
  std::string_view field() const noexcept { return field_; }
  std::string_view message() const noexcept { return message_; }
  const char* message_c_str() const noexcept { return message_; }

  /// Throws `posenc::Error` with this status unless it is a success.
  void or_throw() const;

 private:
  static constexpr std::size_t kMessageSize = 192;

  Code code_ = Code::ok;
  const char* field_ = "";
  char message_[kMessageSize];
};

/// What constructors and `or_throw` throw: a status that is not a success.
class Error : public std::exception {
 public:
  explicit Error(const Status& status) noexcept : status_(status) {}
  const Status& status() const noexcept { return status_; }
  const char* what() const noexcept override { return status_.message_c_str(); }

 private:
  Status status_;
};

}  // namespace posenc
