#pragma once

// What tests of kernels share: values of every kind, and that all architectures agree.

#include <vector>

#include "helpers.hpp"
#include "posenc/kernels/kernels.hpp"

namespace posenc::tests {

using kernels::Kernels;

inline const Kernels& scalar() { return *kernels::available().back(); }

/// Ordinary values, and in every fourth place one that is not: zeros, subnormals, infinities, NaN.
inline std::vector<float> special_floats(Random& random, std::size_t count, bool finite = false) {
  const float special[] = {0.0f,      -0.0f,          1e-45f,
                           -3e-39f,   1.1754944e-38f, 3.4e38f,
                           kInfinity, -kInfinity,     std::bit_cast<float>(0x7fc00000u)};
  std::vector<float> values = random.floats(count, -4, 4);
  for (float& value : values) {
    if (random.integer(0, 3) == 0) value = special[random.integer(0, finite ? 4 : 8)];
  }
  return values;
}

/// What `run(kernels, output)` writes to `size` floats must be the same for all kernels.
template <class Run>
void expect_same_bits(std::size_t size, std::size_t offset, const Run& run) {
  Guarded expected(size, offset);
  run(scalar(), expected.span().data());
  for (const Kernels* kernels : kernels::available()) {
    Guarded actual(size, offset);
    run(*kernels, actual.span().data());
    EXPECT_TRUE(same_bits(actual.span(), expected.span()))
        << kernels->name << ", " << size << " floats, offset " << offset;
  }
}

/// The same for a kernel that changes its output in place.
template <class Run>
void expect_same_change(const std::vector<float>& before, std::size_t offset, const Run& run) {
  expect_same_bits(before.size(), offset, [&](const Kernels& kernels, float* out) {
    std::ranges::copy(before, out);
    run(kernels, out);
  });
}

}  // namespace posenc::tests
