#pragma once

// A part equals the whole: what every verb is held to, whatever part of its positions, queries,
// heads or sequences is asked for.

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "posenc/core/status.hpp"
#include "posenc/core/storage.hpp"

namespace posenc::tests {

/// Elements [first, first + count) of an axis.
struct Slice {
  std::size_t first, count;
};
using Slices = std::span<const Slice>;

/// The elements of a part of a row-major tensor whose axes end in `width` whole elements.
template <class Element>
std::vector<Element> taken(std::span<const Element> whole, std::span<const std::size_t> shape,
                           Slices slices, std::size_t width) {
  if (shape.empty()) return {whole.begin(), whole.end()};
  std::size_t size = width;
  for (const std::size_t axis : shape.subspan(1)) size *= axis;
  std::vector<Element> part;
  for (std::size_t i = 0; i < slices[0].count; ++i) {
    const std::vector<Element> row = taken(whole.subspan((slices[0].first + i) * size, size),
                                           shape.subspan(1), slices.subspan(1), width);
    part.insert(part.end(), row.begin(), row.end());
  }
  return part;
}

template <class Element>
std::vector<Element> taken(const std::vector<Element>& whole, const std::vector<std::size_t>& shape,
                           std::vector<Slice> slices, std::size_t width = 1) {
  return taken(std::span<const Element>(whole), shape, Slices(slices), width);
}

/// What `call` writes to an output of a storage type that holds `before`.
using Write = std::function<Status(Floats)>;
std::vector<float> written_over(const std::vector<float>& before, StorageType type,
                                const Write& call);
inline std::vector<float> written(std::size_t size, StorageType type, const Write& call) {
  return written_over(std::vector<float>(size), type, call);
}

/// A verb, the axes of its output that may be cut into parts, and how to compute a part.
struct Verb {
  std::string name;
  std::vector<std::size_t> shape;
  /// Elements of the output behind these axes.
  std::size_t width;
  std::function<std::vector<float>(Slices, StorageType)> part;
};

/// The number of elements of a part.
inline std::size_t size_of(Slices slices, std::size_t width = 1) {
  for (const Slice& slice : slices) width *= slice.count;
  return width;
}

/// Random parts of every axis, single elements among them, in all storage types.
void expect_parts_equal_whole(const Verb& verb);

}  // namespace posenc::tests
