#pragma once

#include <stdexcept>

namespace posenc::cli {

/// The exit statuses, as `posenc --help` documents them.
inline constexpr int kSuccess = 0;
inline constexpr int kIoFailed = 1;
inline constexpr int kBadUsage = 2;

/// A file that cannot be read or written; ends the command with kIoFailed.
struct IoError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A flag or value that cannot be used; ends the command with kBadUsage.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace posenc::cli
