#include "counted_memory.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace {

/// Before each block lies its size, at a distance that keeps the alignment.
constexpr std::size_t kHeader = alignof(std::max_align_t) > sizeof(std::size_t)
                                    ? alignof(std::max_align_t)
                                    : sizeof(std::size_t);

}  // namespace

namespace posenc::fuzz {

CountedMemory& counted_memory() noexcept {
  static CountedMemory memory;
  return memory;
}

}  // namespace posenc::fuzz

void* operator new(std::size_t size) {
  void* block = size > SIZE_MAX - kHeader ? nullptr : std::malloc(size + kHeader);
  if (block == nullptr) throw std::bad_alloc();
  *static_cast<std::size_t*>(block) = size;
  auto& memory = posenc::fuzz::counted_memory();
  memory.now += size;
  memory.most = std::max(memory.most, memory.now);
  return static_cast<char*>(block) + kHeader;
}

void operator delete(void* pointer) noexcept {
  if (pointer == nullptr) return;
  void* block = static_cast<char*>(pointer) - kHeader;
  posenc::fuzz::counted_memory().now -= *static_cast<std::size_t*>(block);
  std::free(block);
}

void operator delete(void* pointer, std::size_t) noexcept { operator delete(pointer); }
