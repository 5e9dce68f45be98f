#pragma once

// Test data that every subject of the benchmark makes for itself, in any language: element i of a
// tensor depends on i and the tensor's seed alone. The same rule stands in subjects/data.mjs and
// peers/subject.py.

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

namespace posenc::bench {

/// Memory that starts at a cache line, as that of tensor libraries does.
template <class T>
struct LineAllocator {
  using value_type = T;

  LineAllocator() noexcept = default;
  template <class Other>
  LineAllocator(const LineAllocator<Other>&) noexcept {}

  T* allocate(std::size_t count) {
    return static_cast<T*>(::operator new(count * sizeof(T), std::align_val_t{64}));
  }
  void deallocate(T* values, std::size_t) noexcept {
    ::operator delete(values, std::align_val_t{64});
  }
  bool operator==(const LineAllocator&) const noexcept { return true; }
};

template <class T>
using Buffer = std::vector<T, LineAllocator<T>>;

/// Element `index` of the tensor with that seed, in [-1, 1): MurmurHash3's finalizer.
inline float element(std::uint32_t index, std::uint32_t seed) {
  std::uint32_t hash = index * 0x9e3779b1u + seed * 0x7f4a7c15u;
  hash = (hash ^ (hash >> 16)) * 0x85ebca6bu;
  hash = (hash ^ (hash >> 13)) * 0xc2b2ae35u;
  hash ^= hash >> 16;
  return static_cast<float>(hash >> 8) * 0x1p-23f - 1.0f;
}

inline void fill(Buffer<float>& values, std::uint32_t seed) {
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = element(static_cast<std::uint32_t>(i), seed);
}

inline Buffer<float> data(std::size_t count, std::uint32_t seed = 1) {
  Buffer<float> values(count);
  fill(values, seed);
  return values;
}

}  // namespace posenc::bench
