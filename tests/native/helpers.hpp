#pragma once

// What the test files share: random data, comparison by bits and in ulp, outputs between guard
// words, and what a failure must say.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "posenc/core/status.hpp"

namespace posenc::tests {

/// The seed of this run: 1, or what --seed=N or the environment variable POSENC_SEED says.
std::uint64_t seed() noexcept;

/// The same numbers from the same seed on every platform (splitmix64).
class Random {
 public:
  explicit Random(std::uint64_t stream = 0) noexcept
      : state_(seed() * 0x9e3779b97f4a7c15 + stream) {}

  std::uint64_t bits() noexcept {
    std::uint64_t x = state_ += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  }
  /// In [low, high).
  double uniform(double low, double high) noexcept {
    return low + (high - low) * (static_cast<double>(bits() >> 11) * 0x1p-53);
  }
  /// In [low, high].
  std::int64_t integer(std::int64_t low, std::int64_t high) noexcept {
    return low + static_cast<std::int64_t>(bits() % static_cast<std::uint64_t>(high - low + 1));
  }
  std::vector<float> floats(std::size_t count, double low = -2, double high = 2) {
    std::vector<float> values(count);
    for (float& value : values) value = static_cast<float>(uniform(low, high));
    return values;
  }

 private:
  std::uint64_t state_;
};

inline constexpr float kInfinity = std::numeric_limits<float>::infinity();
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// How far `actual` is from `exact`, in units in the last place of float32 at `exact`.
inline double ulp_error(float actual, double exact) {
  const double size = std::max(std::fabs(exact), 0x1p-126);
  return std::fabs(static_cast<double>(actual) - exact) / std::ldexp(1.0, std::ilogb(size) - 23);
}

/// Equal bits, -0 included; where one is a NaN the other must be one, of any kind.
inline testing::AssertionResult same_bits(std::span<const float> actual,
                                          std::span<const float> expected) {
  if (actual.size() != expected.size()) {
    return testing::AssertionFailure() << actual.size() << " floats, not " << expected.size();
  }
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const auto a = std::bit_cast<std::uint32_t>(actual[i]);
    const auto e = std::bit_cast<std::uint32_t>(expected[i]);
    if (a == e || (std::isnan(actual[i]) && std::isnan(expected[i]))) continue;
    return testing::AssertionFailure()
           << "element " << i << " of " << actual.size() << ": "
           << testing::PrintToString(actual[i]) << ", not " << testing::PrintToString(expected[i]);
  }
  return testing::AssertionSuccess();
}

/// What memory holds that no verb has written.
inline constexpr float kUnwritten = 123456.0f;

/// Memory for an output: `size` floats between guard words, `offset` floats past an aligned
/// address.
class Guarded {
 public:
  explicit Guarded(std::size_t size, std::size_t offset = 0)
      : memory_(size + offset + 2 * kGuards, kUnwritten), first_(kGuards + offset), size_(size) {}
  explicit Guarded(std::span<const float> values, std::size_t offset = 0)
      : Guarded(values.size(), offset) {
    std::ranges::copy(values, span().begin());
  }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;
  ~Guarded() {
    const std::span<const float> all(memory_);
    EXPECT_TRUE(unwritten(all.first(first_))) << "before the output";
    EXPECT_TRUE(unwritten(all.subspan(first_ + size_))) << "after the output";
  }

  std::span<float> span() { return std::span(memory_).subspan(first_, size_); }
  /// No verb has written anything.
  bool untouched() { return unwritten(span()); }

 private:
  static constexpr std::size_t kGuards = 16;

  static bool unwritten(std::span<const float> values) {
    return std::ranges::all_of(values, [](float value) { return value == kUnwritten; });
  }

  std::vector<float> memory_;
  std::size_t first_, size_;
};

inline testing::AssertionResult succeeded(const Status& status) {
  if (status.ok()) return testing::AssertionSuccess();
  return testing::AssertionFailure() << code_name(status.code()) << ": " << status.message();
}

/// All that a failure says: its code, its field and its whole message.
inline void expect_failure(const Status& status, Code code, std::string_view field,
                           std::string_view message,
                           std::source_location where = std::source_location::current()) {
  const testing::ScopedTrace trace(where.file_name(), static_cast<int>(where.line()), "this call");
  EXPECT_EQ(code_name(status.code()), code_name(code));
  EXPECT_EQ(status.field(), field);
  EXPECT_EQ(status.message(), message);
}

/// "<what> would have more than <the floats that an address space holds> elements; split the call".
inline std::string too_many(std::string_view what) {
  std::string message(what);
  message += " would have more than ";
  message += std::to_string(static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max()) /
                            sizeof(float));
  return message += " elements; split the call";
}

}  // namespace posenc::tests
