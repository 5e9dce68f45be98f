#include "posenc/additive/hierarchical.hpp"

#include <vector>

#include "exact.hpp"
#include "helpers.hpp"
#include "storage_types.hpp"

namespace posenc {
namespace {

using namespace tests;

/// The rule as published.
double exact_value(std::span<const float> rows, std::size_t dim, double alpha, std::size_t position,
                   std::size_t column) {
  const std::size_t n = rows.size() / dim;
  const auto u = [&](std::size_t row) {
    return (Exact(double{rows[row * dim + column]}) - Exact(alpha) * double{rows[column]}) /
           (Exact(1.0) - alpha);
  };
  return (Exact(alpha) * u(position / n) + (Exact(1.0) - alpha) * u(position % n)).value();
}

TEST(Hierarchical, TheTrainedRowsKeepTheirBits) {
  const std::vector<float> rows = Random().floats(8 * 5);
  for (const double alpha : {0.4, -3.0, 0.9999}) {
    Guarded out(8 * 5);
    const Hierarchical encoding({.rows = rows, .dim = 5, .alpha = alpha});
    ASSERT_TRUE(succeeded(encoding.table(Positions::from(0, 8), out.span())));
    EXPECT_TRUE(same_bits(out.span(), rows));
  }
}

TEST(Hierarchical, NRowsReachNSquaredPositionsByTheRule) {
  Random random;
  for (const std::size_t dim : {1u, 3u, 17u, 300u}) {
    for (const double alpha : {0.4, 0.1, 0.75, -0.5}) {
      const std::vector<float> rows = random.floats(6 * dim);
      const Hierarchical encoding({.rows = rows, .dim = dim, .alpha = alpha});
      ASSERT_EQ(encoding.max_positions(), 36);
      Guarded out(36 * dim);
      ASSERT_TRUE(succeeded(encoding.table(Positions::from(0, 36), out.span())));
      for (std::size_t i = 0; i < 36 * dim; ++i) {
        const double exact = exact_value(rows, dim, alpha, i / dim, i % dim);
        const double bound = 0x1p-24 * std::fabs(exact) + 0x1p-50 * 12;
        EXPECT_NEAR(out.span()[i], exact, bound) << "alpha " << alpha << ", element " << i;
      }
    }
  }
}

TEST(Hierarchical, AtOneHalfCoarseAndFineAreTheSame) {
  const std::vector<float> rows = Random().floats(4 * 3);
  const Hierarchical encoding({.rows = rows, .dim = 3, .alpha = 0.5});
  std::vector<float> out(2 * 3);
  const std::vector<std::int32_t> positions{1 * 4 + 2, 2 * 4 + 1};
  ASSERT_TRUE(succeeded(encoding.table(Positions::of(positions), out)));
  for (std::size_t i = 0; i < 3; ++i) EXPECT_FLOAT_EQ(out[i], out[3 + i]);
}

TEST(Hierarchical, PartsAreTheBitsOfTheWholeAndAddIsOneAddition) {
  const std::vector<float> rows = Random(1).floats(5 * 33);
  const Hierarchical encoding({.rows = rows, .dim = 33});
  std::vector<float> whole(25 * 33), one(33);
  ASSERT_TRUE(succeeded(encoding.table(Positions::from(0, 25), whole)));
  std::vector<float> x = Random(2).floats(whole.size()), expected = x;
  for (std::size_t i = 0; i < x.size(); ++i) expected[i] += whole[i];
  ASSERT_TRUE(succeeded(encoding.add(Positions::from(0, 25), x)));
  EXPECT_TRUE(same_bits(x, expected));
  for (const std::int64_t position : {24, 3, 5}) {
    ASSERT_TRUE(succeeded(encoding.table(Positions::from(position, 1), one)));
    const auto start = static_cast<std::size_t>(position) * 33;
    EXPECT_TRUE(same_bits(one, std::span(whole).subspan(start, 33)));
  }
}

TEST(Hierarchical, ShortTypesAreRoundedOnce) {
  const std::vector<float> values = Random(3).floats(4 * 20);
  for (const StorageType type : kShortTypes) {
    const ShortFloats rows(values, type);
    const std::vector<float> widened = rows.floats();
    const Hierarchical encoding({.rows = rows, .dim = 20});
    ShortFloats out(16 * 20, type);
    ASSERT_TRUE(succeeded(encoding.table(Positions::from(0, 16), out)));
    const std::vector<float> rounded = out.floats();
    for (std::size_t i = 0; i < 16 * 20; ++i) {
      // Both neighbours are right where the exact value lies between them to 2^-50.
      const double exact = exact_value(widened, 20, 0.4, i / 20, i % 20);
      EXPECT_LE(std::fabs(rounded[i] - exact), std::fabs(nearest(exact, type) - exact) + 1e-14);
    }
  }
}

TEST(Hierarchical, ConfigsOutsideTheirRangeAreRejected) {
  const std::vector<float> rows(12);
  const auto with_alpha = [&](double alpha) {
    return check(HierarchicalConfig{.rows = rows, .dim = 4, .alpha = alpha});
  };
  expect_failure(with_alpha(1), Code::value_range, "alpha", "hierarchical: alpha must not be 1");
  expect_failure(with_alpha(kNaN), Code::value_range, "alpha",
                 "hierarchical: alpha must be -1000 to 1000, got nan");
  expect_failure(check(HierarchicalConfig{.rows = rows, .dim = 5}), Code::shape, "rows",
                 "hierarchical: rows must have a positive multiple of dim = 5 elements, got 12");
  expect_failure(check(HierarchicalConfig{.dim = 5}), Code::shape, "rows",
                 "hierarchical: rows must have a positive multiple of dim = 5 elements, got 0");
  EXPECT_FALSE(make(HierarchicalConfig{}).ok());
}

TEST(Hierarchical, WrongCallsWriteNothing) {
  std::vector<float> rows(12, 1.0f);
  const Hierarchical encoding({.rows = rows, .dim = 4});
  Guarded out(8);
  expect_failure(encoding.table(Positions::from(8, 2), out.span()), Code::position_range,
                 "positions", "hierarchical: position 9 has no row: 3 rows reach 0 to 8");
  expect_failure(encoding.add(Positions::from(-1, 2), out.span()), Code::position_range,
                 "positions", "hierarchical: position -1 has no row: 3 rows reach 0 to 8");
  const double half[] = {0.5, 1};
  expect_failure(encoding.table(Positions::of(half), out.span()), Code::position_range, "positions",
                 "hierarchical: positions must be whole numbers, got 0.5");
  expect_failure(encoding.table(Positions::from(0, 3), out.span()), Code::shape, "out",
                 "hierarchical: out must have positions * dim = 3 * 4 = 12 elements, got 8");
  expect_failure(encoding.table(Positions::from(0, 1), std::span(rows).first(4)), Code::overlap,
                 "out", "hierarchical: out must not overlap rows");
  EXPECT_TRUE(out.untouched());
}

}  // namespace
}  // namespace posenc
