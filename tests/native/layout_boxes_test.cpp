#include "posenc/additive/layout_boxes.hpp"

#include <vector>

#include "helpers.hpp"
#include "storage_types.hpp"

namespace posenc {
namespace {

using namespace tests;

/// Tables of 10 rows of 3, and 4 rows of positions.
struct Tables {
  std::vector<float> x = Random(1).floats(30), y = Random(2).floats(30), h = Random(3).floats(30),
                     w = Random(4).floats(30), position = Random(5).floats(12);

  LayoutBoxesConfig config() const {
    return {.dim = 3,
            .x_rows = x,
            .y_rows = y,
            .height_rows = h,
            .width_rows = w,
            .position_rows = position};
  }
  double exact(const std::int32_t* box, std::int32_t token, std::size_t column) const {
    const auto value = [&](const std::vector<float>& rows, std::int32_t row) {
      return double{rows[static_cast<std::size_t>(row) * 3 + column]};
    };
    return value(position, token) + value(x, box[0]) + value(y, box[1]) + value(x, box[2]) +
           value(y, box[3]) + value(h, box[3] - box[1]) + value(w, box[2] - box[0]);
  }
};

const std::vector<std::int32_t> kBoxes{0, 0, 9, 9, 2, 3, 5, 4, 7, 7, 7, 7};
const std::vector<std::int32_t> kPlaces{0, 3, 3};

TEST(LayoutBoxes, SumTheRowsOfTheirCornersSidesAndPlace) {
  const Tables tables;
  Guarded out(9);
  ASSERT_TRUE(
      succeeded(LayoutBoxes(tables.config()).table(kBoxes, Positions::of(kPlaces), out.span())));
  for (std::size_t i = 0; i < 9; ++i) {
    const double exact = tables.exact(kBoxes.data() + 4 * (i / 3), kPlaces[i / 3], i % 3);
    EXPECT_EQ(out.span()[i], static_cast<float>(exact)) << i;
  }
}

TEST(LayoutBoxes, WithoutPositionRowsHaveNoPositionTerm) {
  const Tables tables;
  LayoutBoxesConfig config = tables.config();
  config.position_rows = {};
  std::vector<float> out(9);
  ASSERT_TRUE(succeeded(LayoutBoxes(config).table(kBoxes, Positions(), out)));
  const double exact = tables.exact(kBoxes.data() + 4, 3, 1) - double{tables.position[3 * 3 + 1]};
  EXPECT_FLOAT_EQ(out[4], static_cast<float>(exact));
}

TEST(LayoutBoxes, AddIsTheTableThenOneAddition) {
  const Tables tables;
  const LayoutBoxes encoding(tables.config());
  std::vector<float> table(9), x = Random(6).floats(9), expected = x;
  ASSERT_TRUE(succeeded(encoding.table(kBoxes, Positions::of(kPlaces), table)));
  ASSERT_TRUE(succeeded(encoding.add(kBoxes, Positions::of(kPlaces), x)));
  for (std::size_t i = 0; i < 9; ++i) expected[i] += table[i];
  EXPECT_TRUE(same_bits(x, expected));
}

TEST(LayoutBoxes, ShortTypesAreRoundedOnce) {
  const Tables tables;
  for (const StorageType type : kShortTypes) {
    ShortFloats out(9, type);
    ASSERT_TRUE(succeeded(LayoutBoxes(tables.config()).table(kBoxes, Positions::of(kPlaces), out)));
    std::vector<double> exact;
    for (std::size_t i = 0; i < 9; ++i) {
      exact.push_back(tables.exact(kBoxes.data() + 4 * (i / 3), kPlaces[i / 3], i % 3));
    }
    expect_nearest(out, type, exact);
  }
}

TEST(LayoutBoxes, BoxesOutsideTheTablesWriteNothing) {
  const Tables tables;
  const LayoutBoxes encoding(tables.config());
  Guarded out(3);
  const auto call = [&](std::vector<std::int32_t> box, std::int64_t place = 0) {
    return encoding.table(box, Positions::from(place, 1), out.span());
  };
  const std::string rows = " of token 0 must be 0 to 9, the rows of its table, got ";
  expect_failure(call({0, 0, 10, 0}), Code::position_range, "boxes",
                 "layout_boxes: x1" + rows + "10");
  expect_failure(call({0, -1, 0, 0}), Code::position_range, "boxes",
                 "layout_boxes: y0" + rows + "-1");
  expect_failure(call({0, 5, 0, 4}), Code::position_range, "boxes",
                 "layout_boxes: y1 - y0" + rows + "-1");
  expect_failure(call({0, 0, 0, 0}, 4), Code::position_range, "positions",
                 "layout_boxes: position of token 0 must be 0 to 3, the rows of its table, got 4");
  EXPECT_EQ(call({0, 0, 0}).code(), Code::shape);
  EXPECT_EQ(encoding.table(std::vector<std::int32_t>(4), Positions(), out.span()).code(),
            Code::shape);
  EXPECT_TRUE(out.untouched());
}

TEST(LayoutBoxes, ConfigsOutsideTheirRangeAreRejected) {
  const Tables tables;
  LayoutBoxesConfig config = tables.config();
  config.height_rows = {};
  expect_failure(check(config), Code::shape, "height_rows",
                 "layout_boxes: height_rows must have a positive multiple of dim = 3 elements, "
                 "got 0");
  config = tables.config();
  config.dim = 7;
  expect_failure(check(config), Code::shape, "x_rows",
                 "layout_boxes: x_rows must have a positive multiple of dim = 7 elements, got 30");
  EXPECT_FALSE(make(LayoutBoxesConfig{}).ok());
}

}  // namespace
}  // namespace posenc
