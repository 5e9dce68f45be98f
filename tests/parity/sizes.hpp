#pragma once

#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <vector>

namespace posenc::parity {

/// 1 to `last`, then `more`. With 33 or more, every tail of one and of two vectors of 16 floats.
inline std::vector<std::size_t> sizes_to(std::size_t last,
                                         std::initializer_list<std::size_t> more = {}) {
  std::vector<std::size_t> sizes;
  for (std::size_t size = 1; size <= last; ++size) sizes.push_back(size);
  sizes.insert(sizes.end(), more);
  return sizes;
}

/// The element that is `index`'s turn: for parameters that need no cross product.
template <class Range>
const auto& turn(const Range& range, std::size_t index) {
  return range[index % std::size(range)];
}

}  // namespace posenc::parity
