#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace posenc::tests {

/// Numbers made from integers alone, so that every build and every machine makes the same ones.
/// SplitMix64: Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators".
class Generator {
 public:
  explicit constexpr Generator(std::uint64_t seed) noexcept : state_(seed) {}
  /// Seeded with a text (FNV-1a).
  explicit constexpr Generator(std::string_view text) noexcept : state_(0xcbf29ce484222325u) {
    for (const char letter : text) {
      state_ = (state_ ^ static_cast<unsigned char>(letter)) * 0x100000001b3u;
    }
  }

  constexpr std::uint64_t next() noexcept {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  /// 0 to bound - 1.
  constexpr std::size_t below(std::size_t bound) noexcept {
    return static_cast<std::size_t>(next() % bound);
  }
  constexpr bool one_in(std::size_t bound) noexcept { return below(bound) == 0; }

  /// low to high, both included.
  constexpr std::int64_t between(std::int64_t low, std::int64_t high) noexcept {
    const auto span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
    const std::uint64_t step = span == 0 ? next() : next() % span;
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + step);
  }

  template <class Range>
  constexpr auto pick(const Range& range) noexcept {
    return range[below(std::size(range))];
  }

  /// Random sign and digits; magnitudes from 2^low to below 2^(high + 1).
  constexpr double real(int low, int high) noexcept {
    const std::uint64_t random = next();
    const auto exponent = static_cast<std::uint64_t>(between(low, high) + 1023) << 52;
    return std::bit_cast<double>((random & 0x800fffffffffffffu) | exponent);
  }

 private:
  std::uint64_t state_;
};

}  // namespace posenc::tests
