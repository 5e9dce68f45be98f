#pragma once

#include <cstdint>
#include <span>

#include "posenc/core/storage.hpp"
#include "support/generator.hpp"

namespace posenc::tests {

/// What random elements are made of.
enum class Values : std::uint8_t {
  /// Numbers of everyday size with all their digits.
  ordinary,
  /// One in four a zero or a subnormal.
  tiny,
  /// One in 64 of those that arithmetic trips over: zeros, subnormals, huge ones, infinities, NaN.
  rare,
  /// One in eight of those.
  special,
  /// One in four -infinity, as in a mask.
  masked,
};

/// How an element lies in memory: sign, exponent, fraction.
struct Format {
  int fraction_bits;
  int exponent_bits;

  constexpr int bits() const { return 1 + exponent_bits + fraction_bits; }
  constexpr std::uint32_t sign() const { return std::uint32_t{1} << (bits() - 1); }
  constexpr std::uint32_t fraction() const { return (std::uint32_t{1} << fraction_bits) - 1; }
  constexpr std::uint32_t infinity() const { return sign() - 1 - fraction(); }
  /// The bits of 2^power.
  constexpr std::uint32_t power(int power) const {
    const int bias = (1 << (exponent_bits - 1)) - 1;
    return static_cast<std::uint32_t>(power + bias) << fraction_bits;
  }
};

constexpr Format format_of(StorageType type) {
  switch (type) {
    case StorageType::float32:
      return {23, 8};
    case StorageType::float16:
      return {10, 5};
    case StorageType::bfloat16:
      return {7, 8};
  }
  return {23, 8};
}

/// The bits of an element of a kind that arithmetic trips over.
constexpr std::uint32_t special_element(Generator& generator, const Format& format) {
  const std::uint32_t magnitudes[] = {
      0,                      // zero
      1,                      // the smallest subnormal
      format.fraction(),      // the largest
      format.fraction() / 3,  // one between
      format.fraction() + 1,  // the smallest normal number
      format.infinity() - 1,  // the largest
      format.infinity() - format.fraction() / 2,
      format.power(0),  // one
      format.power(-format.fraction_bits - 1),
      format.infinity(),
      format.infinity() | (format.fraction() + 1) / 2 | 1,  // a quiet NaN with a payload
  };
  return generator.pick(magnitudes) | (generator.one_in(2) ? format.sign() : 0);
}

/// The bits of a random element.
constexpr std::uint32_t element_bits(Generator& generator, const Format& format, Values values) {
  const auto random = static_cast<std::uint32_t>(generator.next());
  const std::uint32_t digits = random & (format.sign() | format.fraction());
  switch (values) {
    case Values::ordinary:
      break;
    case Values::tiny:
      if (generator.one_in(4)) return generator.one_in(2) ? digits & format.sign() : digits;
      break;
    case Values::rare:
      if (generator.one_in(64)) return special_element(generator, format);
      break;
    case Values::special:
      if (generator.one_in(8)) return special_element(generator, format);
      break;
    case Values::masked:
      if (generator.one_in(4)) return format.sign() | format.infinity();
      break;
  }
  return digits | format.power(static_cast<int>(generator.between(-6, 2)));
}

/// Fills a buffer of any storage type with random elements.
inline void fill(Floats buffer, Generator& generator, Values values) {
  const Format format = format_of(buffer.type());
  for (std::size_t i = 0; i < buffer.size(); ++i) {
    const std::uint32_t bits = element_bits(generator, format, values);
    if (buffer.type() == StorageType::float32) {
      static_cast<float*>(buffer.data())[i] = std::bit_cast<float>(bits);
    } else {
      static_cast<std::uint16_t*>(buffer.data())[i] = static_cast<std::uint16_t>(bits);
    }
  }
}

/// The bits of element i.
inline std::uint32_t bits_at(ConstFloats buffer, std::size_t i) {
  if (buffer.type() == StorageType::float32) {
    return std::bit_cast<std::uint32_t>(static_cast<const float*>(buffer.data())[i]);
  }
  return static_cast<const std::uint16_t*>(buffer.data())[i];
}

}  // namespace posenc::tests
