#pragma once

#include <string>
#include <string_view>

namespace posenc::cli {

/// Where the result goes: a file, or standard output for "-".
///
/// A file is written under a temporary name beside it and renamed by `commit`, so that there is
/// never half a file: after a failure or an interruption the old one, if any, is still there.
/// Devices and pipes are written directly. Every member throws IoError.
class Output {
 public:
  explicit Output(const std::string& path);
  /// Removes the temporary file unless `commit` was reached.
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  bool is_terminal() const;
  void write(std::string_view bytes);
  void commit();

 private:
  void open_temporary();
  [[noreturn]] void fail(int error) const;

  std::string name_;
  /// The file that the temporary one becomes; empty when written directly.
  std::string target_;
  std::string temporary_;
  int descriptor_ = -1;
};

}  // namespace posenc::cli
