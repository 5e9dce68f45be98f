// What every rotation does, whatever its configuration: it keeps norms, has an inverse, and scores
// depend on the difference of positions alone.

#include <cmath>
#include <vector>

#include "bias_helpers.hpp"
#include "posenc/additive/sinusoidal.hpp"
#include "posenc/relative/pope.hpp"
#include "ropes.hpp"

namespace posenc {
namespace {

using namespace tests;

constexpr std::size_t kDim = 64;

/// A row at one position on all axes.
std::vector<float> turned(const Rope& rope, const std::vector<float>& x, double position,
                          RotarySide side = RotarySide::query) {
  const std::vector<double> positions(rope.axis_count(), position);
  std::vector<float> out(x.size());
  EXPECT_TRUE(succeeded(rope.apply(x, out, {.positions = Positions::of(positions), .side = side})));
  return out;
}

/// The sum of the magnitudes of a row.
double size_of(std::span<const float> row) {
  double sum = 0;
  for (const float value : row) sum += std::fabs(static_cast<double>(value));
  return sum;
}

TEST(Rotations, KeepNorms) {
  Random random;
  for (const auto& [name, config] : ropes_of_every_kind(kDim)) {
    if (config.xpos.has_value()) continue;  // its factors are no rotation
    const Rope rope(config);
    for (const double position : {0.0, 1.0, -4095.5, 1e6, 0x1p24}) {
      const std::vector<float> x = random.floats(kDim), y = turned(rope, x, position);
      const std::size_t first = config.rotary_start, dims = rope.config().rotary_dim;
      const double before = std::sqrt(dot(x, first, x, first, dims)) * rope.attention_factor();
      // each output errs by at most 4 * 2^-24 of |a| + |b|, the norm of which is at most sqrt 2 of
      // the pair's, twice
      EXPECT_NEAR(std::sqrt(dot(y, first, y, first, dims)), before, 8 * 0x1p-24 * before)
          << name << " at " << position;
    }
  }
}

TEST(Rotations, HaveAnInverse) {
  Random random;
  for (const auto& [name, config] : ropes_of_every_kind(kDim)) {
    const Rope rope(config);
    const std::size_t axes = rope.axis_count(), rows = 9;
    std::vector<double> positions(axes * rows);
    for (double& position : positions) position = random.uniform(-1e6, 1e6);
    for (const RotarySide side : {RotarySide::query, RotarySide::key}) {
      const RotaryArgs args{.positions = Positions::of(positions), .length = rows, .side = side};
      const std::vector<float> x = random.floats(rows * kDim);
      std::vector<float> y = x;
      ASSERT_TRUE(succeeded(rope.apply(y, args)));
      ASSERT_TRUE(succeeded(rope.unapply(y, args)));
      for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t pair = 0; pair < kDim / 2; ++pair) {
          const bool half = rope.config().layout == RopeLayout::half;
          const std::size_t dims = rope.config().rotary_dim;
          if (pair >= dims / 2) continue;
          const std::size_t first = row * kDim + config.rotary_start;
          const std::size_t a = first + (half ? pair : 2 * pair), b = a + (half ? dims / 2 : 1);
          // each rotation errs by 4 * 2^-24 of |a| + |b|, the second on top of the first
          const float bound = 16 * 0x1p-24f * (std::fabs(x[a]) + std::fabs(x[b]));
          EXPECT_NEAR(y[a], x[a], bound) << name;
          EXPECT_NEAR(y[b], x[b], bound) << name;
        }
      }
    }
  }
}

/// Scores at a distance of two positions, near the start and after shifts. `score(query, key)`.
template <class Score>
void expect_differences_only(const std::string& name, double tolerance, const Score& score) {
  for (const double distance : {0.0, 1.0, -5.0, 1000.25}) {
    const double near = score(distance, 0.0);
    for (const double shift : {1.0, 17.0, 1e6, -1e6, 15e6}) {
      EXPECT_NEAR(score(distance + shift, shift), near, tolerance)
          << name << ", distance " << distance << ", shift " << shift;
    }
  }
}

TEST(Rotations, ScoresDependOnDifferencesOnly) {
  const std::vector<float> q = Random(1).floats(kDim), k = Random(2).floats(kDim);
  for (auto [name, config] : ropes_of_every_kind(kDim)) {
    if (config.angles == Angles::float32) continue;  // rounded positions and products: they do not
    if (config.xpos.has_value()) config.xpos->scale_base = 1e6;
    const Rope rope(config);
    // four rotations err by 4 * 2^-24 of |a| + |b| in each of two outputs
    const double factor = rope.attention_factor() * rope.attention_factor();
    const double magnitude = size_of(q) * size_of(k) * factor;
    expect_differences_only(name, 32 * 0x1p-24 * magnitude, [&](double query, double key) {
      return dot(turned(rope, q, query), 0, turned(rope, k, key, RotarySide::key), 0, kDim);
    });
  }
}

TEST(Rotations, SoDoProductsOfSinusoidalRowsAndPolarEmbeddings) {
  const Sinusoidal sinusoidal({.dim = kDim});
  expect_differences_only("sinusoidal", kDim * 0x1p-24, [&](double query, double key) {
    const double at[] = {query, key};
    std::vector<float> rows(2 * kDim);
    EXPECT_TRUE(succeeded(sinusoidal.table(Positions::of(at), rows)));
    return dot(rows, 0, rows, kDim, kDim);
  });
  const std::vector<float> q = Random(1).floats(kDim), k = Random(2).floats(kDim),
                           delta = Random(3).floats(kDim, -6, 0);
  const Pope pope({.heads = 1, .head_dim = kDim, .delta = delta});
  // magnitudes are at most ln(1 + e^2) = 2.13; each value within 2^-23 of itself
  expect_differences_only("pope", kDim * 4.6 * 8 * 0x1p-24, [&](double query, double key) {
    std::vector<float> a(2 * kDim), b(2 * kDim);
    EXPECT_TRUE(succeeded(pope.embed_queries(q, Positions::of(std::span(&query, 1)), a)));
    EXPECT_TRUE(succeeded(pope.embed_keys(k, Positions::of(std::span(&key, 1)), b)));
    return dot(a, 0, b, 0, 2 * kDim);
  });
}

}  // namespace
}  // namespace posenc
