#include "cli/output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <thread>

#include "cli/failure.hpp"
#include "cli/host.hpp"

namespace posenc::cli {
namespace {

/// The file behind `path`: a symbolic link stays a link, what it points to is replaced.
std::string resolve(const std::string& path) {
  std::error_code error;
  const std::filesystem::path resolved = std::filesystem::weakly_canonical(path, error);
  return error ? path : resolved.string();
}

/// A name beside `target` that no other run uses: the clock tells runs apart, `attempt` the rest.
std::string temporary_name(const std::string& target, int attempt) {
  const auto ticks = std::chrono::system_clock::now().time_since_epoch().count();
  return target + "." + std::to_string(ticks) + "." + std::to_string(attempt) + ".tmp";
}

}  // namespace

Output::Output(const std::string& path) : name_(path == "-" ? "standard output" : path) {
  if (path == "-") {
    descriptor_ = STDOUT_FILENO;
    return;
  }
  struct stat status = {};
  const bool exists = stat(path.c_str(), &status) == 0;
  if (exists && !S_ISREG(status.st_mode)) {
    descriptor_ = open(path.c_str(), O_WRONLY);
    if (descriptor_ < 0) fail(errno);
    write_without_position(descriptor_);
    return;
  }
  // Renaming would replace a read-only file without asking.
  if (exists && access(path.c_str(), W_OK) != 0) fail(errno);
  target_ = resolve(path);
  open_temporary();
  if (exists) fchmod(descriptor_, status.st_mode & 07777);
}

void Output::open_temporary() {
  constexpr int kAttempts = 100;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    temporary_ = temporary_name(target_, attempt);
    remove_when_interrupted(temporary_);
    descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (descriptor_ >= 0) return;
    const int error = errno;
    // Not ours to remove.
    remove_when_interrupted("");
    temporary_.clear();
    if (error != EEXIST) fail(error);
  }
  fail(EEXIST);
}

Output::~Output() {
  if (descriptor_ > STDERR_FILENO) close(descriptor_);
  if (temporary_.empty()) return;
  unlink(temporary_.c_str());
  remove_when_interrupted("");
}

bool Output::is_terminal() const { return cli::is_terminal(descriptor_); }

void Output::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno == EAGAIN) {
      // Someone made the pipe non-blocking; its reader is slow.
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    } else if (errno != EINTR) {
      fail(errno);
    }
  }
}

void Output::commit() {
  if (descriptor_ == STDOUT_FILENO) return;
  const int descriptor = descriptor_;
  descriptor_ = -1;
  if (close(descriptor) != 0) fail(errno);
  if (temporary_.empty()) return;
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
  temporary_.clear();
  remove_when_interrupted("");
}

void Output::fail(int error) const {
  // A reader that has seen enough (`posenc ... | head`) knows why it stopped.
  if (error == EPIPE) throw IoError("");
  throw IoError("cannot write " + name_ + ": " + std::strerror(error));
}

}  // namespace posenc::cli
