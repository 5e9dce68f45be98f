#pragma once

// What the tests of 16-bit data share.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "helpers.hpp"
#include "posenc/core/storage.hpp"

namespace posenc::tests {

inline constexpr StorageType kShortTypes[] = {StorageType::float16, StorageType::bfloat16};

/// The element of a 16-bit type that is nearest to `exact`, ties to even (below its overflow).
inline double nearest(double exact, StorageType type) {
  if (exact == 0) return exact;
  const bool half = type == StorageType::float16;
  const int lowest = half ? -14 : -126, digits = half ? 10 : 7;
  const double unit = std::ldexp(1.0, std::max(std::ilogb(exact), lowest) - digits);
  return std::nearbyint(exact / unit) * unit;
}

/// Elements of a 16-bit type, made from floats and read back as floats.
class ShortFloats {
 public:
  ShortFloats(std::size_t size, StorageType type) : bits_(size), type_(type) {}
  ShortFloats(std::span<const float> values, StorageType type) : ShortFloats(values.size(), type) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      bits_[i] =
          type == StorageType::float16 ? to_float16(values[i]).bits : to_bfloat16(values[i]).bits;
    }
  }

  operator Floats() { return {bits_.data(), bits_.size(), type_}; }
  operator ConstFloats() const { return {bits_.data(), bits_.size(), type_}; }

  std::vector<float> floats() const {
    std::vector<float> values;
    for (const std::uint16_t bits : bits_) {
      values.push_back(type_ == StorageType::float16 ? to_float(Float16{bits})
                                                     : to_float(Bfloat16{bits}));
    }
    return values;
  }

 private:
  std::vector<std::uint16_t> bits_;
  StorageType type_;
};

/// Every element is the nearest of its type to the exact value.
inline void expect_nearest(const ShortFloats& actual, StorageType type,
                           std::span<const double> exact) {
  const std::vector<float> values = actual.floats();
  ASSERT_EQ(values.size(), exact.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_EQ(values[i], nearest(exact[i], type)) << storage_name(type) << " element " << i;
  }
}

}  // namespace posenc::tests
