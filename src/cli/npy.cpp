#include "cli/npy.hpp"

#include <bit>
#include <cstddef>

namespace posenc::cli {
namespace {

static_assert(std::endian::native == std::endian::little, ".npy data is written as it lies");

constexpr std::string_view kMagic = "\x93NUMPY";

}  // namespace

std::string npy_header(std::string_view type, std::span<const std::uint64_t> shape) {
  std::string dict = "{'descr': '";
  dict.append(type).append("', 'fortran_order': False, 'shape': (");
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

}  // namespace posenc::cli
