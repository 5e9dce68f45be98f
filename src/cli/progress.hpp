#pragma once

#include <chrono>
#include <cstdint>

namespace posenc::cli {

/// When the command says on standard error how far it is.
enum class ProgressMode : std::uint8_t {
  off,
  /// After a second of work, and only to a terminal.
  automatic,
  /// Always, also into a file and for short work.
  always,
};

/// The line "posenc: 45 % (460 of 1024 rows)": rewritten in place on a terminal, else one line a
/// second.
class Progress {
 public:
  Progress(ProgressMode mode, std::uint64_t total);
  /// Ends the line on a terminal, so that a message of failure gets its own.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// To be called after each block; writes at most a few times a second.
  void update(std::uint64_t done);
  /// Reports that all is done, if anything was reported before.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;

  void print(std::uint64_t done);

  std::uint64_t total_;
  bool terminal_;
  bool enabled_;
  bool always_;
  bool printed_ = false;
  Clock::duration interval_;
  Clock::time_point next_;
};

}  // namespace posenc::cli
