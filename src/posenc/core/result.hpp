#pragma once

#include <cstddef>
#include <new>
#include <optional>
#include <stdexcept>
#include <utility>

#include "posenc/core/status.hpp"

namespace posenc {

/// An encoding or the status that says why there is none. What `make(config)` returns.
template <class Encoding>
class [[nodiscard]] Result {
 public:
  Result(const Status& status) noexcept : status_(status) {}
  Result(Encoding&& encoding) noexcept : encoding_(std::move(encoding)) {}

  bool ok() const noexcept { return encoding_.has_value(); }
  const Status& status() const noexcept { return status_; }

  /// The encoding. Precondition: `ok()`.
  Encoding& value() & noexcept { return *encoding_; }
  const Encoding& value() const& noexcept { return *encoding_; }
  Encoding&& value() && noexcept { return *std::move(encoding_); }

  /// The encoding; throws `posenc::Error` when there is none.
  Encoding or_throw() && {
    status_.or_throw();
    return *std::move(encoding_);
  }

 private:
  Status status_;
  std::optional<Encoding> encoding_;
};

/// The field of a config that decides how much memory an encoding takes, for the message when that
/// cannot be had.
struct Appetite {
  const char* encoding;
  const char* field;
  std::size_t value;
};

/// Builds an `Encoding` without letting an exception out. Encodings' `make` functions are this.
template <class Encoding, class Config>
Result<Encoding> make_result(const Config& config, const Appetite& appetite) noexcept {
  try {
    return Encoding(config);
  } catch (const Error& error) {
    return error.status();
  } catch (const std::bad_alloc&) {
    return Status::failure(Code::out_of_memory, appetite.field,
                           "%s: %s = %zu needs more memory than could be had", appetite.encoding,
                           appetite.field, appetite.value);
  } catch (const std::length_error&) {
    return Status::failure(Code::size_limit, appetite.field,
                           "%s: %s = %zu needs more elements than memory can hold",
                           appetite.encoding, appetite.field, appetite.value);
  }
}

}  // namespace posenc
