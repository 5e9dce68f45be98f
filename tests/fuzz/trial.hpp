#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <limits>
#include <string_view>
#include <vector>

#include "posenc/core/positions.hpp"
#include "posenc/core/status.hpp"
#include "posenc/core/storage.hpp"
#include "support/elements.hpp"
#include "support/generator.hpp"
#include "support/guarded_buffer.hpp"

namespace posenc::fuzz {

/// A random call and the memory that it works on.
class Trial {
 public:
  explicit Trial(std::string_view seed) : random_(seed) {}

  tests::Generator& random() noexcept { return random_; }
  /// low to high, both included.
  std::size_t size(std::size_t low, std::size_t high) noexcept {
    return low + random_.below(high - low + 1);
  }

  // Random finite elements, in memory of a random or a given storage type.
  Floats data(std::size_t count);
  Floats data(std::size_t count, StorageType type);
  std::span<float> floats(std::size_t count);
  /// Guarded memory for whole numbers, all `value` until a call writes them.
  template <class T>
  std::span<T> whole_numbers(std::size_t count, T value = -1) {
    auto& guarded = buffers_.emplace_back(count * sizeof(T), random_.below(16) * sizeof(T));
    std::ranges::fill(guarded.as<T>(), value);
    originals_.emplace_back(guarded.data(), guarded.data() + guarded.size());
    return guarded.as<T>();
  }
  /// Memory whose contents do not matter.
  std::span<float> scratch(std::size_t count);

  /// Positions of any kind, at most `limit` in magnitude.
  Positions positions(std::size_t count, double limit);
  /// Whole ones from low to high.
  Positions whole_positions(std::size_t count, std::int64_t low, std::int64_t high);
  /// An array of doubles, all the same.
  Positions repeated(std::size_t count, double position);

  /// Puts all memory back to what it was made as.
  void restore();
  /// All memory as it is now.
  std::vector<unsigned char> contents();
  /// Whether no call has written outside its buffers.
  bool intact();

  // Values that no config should have to be afraid of.
  std::size_t wild_size() noexcept;
  std::int64_t wild_whole() noexcept;
  double wild_real() noexcept;

 private:
  tests::Generator random_;
  std::deque<tests::GuardedBuffer> buffers_;
  std::deque<std::vector<unsigned char>> originals_;
  std::deque<tests::GuardedBuffer> scratch_;
  std::deque<std::vector<double>> doubles_;
  std::deque<std::vector<std::int32_t>> int32s_;
  std::deque<std::vector<std::int64_t>> int64s_;
};

/// What a verb must say of a wrong call.
struct Refusal {
  /// `ok` when the call could not be made wrong in the way that was tried.
  Code code = Code::ok;
  /// Empty: any.
  const char* field = "";
};

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kTooWide = (std::size_t{1} << 24) + 1;
/// More floats than any memory holds.
constexpr std::size_t kHuge = std::numeric_limits<std::size_t>::max() / 3;

/// The same memory, seen as another number of elements.
inline Floats resized(Floats data, std::size_t size) { return {data.data(), size, data.type()}; }
inline ConstFloats resized(ConstFloats data, std::size_t size) {
  return {data.data(), size, data.type()};
}

}  // namespace posenc::fuzz
