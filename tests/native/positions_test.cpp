#include "posenc/core/positions.hpp"

#include <vector>

#include "helpers.hpp"
#include "posenc/core/check.hpp"

namespace posenc {
namespace {

using tests::expect_failure;
using tests::kNaN;
using tests::succeeded;

std::vector<double> values_of(const Positions& positions) {
  std::vector<double> values;
  for (std::size_t i = 0; i < positions.size(); ++i) values.push_back(positions[i]);
  return values;
}

TEST(Positions, AreNoneByDefault) { EXPECT_EQ(Positions().size(), 0u); }

TEST(Positions, OfARangeCountUpFromTheFirst) {
  const Positions positions = Positions::from(-2, 4);
  EXPECT_TRUE(positions.is_range());
  EXPECT_EQ(values_of(positions), (std::vector<double>{-2, -1, 0, 1}));
}

TEST(Positions, OfAnArrayAreItsValuesInItsOrder) {
  const std::vector<std::int32_t> narrow{7, -3, 7, 0};
  const std::vector<std::int64_t> wide{std::int64_t{1} << 50, -(std::int64_t{1} << 50), 2049};
  const std::vector<double> real{0.5, -1e-3, 16777217.25};
  EXPECT_EQ(values_of(Positions::of(narrow)), (std::vector<double>{7, -3, 7, 0}));
  EXPECT_EQ(values_of(Positions::of(wide)), (std::vector<double>{0x1p50, -0x1p50, 2049}));
  EXPECT_EQ(values_of(Positions::of(real)), real);
  EXPECT_FALSE(Positions::of(narrow).is_range());
}

TEST(Positions, SlicesAreThePartsOfTheWhole) {
  const std::vector<std::int32_t> narrow{7, -3, 7, 0};
  const std::vector<std::int64_t> wide{7, -3, 7, 0};
  const std::vector<double> real{7, -3, 7, 0};
  const std::vector<double> middle{-3, 7};
  EXPECT_EQ(values_of(Positions::of(narrow).slice(1, 2)), middle);
  EXPECT_EQ(values_of(Positions::of(wide).slice(1, 2)), middle);
  EXPECT_EQ(values_of(Positions::of(real).slice(1, 2)), middle);
  EXPECT_EQ(values_of(Positions::from(5, 9).slice(2, 3)), (std::vector<double>{7, 8, 9}));
  EXPECT_EQ(Positions::from(5, 9).slice(9, 0).size(), 0u);
}

// Kind kv-eviction-position: a token's position outlives its neighbours in the cache.
TEST(Positions, AreNotTheRowNumbersOfACache) {
  std::vector<std::int64_t> kept;
  for (std::int64_t token = 60; token < 100; ++token) kept.push_back(token);
  EXPECT_EQ(Positions::of(kept)[0], 60);
  EXPECT_EQ(Positions::from(100, 1)[0], 100);
}

TEST(Positions, ReachTwoToTheFiftyAndNoFurther) {
  const auto checked = [](const Positions& positions) {
    return detail::check_positions("verb", "positions", positions);
  };
  EXPECT_TRUE(succeeded(checked(Positions::from(kMaxPosition, 1))));
  EXPECT_TRUE(succeeded(checked(Positions::from(-kMaxPosition, 1))));
  EXPECT_TRUE(succeeded(checked(Positions::from(std::numeric_limits<std::int64_t>::max(), 0))));
  expect_failure(checked(Positions::from(kMaxPosition, 2)), Code::position_range, "positions",
                 "verb: positions must be finite and at most 1125899906842624 in magnitude, got "
                 "1125899906842625");
  expect_failure(checked(Positions::from(-kMaxPosition - 1, 9)), Code::position_range, "positions",
                 "verb: positions must be finite and at most 1125899906842624 in magnitude, got "
                 "-1125899906842625");
  EXPECT_EQ(checked(Positions::from(std::numeric_limits<std::int64_t>::max(), 9)).code(),
            Code::position_range);
}

TEST(Positions, MustBeFinite) {
  const std::vector<double> nan{0, kNaN}, negative_nan{-kNaN}, infinite{1, -2, tests::kInfinity};
  const std::string expected =
      "verb: at must be finite and at most 1125899906842624 in magnitude, got ";
  const auto checked = [](const std::vector<double>& positions) {
    return detail::check_positions("verb", "at", Positions::of(positions));
  };
  expect_failure(checked(nan), Code::position_range, "at", expected + "nan");
  expect_failure(checked(negative_nan), Code::position_range, "at", expected + "nan");
  expect_failure(checked(infinite), Code::position_range, "at", expected + "inf");
}

TEST(Positions, OfTableLookUpsMustBeWhole) {
  const std::vector<double> whole{0, -3, 0x1p50}, real{0, 2.5};
  const auto checked = [](const std::vector<double>& positions) {
    return detail::check_whole_positions("verb", "at", Positions::of(positions));
  };
  EXPECT_TRUE(succeeded(checked(whole)));
  expect_failure(checked(real), Code::position_range, "at",
                 "verb: at must be whole numbers, got 2.5");
}

}  // namespace
}  // namespace posenc
