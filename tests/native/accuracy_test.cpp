// The largest error of the tables of sines and cosines, printed and held to the documented bound:
// 1 ulp of float32 for positions to 2^24, fractional, negative and near zero crossings too.

#include <cstdio>
#include <vector>

#include "helpers.hpp"
#include "posenc/additive/sinusoidal.hpp"
#include "posenc/rotary/rope.hpp"
#include "reference.hpp"

namespace posenc {
namespace {

using namespace tests;

struct ExactPair {
  double base;
  std::size_t dim;
  double factor;
  std::size_t pair;
  double position, sin, cos;
};

#include "fixtures/tables.inc"

struct Largest {
  double error = 0, position = 0;
  std::size_t pair = 0, count = 0;

  void see(float actual, double exact, double at, std::size_t index) {
    ++count;
    const double found = ulp_error(actual, exact);
    if (found <= error) return;
    error = found;
    position = at;
    pair = index;
  }
  void report(const char* what) const {
    std::printf("%s: %zu values, largest error %.6f ulp (position %.17g, pair %zu)\n", what, count,
                error, position, pair);
    EXPECT_LE(error, 1.0) << what;
    EXPECT_GT(count, 0u);
  }
};

TEST(Accuracy, SinusoidalTablesAgainstFixtures) {
  Largest largest;
  for (std::size_t first = 0; first < std::size(kExactPairs);) {
    const ExactPair& group = kExactPairs[first];
    const Sinusoidal encoding({.dim = group.dim, .base = group.base});
    std::vector<float> row(group.dim);
    for (; first < std::size(kExactPairs); ++first) {
      const ExactPair& exact = kExactPairs[first];
      if (exact.base != group.base || exact.dim != group.dim) break;
      if (exact.factor != 1.0) continue;
      const double position[] = {exact.position};
      ASSERT_TRUE(succeeded(encoding.table(Positions::of(position), row)));
      largest.see(row[2 * exact.pair], exact.sin, exact.position, exact.pair);
      if (2 * exact.pair + 1 == exact.dim) continue;
      largest.see(row[2 * exact.pair + 1], exact.cos, exact.position, exact.pair);
    }
  }
  largest.report("sinusoidal table, mpmath");
}

TEST(Accuracy, RopeAnglesAgainstFixtures) {
  Largest largest;
  for (std::size_t first = 0; first < std::size(kExactPairs);) {
    const ExactPair& group = kExactPairs[first];
    const Rope rope({.head_dim = group.dim + group.dim % 2,
                     .base = group.base,
                     .scaling = Linear{.factor = group.factor}});
    std::vector<float> cos(rope.inv_freq().size()), sin(cos.size());
    for (; first < std::size(kExactPairs); ++first) {
      const ExactPair& exact = kExactPairs[first];
      if (exact.base != group.base || exact.dim != group.dim || exact.factor != group.factor) break;
      if (exact.dim % 2 != 0) continue;
      const double position[] = {exact.position};
      ASSERT_TRUE(succeeded(rope.angles(Positions::of(position), cos, sin)));
      largest.see(sin[exact.pair], exact.sin, exact.position, exact.pair);
      largest.see(cos[exact.pair], exact.cos, exact.position, exact.pair);
    }
  }
  largest.report("rope angles, mpmath");
}

double sampled_position(Random& random, std::size_t index) {
  const double far = random.uniform(-0x1p24, 0x1p24);
  if (index % 4 == 0) return std::floor(far);
  if (index % 4 == 1) return far;
  if (index % 4 == 2) return std::floor(random.uniform(0, 0x1p24));
  return random.uniform(-0x1p24, 0x1p24) / std::ldexp(1.0, static_cast<int>(random.integer(0, 30)));
}

TEST(Accuracy, SinusoidalTablesAgainstDoubleDouble) {
  Random random;
  Largest largest;
  for (const double base : {10000.0, 500000.0, 100.0, 1.0, 1234.5678, 1e9}) {
    for (const std::size_t dim : {2u, 63u, 128u, 770u}) {
      const Sinusoidal encoding({.dim = dim, .base = base});
      std::vector<math::DoubleDouble> frequencies(dim / 2);
      for (std::size_t pair = 0; pair < dim / 2; ++pair) {
        frequencies[pair] = exact_frequency(base, static_cast<double>(dim), pair);
      }
      std::vector<float> row(dim);
      for (std::size_t index = 0; index < 5000 / dim + 8; ++index) {
        const double position[] = {sampled_position(random, index)};
        ASSERT_TRUE(succeeded(encoding.table(Positions::of(position), row)));
        for (std::size_t pair = 0; pair < dim / 2; ++pair) {
          const ExactSinCos exact = exact_sin_cos(position[0], frequencies[pair]);
          largest.see(row[2 * pair], exact.sin, position[0], pair);
          largest.see(row[2 * pair + 1], exact.cos, position[0], pair);
        }
      }
    }
  }
  largest.report("sinusoidal table, double-double");
}

}  // namespace
}  // namespace posenc
