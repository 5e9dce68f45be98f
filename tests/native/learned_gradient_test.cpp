// What the learned encoding has beside look-ups: the scale, and the gradient of its rows.

#include <vector>

#include "helpers.hpp"
#include "posenc/additive/learned.hpp"
#include "storage_types.hpp"

namespace posenc {
namespace {

using namespace tests;

TEST(LearnedGradient, SumsTheGradientsOfEveryPositionThatReadsARow) {
  const std::vector<float> rows(4 * 2);
  const std::vector<std::int32_t> ids{0, 1, 2, 1, 1, 3};
  const std::vector<float> gradient{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  std::vector<float> sums(8, 0.5f);
  ASSERT_TRUE(
      succeeded(Learned({.rows = rows, .dim = 2}).scatter(Positions::of(ids), gradient, sums)));
  EXPECT_EQ(sums, (std::vector<float>{1.5f, 2.5f, 19.5f, 22.5f, 5.5f, 6.5f, 11.5f, 12.5f}));
}

// <table(p), g> == <rows, scatter(g)>: the gradient is the look-up's adjoint, offset and scale
// included.
TEST(LearnedGradient, IsTheAdjointOfTheLookUp) {
  Random random;
  for (const std::size_t dim : {1u, 5u, 40u, 300u}) {
    const std::vector<float> rows = random.floats(9 * dim), gradient = random.floats(20 * dim);
    const Learned encoding({.rows = rows, .dim = dim, .row_offset = 2, .scale = 0.3});
    std::vector<std::int64_t> positions;
    for (int i = 0; i < 20; ++i) positions.push_back(random.integer(0, 6));
    std::vector<float> table(20 * dim), sums(9 * dim);
    ASSERT_TRUE(succeeded(encoding.table(Positions::of(positions), table)));
    ASSERT_TRUE(succeeded(encoding.scatter(Positions::of(positions), gradient, sums)));
    double forward = 0, backward = 0, size = 0;
    for (std::size_t i = 0; i < table.size(); ++i) {
      forward += double{table[i]} * double{gradient[i]};
      size += std::fabs(double{table[i]} * double{gradient[i]});
    }
    for (std::size_t i = 0; i < rows.size(); ++i) backward += double{rows[i]} * double{sums[i]};
    EXPECT_NEAR(forward, backward, size * 0x1p-21);
  }
}

TEST(LearnedGradient, ThePaddingRowGetsNone) {
  const std::vector<float> rows(3 * 2), gradient{1, 2, 3, 4};
  const Learned encoding({.rows = rows, .dim = 2, .row_offset = 1, .padding_row = 1});
  std::vector<float> sums(6);
  ASSERT_TRUE(succeeded(encoding.scatter(Positions::from(0, 2), gradient, sums)));
  EXPECT_EQ(sums, (std::vector<float>{0, 0, 0, 0, 3, 4}));
}

TEST(LearnedGradient, PartsInOrderGiveTheBitsOfTheWhole) {
  const std::vector<float> rows(5 * 7), gradient = Random().floats(30 * 7);
  const Learned encoding({.rows = rows, .dim = 7});
  std::vector<std::int32_t> ids;
  for (std::int32_t i = 0; i < 30; ++i) ids.push_back(i * i % 5);
  const Positions positions = Positions::of(ids);
  std::vector<float> whole(35), parts(35);
  ASSERT_TRUE(succeeded(encoding.scatter(positions, gradient, whole)));
  for (std::size_t first = 0; first < 30; first += 10) {
    const std::span<const float> some = std::span(gradient).subspan(first * 7, 70);
    ASSERT_TRUE(succeeded(encoding.scatter(positions.slice(first, 10), some, parts)));
  }
  EXPECT_TRUE(same_bits(parts, whole));
}

TEST(LearnedGradient, ShortGradientsAreSummedInFloat32) {
  const std::vector<float> rows(3), ones(4096, 1.0f);
  const std::vector<std::int32_t> ids(4096, 1);
  for (const StorageType type : kShortTypes) {
    const ShortFloats gradient(ones, type);
    std::vector<float> sums(3);
    ASSERT_TRUE(
        succeeded(Learned({.rows = rows, .dim = 1}).scatter(Positions::of(ids), gradient, sums)));
    EXPECT_EQ(sums, (std::vector<float>{0, 4096, 0}));
  }
}

TEST(LearnedGradient, ScaledRowsAreRoundedOnce) {
  const std::vector<float> rows = Random(4).floats(6 * 21);
  const double scale = 0.088388347648318447;
  const Learned encoding({.rows = rows, .dim = 21, .scale = scale});
  Guarded out(6 * 21);
  ASSERT_TRUE(succeeded(encoding.table(Positions::from(0, 6), out.span())));
  std::vector<double> exact;
  for (const float value : rows) exact.push_back(scale * double{value});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(out.span()[i], static_cast<float>(exact[i]));
  }
  std::vector<float> x = rows, expected = rows;
  ASSERT_TRUE(succeeded(encoding.add(Positions::from(0, 6), x)));
  for (std::size_t i = 0; i < rows.size(); ++i) expected[i] += out.span()[i];
  EXPECT_TRUE(same_bits(x, expected));
  for (const StorageType type : kShortTypes) {
    ShortFloats rounded(6 * 21, type);
    ASSERT_TRUE(succeeded(encoding.table(Positions::from(0, 6), rounded)));
    expect_nearest(rounded, type, exact);
  }
}

TEST(LearnedGradient, WrongCallsWriteNothing) {
  std::vector<float> rows(6), gradient(4);
  const Learned encoding({.rows = rows, .dim = 2});
  Guarded sums(6);
  expect_failure(encoding.scatter(Positions::from(0, 3), gradient, sums.span()), Code::shape,
                 "gradient",
                 "learned: gradient must have positions * dim = 3 * 2 = 6 elements, got 4");
  expect_failure(encoding.scatter(Positions::from(0, 2), gradient, sums.span().first(5)),
                 Code::shape, "rows_gradient",
                 "learned: rows_gradient must have rows * dim = 3 * 2 = 6 elements, got 5");
  EXPECT_EQ(encoding.scatter(Positions::from(2, 2), gradient, sums.span()).code(),
            Code::position_range);
  expect_failure(encoding.scatter(Positions::from(0, 2), gradient, rows), Code::overlap,
                 "rows_gradient", "learned: rows_gradient must not overlap rows");
  EXPECT_TRUE(sums.untouched());
  expect_failure(check(LearnedConfig{.rows = rows, .dim = 2, .padding_row = 3}), Code::value_range,
                 "padding_row", "learned: padding_row must be 0 to rows - 1 = 2, got 3");
  expect_failure(check(LearnedConfig{.rows = rows, .dim = 2, .scale = kNaN}), Code::value_range,
                 "scale", "learned: scale must be -1e+30 to 1e+30, got nan");
}

}  // namespace
}  // namespace posenc
