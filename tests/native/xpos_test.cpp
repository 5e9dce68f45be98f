// xPos: the decay of rotated queries and keys with their distance.

#include <cmath>
#include <vector>

#include "helpers.hpp"
#include "posenc/rotary/rope.hpp"

namespace posenc {
namespace {

using namespace tests;

std::vector<float> one_row(const Rope& rope, std::vector<float> x, std::int64_t position,
                           RotarySide side) {
  EXPECT_TRUE(succeeded(rope.apply(x, {.positions = Positions::from(position, 1), .side = side})));
  return x;
}

double dot(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += double{a[i]} * double{b[i]};
  return sum;
}

// Kind xpos-decode-scale: the factor of a step comes from its own position, not from step 0.
TEST(Xpos, FactorsComeFromThePositionItself) {
  const Rope rope({.head_dim = 4, .xpos = Xpos{}});
  const double query_scale[] = {0.98061591368077442592, 0.99312013860225459502};
  const double key_scale[] = {1.0073674148534213911, 1.002592217784454695};
  const std::vector<float> ones{1, 1, 0, 0};
  const std::vector<float> q = one_row(rope, ones, 8, RotarySide::query);
  const std::vector<float> k = one_row(rope, ones, 3, RotarySide::key);
  const double product[] = {0.98784051792872755213, 0.99569452228763947106};
  for (std::size_t i = 0; i < 2; ++i) {
    const double query = std::hypot(double{q[i]}, double{q[i + 2]});
    const double key = std::hypot(double{k[i]}, double{k[i + 2]});
    EXPECT_NEAR(query, query_scale[i], 2e-7);
    EXPECT_NEAR(key, key_scale[i], 2e-7);
    EXPECT_NEAR(query * key, product[i], 4e-7);
  }
}

// The same kind: rows of a cache, turned as they come, are those of the whole.
TEST(Xpos, CachedStepsAreTheBitsOfTheWhole) {
  const Rope rope({.head_dim = 16, .xpos = Xpos{}});
  for (const RotarySide side : {RotarySide::query, RotarySide::key}) {
    const std::vector<float> x = Random().floats(9 * 16);
    std::vector<float> whole = x;
    ASSERT_TRUE(succeeded(rope.apply(whole, {.positions = Positions::from(0, 9), .side = side})));
    for (std::size_t row = 0; row < 9; ++row) {
      const std::span<const float> in = std::span(x).subspan(row * 16, 16);
      const std::vector<float> step = one_row(rope, std::vector<float>(in.begin(), in.end()),
                                              static_cast<std::int64_t>(row), side);
      EXPECT_TRUE(same_bits(step, std::span(whole).subspan(row * 16, 16))) << row;
    }
  }
}

TEST(Xpos, ScoresDependOnTheDifferenceOfPositionsOnly) {
  const Rope rope({.head_dim = 32, .xpos = Xpos{}});
  const std::vector<float> q = Random(1).floats(32), k = Random(2).floats(32);
  const auto score = [&](std::int64_t query, std::int64_t key) {
    return dot(one_row(rope, q, query, RotarySide::query), one_row(rope, k, key, RotarySide::key));
  };
  for (const std::int64_t shift : {1, 17, 500, 20000}) {
    for (const std::int64_t distance : {0, 5, 300}) {
      // products of values up to 4 whose factors cancel, each within some 2^-22
      EXPECT_NEAR(score(distance + shift, shift), score(distance, 0), 32 * 16 * 0x1p-22) << shift;
    }
  }
}

TEST(Xpos, TheOriginMovesTheFactorsAndNotTheScores) {
  const Rope zero({.head_dim = 16, .xpos = Xpos{}});
  const Rope moved({.head_dim = 16, .xpos = Xpos{.origin = 100}});
  const std::vector<float> q = Random(1).floats(16), k = Random(2).floats(16);
  const auto score = [&](const Rope& rope) {
    return dot(one_row(rope, q, 20, RotarySide::query), one_row(rope, k, 3, RotarySide::key));
  };
  EXPECT_NEAR(score(zero), score(moved), 16 * 16 * 0x1p-22);
  EXPECT_NE(one_row(zero, q, 20, RotarySide::query), one_row(moved, q, 20, RotarySide::query));
}

TEST(Xpos, WithoutAnOriginItIsTheMiddleOfTheCall) {
  const Rope published({.head_dim = 16, .xpos = Xpos{.origin = std::nullopt}});
  const Rope fixed({.head_dim = 16, .xpos = Xpos{.origin = 4}});
  std::vector<float> x = Random().floats(9 * 16), y = x;
  const RotaryArgs args{.positions = Positions::from(0, 9)};
  ASSERT_TRUE(succeeded(published.apply(x, args)));
  ASSERT_TRUE(succeeded(fixed.apply(y, args)));
  EXPECT_TRUE(same_bits(x, y));
}

TEST(Xpos, PositionsWhoseFactorsLeaveFloat32AreRefused) {
  const Rope rope({.head_dim = 64, .xpos = Xpos{.scale_base = 64, .origin = 1000}});
  Guarded x(64);
  const double limit = 69 * 64;
  for (const double position : {1000 - limit, 1000 + limit}) {
    for (const RotarySide side : {RotarySide::query, RotarySide::key}) {
      std::vector<float> y(64, 1.0f);
      const double positions[] = {position};
      ASSERT_TRUE(succeeded(rope.apply(y, {.positions = Positions::of(positions), .side = side})));
      for (const float value : y) EXPECT_TRUE(std::isfinite(value));
    }
  }
  expect_failure(rope.apply(x.span(), {.positions = Positions::from(5417, 1)}),
                 Code::position_range, "positions",
                 "rope: positions must be within 69 * xpos.scale_base = 4416 of the origin 1000, "
                 "got 5417");
  EXPECT_TRUE(x.untouched());
}

TEST(Xpos, HasNoTablesOfItsOwn) {
  const Rope rope({.head_dim = 4, .xpos = Xpos{}});
  std::vector<float> cos(2), sin(2);
  expect_failure(rope.angles(Positions::from(0, 1), cos, sin), Code::value_range, "xpos",
                 "rope: angles are not defined with xpos, which gives queries and keys tables of "
                 "their own; use apply");
}

TEST(Xpos, ConfigsOutsideTheirRangeAreRefused) {
  const auto rejected = [](const RopeConfig& config, std::string_view field,
                           const std::string& message) {
    expect_failure(check(config), Code::value_range, field, message);
  };
  rejected({.head_dim = 4, .xpos = Xpos{.scale_base = 0}}, "xpos.scale_base",
           "rope: xpos.scale_base must be 0.001 to 1e+30, got 0");
  rejected({.head_dim = 4, .xpos = Xpos{.origin = kNaN}}, "xpos.origin",
           "rope: xpos.origin must be -1e+15 to 1e+15, got nan");
  rejected({.head_dim = 16, .axes = Mrope{{2, 3, 3}}, .xpos = Xpos{}}, "xpos",
           "rope: xpos goes with one axis only");
}

}  // namespace
}  // namespace posenc
