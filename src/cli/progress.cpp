#include "cli/progress.hpp"

#include <unistd.h>

#include <cinttypes>
#include <cstdio>

#include "cli/host.hpp"

namespace posenc::cli {

Progress::Progress(ProgressMode mode, std::uint64_t total)
    : total_(total),
      terminal_(is_terminal(STDERR_FILENO)),
      enabled_(mode == ProgressMode::always || (mode == ProgressMode::automatic && terminal_)),
      always_(mode == ProgressMode::always),
      interval_(terminal_ ? std::chrono::milliseconds(200) : std::chrono::milliseconds(1000)),
      next_(Clock::now() + std::chrono::seconds(1)) {}

Progress::~Progress() {
  if (printed_ && terminal_) std::fputc('\n', stderr);
}

void Progress::update(std::uint64_t done) {
  if (!enabled_) return;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + interval_;
  print(done);
}

void Progress::finish() {
  if (printed_ || always_) print(total_);
}

void Progress::print(std::uint64_t done) {
  printed_ = true;
  const double share = total_ == 0 ? 1.0 : static_cast<double>(done) / static_cast<double>(total_);
  std::fprintf(stderr, "%sposenc: %3d %% (%" PRIu64 " of %" PRIu64 " rows)%s",
               terminal_ ? "\r" : "", static_cast<int>(100.0 * share), done, total_,
               terminal_ ? "" : "\n");
  std::fflush(stderr);
}

}  // namespace posenc::cli
