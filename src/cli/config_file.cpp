#include "cli/config_file.hpp"

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <memory>

#include "cli/failure.hpp"

namespace posenc::cli {
namespace {

struct Close {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};

[[noreturn]] void fail(const std::string& path) {
  throw IoError(path + ": " + std::strerror(errno));
}

}  // namespace

std::string read_config_text(const std::string& path) {
  constexpr std::size_t kBlock = std::size_t{1} << 16, kEnough = (std::size_t{16} << 20) + 1;
  const std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "rb"));
  if (file == nullptr) fail(path);
  std::string text;
  while (text.size() < kEnough) {
    const std::size_t before = text.size();
    text.resize(before + kBlock);
    const std::size_t count = std::fread(text.data() + before, 1, kBlock, file.get());
    text.resize(before + count);
    if (count < kBlock) break;
  }
  if (std::ferror(file.get()) != 0) fail(path);
  return text;
}

}  // namespace posenc::cli
