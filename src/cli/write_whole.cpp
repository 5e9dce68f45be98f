#include "cli/write_whole.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>

namespace posenc::cli {

std::uint64_t count_of(std::initializer_list<std::uint64_t> sizes) {
  std::uint64_t count = std::ranges::find(sizes, std::uint64_t{0}) == sizes.end() ? 1 : 0;
  for (const std::uint64_t size : sizes) {
    if (count != 0 && size > PTRDIFF_MAX / sizeof(float) / count) throw std::bad_alloc();
    count *= size;
  }
  return count;
}

std::vector<float> allocate(std::initializer_list<std::uint64_t> sizes) {
  return std::vector<float>(static_cast<std::size_t>(count_of(sizes)));
}

void write_whole(std::initializer_list<std::uint64_t> shape,
                 const std::function<Status(std::span<float>)>& verb,
                 const OutputOptions& options) {
  std::vector<float> values = allocate(shape);
  verb(values).or_throw();
  const std::uint64_t columns = *(shape.end() - 1);
  const auto fill = [&](std::uint64_t first, std::span<float> out) {
    const auto start = static_cast<std::ptrdiff_t>(first * columns);
    std::copy_n(values.begin() + start, out.size(), out.begin());
  };
  write_tensor({.shape = shape, .fill = fill}, options);
}

}  // namespace posenc::cli
