#include "posenc/core/grid_positions.hpp"

#include <vector>

#include "helpers.hpp"

namespace posenc {
namespace {

using namespace tests;

std::vector<double> positions_of(const GridPositionsArgs& args) {
  std::vector<double> out(2 * args.frames * args.height * args.width);
  EXPECT_TRUE(succeeded(grid_positions(args, out)));
  return out;
}

TEST(GridPositions, AreRowsThenColumnsOfCellsRowByRow) {
  EXPECT_EQ(positions_of({.height = 2, .width = 3}),
            (std::vector<double>{0, 0, 0, 1, 1, 1, 0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(positions_of({.height = 2, .width = 3, .columns_first = true}),
            (std::vector<double>{0, 1, 2, 0, 1, 2, 0, 0, 0, 1, 1, 1}));
}

TEST(GridPositions, ComeInMergeBlocksAndOnceAFrame) {
  const std::vector<double> expected{0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1,
                                     0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3};
  EXPECT_EQ(positions_of({.height = 2, .width = 4, .frames = 2, .merge = 2}), expected);
}

TEST(GridPositions, CentresLieBetweenTheEdges) {
  const GridPositionsArgs args{.height = 2, .width = 4, .coordinates = GridCoordinates::centres};
  const std::vector<double> separate{-0.5,  -0.5,  -0.5, -0.5, 0.5,   0.5,   0.5,  0.5,
                                     -0.75, -0.25, 0.25, 0.75, -0.75, -0.25, 0.25, 0.75};
  EXPECT_EQ(positions_of(args), separate);
  GridPositionsArgs largest = args, smallest = args;
  largest.extent = GridExtent::max;
  smallest.extent = GridExtent::min;
  EXPECT_EQ(positions_of(largest)[0], -0.75);  // (0 + 0.5) / 4 * 2 - 1
  EXPECT_EQ(positions_of(smallest)[11], 2.5);  // (3 + 0.5) / 2 * 2 - 1
}

TEST(GridPositions, CornersReachFromEdgeToEdge) {
  const GridPositionsArgs args{.height = 1, .width = 5, .coordinates = GridCoordinates::corners};
  EXPECT_EQ(positions_of(args), (std::vector<double>{-1, -1, -1, -1, -1, -1, -0.5, 0, 0.5, 1}));
}

TEST(GridPositions, AreShiftedAndStretchedToAReference) {
  const GridPositionsArgs args{
      .height = 1, .width = 4, .offset = 1, .reference_height = 6, .reference_width = 8};
  EXPECT_EQ(positions_of(args), (std::vector<double>{6, 6, 6, 6, 2, 4, 6, 8}));
  GridPositionsArgs width_only = args;
  width_only.reference_height = 0;
  EXPECT_EQ(positions_of(width_only)[0], 1.0);
}

TEST(GridPositions, WhatDoesNotFitIsRefused) {
  std::vector<double> out(12, kUnwritten);
  const auto rejected = [&](const GridPositionsArgs& args, Code code, std::string_view field,
                            const std::string& message) {
    expect_failure(grid_positions(args, out), code, field, message);
    for (const double value : out) EXPECT_EQ(value, double{kUnwritten});
  };
  const auto count = [&](std::string_view field) {
    return "grid_positions: " + std::string(field) + " must be 1 to 16777216, got 0";
  };
  rejected({.height = 0, .width = 3}, Code::value_range, "height", count("height"));
  rejected({.height = 2, .width = 0}, Code::value_range, "width", count("width"));
  rejected({.height = 2, .width = 3, .frames = 0}, Code::value_range, "frames", count("frames"));
  rejected({.height = 2, .width = 3, .merge = 0}, Code::value_range, "merge", count("merge"));
  rejected({.height = 2, .width = 3, .merge = 2}, Code::value_range, "merge",
           "grid_positions: merge must divide height = 2 and width = 3, got 2");
  rejected({.height = 2, .width = 3, .offset = kNaN}, Code::value_range, "offset",
           "grid_positions: offset must be -1125899906842624 to 1125899906842624, got nan");
  rejected({.height = 2, .width = 3, .reference_width = -1}, Code::value_range, "reference_width",
           "grid_positions: reference_width must be 1 to 16777216, got -1");
  rejected({.height = 2, .width = 4}, Code::shape, "out",
           "grid_positions: out must have 2 * frames * height * width = 2 * 1 * 2 * 4 = 16 "
           "elements, got 12");
}

}  // namespace
}  // namespace posenc
