// Tables of sines and cosines against values from mpmath, among them the positions to 2^24 that lie
// nearest to zero crossings, which no sweep meets.

#include <vector>

#include "accuracy.hpp"
#include "posenc/additive/sinusoidal.hpp"
#include "posenc/rotary/rope.hpp"

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

TEST(AccuracyFixtures, Sinusoidal) {
  Sweep swept("sinusoidal", "values of mpmath, nearest zero crossings to 2^24");
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
      swept.see(row[2 * exact.pair], exact.sin, exact.position, 2 * exact.pair);
      if (2 * exact.pair + 1 == exact.dim) continue;
      swept.see(row[2 * exact.pair + 1], exact.cos, exact.position, 2 * exact.pair + 1);
    }
  }
}

TEST(AccuracyFixtures, RopeAngles) {
  Sweep swept("rope angles", "values of mpmath, nearest zero crossings to 2^24");
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
      swept.see(sin[exact.pair], exact.sin, exact.position, exact.pair);
      swept.see(cos[exact.pair], exact.cos, exact.position, exact.pair);
    }
  }
}

}  // namespace
}  // namespace posenc
