#include "cli/npy.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string_view>

#include "cli/failure.hpp"

namespace posenc::cli {
namespace {

static_assert(std::endian::native == std::endian::little, ".npy data is written as it lies");

constexpr std::string_view kMagic = "\x93NUMPY";
/// Far more than a float32 header needs; a larger length is a damaged file.
constexpr std::size_t kMaxHeader = std::size_t{1} << 20;

struct CloseFile {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};

/// A file being read; every failure names it.
class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "rb")) {
    if (!file_) fail(std::strerror(errno));
  }

  [[noreturn]] void fail(const std::string& why) const { throw IoError(path_ + ": " + why); }

  void read(void* out, std::size_t bytes) {
    errno = 0;
    if (std::fread(out, 1, bytes, file_.get()) == bytes) return;
    fail(errno != 0 ? std::strerror(errno) : "the file ends too early");
  }

  bool at_end() { return std::fgetc(file_.get()) == EOF; }

 private:
  std::string path_;
  std::unique_ptr<std::FILE, CloseFile> file_;
};

std::string read_header(Reader& reader) {
  unsigned char start[8];
  reader.read(start, sizeof start);
  if (std::memcmp(start, kMagic.data(), kMagic.size()) != 0) reader.fail("not a .npy file");
  const unsigned version = start[6];
  if (version < 1 || version > 3) {
    reader.fail(".npy version " + std::to_string(version) + " is not known");
  }
  unsigned char length[4] = {};
  reader.read(length, version == 1 ? 2 : 4);
  std::size_t size = 0;
  for (int i = 3; i >= 0; --i) size = size << 8 | length[i];
  if (size > kMaxHeader) reader.fail("the .npy header is damaged");
  std::string header(size, '\0');
  reader.read(header.data(), size);
  return header;
}

/// The text after `'key':` in the Python dictionary of a header, without leading blanks.
std::string_view value_of(const Reader& reader, std::string_view header, const std::string& key) {
  for (const char quote : {'\'', '"'}) {
    const std::string quoted = quote + key + quote;
    const std::size_t at = header.find(quoted);
    if (at == std::string_view::npos) continue;
    std::string_view rest = header.substr(at + quoted.size());
    rest.remove_prefix(std::min(rest.find_first_not_of(" :"), rest.size()));
    return rest;
  }
  reader.fail("the .npy header has no " + key);
}

/// The dimensions of a tuple: "(3, 4)", "(5,)" or "()".
std::vector<std::uint64_t> parse_shape(const Reader& reader, std::string_view text) {
  const std::size_t close = text.find(')');
  if (text.empty() || text[0] != '(' || close == std::string_view::npos) {
    reader.fail("the .npy header's shape is damaged");
  }
  text = text.substr(1, close - 1);
  std::vector<std::uint64_t> shape;
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(", "), text.size()));
    if (text.empty()) return shape;
    std::uint64_t dimension = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), dimension);
    if (error != std::errc{}) reader.fail("the .npy header's shape is damaged");
    shape.push_back(dimension);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  }
}

void require_float32_c_order(const Reader& reader, std::string_view header) {
  const std::string_view descr = value_of(reader, header, "descr");
  const std::string_view type = descr.substr(0, descr.find_first_of(",}"));
  if (type != "'<f4'" && type != "\"<f4\"") {
    reader.fail("holds " + std::string(type) + ", not float32 ('<f4'): convert it in NumPy with " +
                "numpy.save(path, table.astype('<f4'))");
  }
  if (!value_of(reader, header, "fortran_order").starts_with("False")) {
    reader.fail("is in Fortran order: convert it in NumPy with " +
                std::string("numpy.save(path, numpy.ascontiguousarray(table))"));
  }
}

/// How many values a shape has; refuses what memory cannot hold.
std::size_t count_of(const Reader& reader, std::span<const std::uint64_t> shape) {
  constexpr std::uint64_t kMost = PTRDIFF_MAX / sizeof(float);
  std::uint64_t count = 1;
  for (const std::uint64_t dimension : shape) {
    if (dimension != 0 && count > kMost / dimension) reader.fail("is too large for memory");
    count *= dimension;
  }
  return static_cast<std::size_t>(count);
}

}  // namespace

std::string npy_header(std::span<const std::uint64_t> shape) {
  std::string dict = "{'descr': '<f4', 'fortran_order': False, 'shape': (";
  for (const std::uint64_t dimension : shape) dict += std::to_string(dimension) + ", ";
  if (shape.size() > 1) dict.resize(dict.size() - 2);
  if (shape.size() == 1) dict.pop_back();
  dict += "), }";
  constexpr std::size_t kBeforeDict = 10;
  constexpr std::size_t kAlign = 64;
  const std::size_t used = kBeforeDict + dict.size() + 1;
  dict.append((kAlign - used % kAlign) % kAlign, ' ').append("\n");
  std::string header(kMagic);
  header +=
      {'\x01', '\x00', static_cast<char>(dict.size() & 0xff), static_cast<char>(dict.size() >> 8)};
  return header + dict;
}

NpyArray read_npy(const std::string& path) {
  Reader reader(path);
  const std::string header = read_header(reader);
  require_float32_c_order(reader, header);
  NpyArray array;
  array.shape = parse_shape(reader, value_of(reader, header, "shape"));
  array.data.resize(count_of(reader, array.shape));
  reader.read(array.data.data(), array.data.size() * sizeof(float));
  if (!reader.at_end()) reader.fail("has more data than its header says");
  return array;
}

NpyArray read_matrix(const std::string& path, const std::string& axes) {
  NpyArray array = read_npy(path);
  if (array.shape.size() != 2) {
    throw IoError(path + ": must have the shape [" + axes + "], has " +
                  std::to_string(array.shape.size()) + " axes");
  }
  return array;
}

}  // namespace posenc::cli
