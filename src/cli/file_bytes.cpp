#include "cli/file_bytes.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>

#include "cli/failure.hpp"

namespace posenc::cli {
namespace {

/// A file that is open for reading; every failure names it.
class Descriptor {
 public:
  explicit Descriptor(const std::string& path)
      : path_(path), number_(::open(path.c_str(), O_RDONLY)) {
    if (number_ < 0) fail();
  }
  ~Descriptor() { ::close(number_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  /// The size of a regular file; 0 for pipes and devices, whose size nobody knows.
  std::size_t size() const {
    struct stat status = {};
    if (::fstat(number_, &status) != 0) fail();
    if (!S_ISREG(status.st_mode)) return 0;
    if (!std::in_range<std::size_t>(status.st_size)) throw IoError(path_ + ": File too large");
    return static_cast<std::size_t>(status.st_size);
  }

  void* map(std::size_t size) const {
    void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, number_, 0);
    return address == MAP_FAILED ? nullptr : address;
  }

  std::vector<std::byte> read_all() const {
    constexpr std::size_t kStep = std::size_t{1} << 20;
    std::vector<std::byte> bytes;
    while (true) {
      const std::size_t used = bytes.size();
      bytes.resize(used + kStep);
      const ssize_t count = ::read(number_, bytes.data() + used, kStep);
      if (count < 0 && errno != EINTR) fail();
      bytes.resize(used + (count > 0 ? static_cast<std::size_t>(count) : 0));
      if (count == 0) return bytes;
    }
  }

 private:
  [[noreturn]] void fail() const { throw IoError(path_ + ": " + std::strerror(errno)); }

  const std::string& path_;
  int number_;
};

}  // namespace

FileBytes::FileBytes(const std::string& path) {
  const Descriptor file(path);
  const std::size_t size = file.size();
  if (size > 0) mapped_ = file.map(size);
  if (mapped_ != nullptr) {
    bytes_ = {static_cast<const std::byte*>(mapped_), size};
  } else {
    read_ = file.read_all();
    bytes_ = read_;
  }
}

FileBytes::~FileBytes() {
  if (mapped_ != nullptr) ::munmap(mapped_, bytes_.size());
}

}  // namespace posenc::cli
