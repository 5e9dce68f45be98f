#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace posenc::cli {

/// The bytes of a file, mapped into memory where that can be done, else read: of a checkpoint of
/// gigabytes only the pages that are looked at are loaded.
class FileBytes {
 public:
  /// Throws IoError with the file's name.
  explicit FileBytes(const std::string& path);
  ~FileBytes();
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;

  std::span<const std::byte> bytes() const noexcept { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
  std::vector<std::byte> read_;
  void* mapped_ = nullptr;
};

}  // namespace posenc::cli
