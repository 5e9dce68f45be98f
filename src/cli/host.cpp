#include "cli/host.hpp"

#include <unistd.h>

#include <csignal>
#include <cstring>

namespace posenc::cli {
namespace {

constexpr std::size_t kMaxPath = 4096;

/// Read by the signal handler, which may not touch a std::string.
char temporary_path[kMaxPath];

extern "C" void remove_and_die(int signal_number) {
  if (temporary_path[0] != '\0') unlink(temporary_path);
  // The handler was reset on entry: this ends the process the way the signal usually does.
  raise(signal_number);
}

}  // namespace

void ignore_write_signals() {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
}

void remove_when_interrupted(const std::string& path) {
  // The path is cleared first: a signal in between finds no half-written one.
  temporary_path[0] = '\0';
  if (path.empty() || path.size() >= kMaxPath) return;
  std::memcpy(temporary_path + 1, path.data() + 1, path.size());
  temporary_path[0] = path[0];
  struct sigaction action = {};
  action.sa_handler = remove_and_die;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction old = {};
    // A signal that is ignored (nohup) stays ignored.
    if (sigaction(number, nullptr, &old) == 0 && old.sa_handler != SIG_IGN) {
      sigaction(number, &action, nullptr);
    }
  }
}

void write_without_position(int) {}

bool is_terminal(int descriptor) { return isatty(descriptor) == 1; }

}  // namespace posenc::cli
