#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#define POSENC_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define POSENC_ADDRESS_SANITIZER 1
#endif
#endif
#if defined(POSENC_ADDRESS_SANITIZER)
#include <sanitizer/asan_interface.h>
#endif

namespace posenc::tests {

/// Memory with guard bytes before and after it, and a start at any alignment. Under the address
/// sanitizer the guards cannot even be read.
class GuardedBuffer {
 public:
  /// `offset` bytes past a 64-byte boundary, filled with 0xa5.
  GuardedBuffer(std::size_t bytes, std::size_t offset)
      : bytes_(bytes), storage_(kAlignment + 2 * kGuard + offset + bytes, kGuardByte) {
    const auto address = reinterpret_cast<std::uintptr_t>(storage_.data());
    const std::size_t aligned = (kAlignment - address % kAlignment) % kAlignment;
    start_ = aligned + kGuard + offset;
    std::memset(data(), 0xa5, bytes_);
    lock(true);
  }
  ~GuardedBuffer() { lock(false); }
  GuardedBuffer(GuardedBuffer&&) = delete;
  GuardedBuffer& operator=(GuardedBuffer&&) = delete;

  unsigned char* data() noexcept { return storage_.data() + start_; }
  std::size_t size() const noexcept { return bytes_; }

  /// All of it as elements of a type.
  template <class T>
  std::span<T> as() noexcept {
    return {reinterpret_cast<T*>(data()), bytes_ / sizeof(T)};
  }

  /// Whether nothing wrote outside.
  bool intact() noexcept {
    lock(false);
    bool same = true;
    for (std::size_t i = 0; i < storage_.size(); ++i) {
      const bool inside = i >= start_ && i < start_ + bytes_;
      same = same && (inside || storage_[i] == kGuardByte);
    }
    lock(true);
    return same;
  }

 private:
  static constexpr std::size_t kAlignment = 64;
  static constexpr std::size_t kGuard = 256;
  static constexpr unsigned char kGuardByte = 0xe7;

  void lock([[maybe_unused]] bool locked) noexcept {
#if defined(POSENC_ADDRESS_SANITIZER)
    const unsigned char* end = storage_.data() + start_ + bytes_;
    const std::size_t after = storage_.size() - start_ - bytes_;
    if (locked) {
      ASAN_POISON_MEMORY_REGION(storage_.data(), start_);
      ASAN_POISON_MEMORY_REGION(end, after);
    } else {
      ASAN_UNPOISON_MEMORY_REGION(storage_.data(), start_);
      ASAN_UNPOISON_MEMORY_REGION(end, after);
    }
#endif
  }

  std::size_t bytes_;
  std::vector<unsigned char> storage_;
  std::size_t start_ = 0;
};

}  // namespace posenc::tests
