#include "posenc/additive/multiscale.hpp"

#include <vector>

#include "helpers.hpp"
#include "posenc/additive/sinusoidal.hpp"
#include "storage_types.hpp"

namespace posenc {
namespace {

using namespace tests;

const std::vector<double> kDocument{0, 0, 1, 1}, kSection{0, 3, 3, 0.5}, kToken{0, 17, 18, -4};

std::vector<Positions> positions_of_levels() {
  return {Positions::of(kDocument), Positions::of(kSection), Positions::of(kToken)};
}

std::vector<float> level_row(const MultiscaleLevel& level, double position,
                             SinusoidalLayout layout) {
  std::vector<float> out(level.dim);
  const Sinusoidal encoding(
      {.dim = level.dim, .base = level.base, .layout = layout, .scale = level.scale});
  EXPECT_TRUE(succeeded(encoding.table(Positions::of(std::span(&position, 1)), out)));
  return out;
}

TEST(Multiscale, ConcatenatedLevelsAreTheirEncodingsSideBySide) {
  const MultiscaleLevel levels[] = {{4, 100.0, 0.5}, {6, 1000.0}, {300, 10000.0}};
  for (const bool interleaved : {false, true}) {
    const Multiscale encoding({.levels = levels, .interleaved = interleaved});
    ASSERT_EQ(encoding.dim(), 310u);
    Guarded out(4 * 310);
    ASSERT_TRUE(succeeded(encoding.table(positions_of_levels(), out.span())));
    for (std::size_t token = 0; token < 4; ++token) {
      const SinusoidalLayout layout =
          interleaved ? SinusoidalLayout::interleaved : SinusoidalLayout::half;
      std::vector<float> expected = level_row(levels[0], kDocument[token], layout);
      for (const float value : level_row(levels[1], kSection[token], layout))
        expected.push_back(value);
      for (const float value : level_row(levels[2], kToken[token], layout))
        expected.push_back(value);
      EXPECT_TRUE(same_bits(out.span().subspan(token * 310, 310), expected));
    }
  }
}

TEST(Multiscale, SummedLevelsAreAddedInTheirOrder) {
  const MultiscaleLevel levels[] = {{290, 100.0, 0.5}, {290, 1000.0}, {290, 10000.0, 2.0}};
  for (const bool interleaved : {false, true}) {
    const Multiscale encoding(
        {.levels = levels, .combine = MultiscaleCombine::sum, .interleaved = interleaved});
    ASSERT_EQ(encoding.dim(), 290u);
    Guarded out(4 * 290);
    ASSERT_TRUE(succeeded(encoding.table(positions_of_levels(), out.span())));
    for (std::size_t token = 0; token < 4; ++token) {
      const SinusoidalLayout layout =
          interleaved ? SinusoidalLayout::interleaved : SinusoidalLayout::half;
      const std::vector<float> a = level_row(levels[0], kDocument[token], layout),
                               b = level_row(levels[1], kSection[token], layout),
                               c = level_row(levels[2], kToken[token], layout);
      std::vector<float> expected(290);
      for (std::size_t i = 0; i < 290; ++i) expected[i] = (a[i] + b[i]) + c[i];
      EXPECT_TRUE(same_bits(out.span().subspan(token * 290, 290), expected));
    }
  }
}

TEST(Multiscale, AddIsTheTableThenOneAdditionInEveryType) {
  const MultiscaleLevel levels[] = {{8, 100.0}, {8, 1000.0}, {8, 10000.0}};
  for (const MultiscaleCombine combine : {MultiscaleCombine::concatenate, MultiscaleCombine::sum}) {
    const Multiscale encoding({.levels = levels, .combine = combine});
    const std::size_t size = 4 * encoding.dim();
    std::vector<float> table(size), expected = Random().floats(size);
    ASSERT_TRUE(succeeded(encoding.table(positions_of_levels(), table)));
    const std::vector<float> before = expected;
    Guarded x(before);
    for (std::size_t i = 0; i < size; ++i) expected[i] += table[i];
    ASSERT_TRUE(succeeded(encoding.add(positions_of_levels(), x.span())));
    EXPECT_TRUE(same_bits(x.span(), expected));
    for (const StorageType type : kShortTypes) {
      ShortFloats sum(before, type);
      expected = sum.floats();
      for (std::size_t i = 0; i < size; ++i) expected[i] += table[i];
      ASSERT_TRUE(succeeded(encoding.add(positions_of_levels(), sum)));
      EXPECT_TRUE(same_bits(sum.floats(), ShortFloats(expected, type).floats()));
    }
  }
}

TEST(Multiscale, ConfigsOutsideTheirRangeAreRejected) {
  expect_failure(check(MultiscaleConfig{}), Code::value_range, "levels",
                 "multiscale: levels must be 1 to 16, got 0");
  const MultiscaleLevel odd[] = {{4}, {5}};
  expect_failure(check(MultiscaleConfig{.levels = odd}), Code::value_range, "dim",
                 "multiscale: dim of a level must be even, got 5 at level 1");
  const MultiscaleLevel unequal[] = {{4}, {6}};
  expect_failure(check(MultiscaleConfig{.levels = unequal, .combine = MultiscaleCombine::sum}),
                 Code::value_range, "dim",
                 "multiscale: dim must be the same at every level to be summed, got 6 at level 1 "
                 "and 4 at level 0");
  const MultiscaleLevel base[] = {{4, kNaN}};
  expect_failure(check(MultiscaleConfig{.levels = base}), Code::value_range, "base",
                 "multiscale: base must be 1 to 1e+30, got nan");
  EXPECT_FALSE(make(MultiscaleConfig{}).ok());
}

TEST(Multiscale, WrongCallsWriteNothing) {
  const MultiscaleLevel levels[] = {{2}, {2}};
  const Multiscale encoding({.levels = levels});
  Guarded out(8);
  const Positions two = Positions::from(0, 2);
  const std::vector<Positions> one_level{two}, ragged{two, Positions::from(0, 3)},
      far{two, Positions::from(kMaxPosition, 2)}, good{two, two};
  expect_failure(encoding.table(one_level, out.span()), Code::shape, "positions",
                 "multiscale: positions must have levels = 2 = 2 elements, got 1");
  expect_failure(encoding.table(ragged, out.span()), Code::shape, "positions",
                 "multiscale: positions must have tokens = 2 = 2 elements, got 3");
  EXPECT_EQ(encoding.add(far, out.span()).code(), Code::position_range);
  EXPECT_EQ(encoding.add(good, out.span().first(7)).code(), Code::shape);
  EXPECT_TRUE(out.untouched());
}

}  // namespace
}  // namespace posenc
