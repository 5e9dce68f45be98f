#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace posenc::cli {

/// What a command writes: a shape, and a function that computes any block of its rows, so that a
/// tensor larger than memory can be written. A row is the last axis.
template <class Value>
struct TensorOf {
  std::vector<std::uint64_t> shape;
  /// Fills `out` [count, columns] with rows first, first + 1, ...
  std::function<void(std::uint64_t first, std::span<Value> out)> fill;

  std::uint64_t columns() const { return shape.back(); }
  std::uint64_t rows() const {
    std::uint64_t count = 1;
    for (std::size_t i = 0; i + 1 < shape.size(); ++i) count *= shape[i];
    return count;
  }
};
using Tensor = TensorOf<float>;

}  // namespace posenc::cli
