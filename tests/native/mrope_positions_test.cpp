#include "posenc/core/mrope_positions.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "helpers.hpp"

namespace posenc {
namespace {

using namespace tests;

constexpr std::int32_t kImage = 103, kVideo = 104, kText = 7;

using Ids = std::vector<std::int32_t>;
using Values = std::vector<std::int64_t>;

MropePositionsArgs args_of(std::size_t batch = 1, std::int32_t merge = 2) {
  return {.batch = batch,
          .image_token_id = kImage,
          .video_token_id = kVideo,
          .spatial_merge_size = merge};
}

struct Result {
  Values positions, delta;
};

Result positions_of(const Ids& ids, const Values& images, const Values& videos = {},
                    const std::vector<std::uint8_t>& mask = {}, std::size_t batch = 1,
                    std::int32_t merge = 2) {
  Result result{Values(3 * ids.size()), Values(batch)};
  EXPECT_TRUE(succeeded(mrope_positions(args_of(batch, merge), ids, mask, images, videos,
                                        result.positions, result.delta)));
  return result;
}

TEST(MropePositions, OfTextAdvanceAllAxes) {
  const Result result = positions_of({kText, kText, kText}, {});
  EXPECT_EQ(result.positions, (Values{0, 1, 2, 0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(result.delta, (Values{0}));
}

// Kind mrope-positions-and-delta.
TEST(MropePositions, OfAnImageAreItsGridAndTextFollowsTheLargest) {
  const Ids ids{kText, kText, kText, kImage, kImage, kImage, kImage, kText, kText};
  const Result result = positions_of(ids, {1, 4, 4});
  EXPECT_EQ(result.positions, (Values{0, 1, 2, 3, 3, 3, 3, 5, 6,  //
                                      0, 1, 2, 3, 3, 4, 4, 5, 6,  //
                                      0, 1, 2, 3, 4, 3, 4, 5, 6}));
  EXPECT_EQ(result.delta, (Values{-2}));
}

// The same kind: decoding goes on at the length of the whole prompt plus delta, on every axis.
TEST(MropePositions, DecodingGoesOnAtTheLengthPlusDelta) {
  Ids ids{kText, kText, kText, kImage, kImage, kImage, kImage, kText, kText};
  const Values grid{1, 4, 4};
  EXPECT_EQ(std::ssize(ids) + positions_of(ids, grid).delta[0], 7);
  for (std::int64_t next = 7; next < 12; ++next) {
    const Values delta = positions_of(ids, grid).delta;
    EXPECT_EQ(delta, (Values{-2})) << "text does not change it";
    EXPECT_EQ(std::ssize(ids) + delta[0], next);
    ids.push_back(kText);
    const Values positions = positions_of(ids, grid).positions;
    for (std::size_t axis = 1; axis <= 3; ++axis) {
      EXPECT_EQ(positions[axis * ids.size() - 1], next) << axis;
    }
  }
}

TEST(MropePositions, OfAVideoAdvanceInTime) {
  const Result result = positions_of({kText, kVideo, kVideo, kVideo, kText}, {}, {3, 2, 2});
  EXPECT_EQ(result.positions, (Values{0, 1, 2, 3, 4, 0, 1, 1, 1, 4, 0, 1, 1, 1, 4}));
}

TEST(MropePositions, OfAdjacentImagesFollowEachOther) {
  const Result result = positions_of({kImage, kImage, kImage}, {1, 2, 2, 1, 4, 2});
  EXPECT_EQ(result.positions, (Values{0, 1, 1, 0, 1, 2, 0, 1, 1}));
  EXPECT_EQ(result.delta, (Values{0}));
}

TEST(MropePositions, GridsAreInOrderOfAppearanceOverTheBatch) {
  const Ids ids{0, 0, kImage, kText, kImage, kImage, kText, kText};
  const std::vector<std::uint8_t> mask{0, 0, 1, 1, 1, 1, 1, 1};
  const Result result = positions_of(ids, {1, 1, 1, 1, 1, 2}, {}, mask, 2, 1);
  EXPECT_EQ(result.positions, (Values{1, 1, 0, 1, 0, 0, 2, 3,  //
                                      1, 1, 0, 1, 0, 0, 2, 3,  //
                                      1, 1, 0, 1, 0, 1, 2, 3}));
  EXPECT_EQ(result.delta, (Values{-2, 0}));
}

TEST(MropePositions, MaskedTokensInsideAnImageTakeNoPart) {
  const std::vector<std::uint8_t> mask{1, 0, 1, 1};
  const Result result = positions_of({kImage, kText, kImage, kText}, {1, 1, 2}, {}, mask, 1, 1);
  EXPECT_EQ(result.positions, (Values{0, 1, 0, 2, 0, 1, 0, 2, 0, 1, 1, 2}));
}

TEST(MropePositions, WhatDoesNotFitIsRefused) {
  const Ids ids{kText, kImage, kImage, kText};
  Values positions(12, -7), delta(1, -7);
  const auto rejected = [&](const MropePositionsArgs& args, const Values& images,
                            const Values& videos, Code code, std::string_view field,
                            const std::string& message) {
    const Status status = mrope_positions(args, ids, {}, images, videos, positions, delta);
    expect_failure(status, code, field, message);
    EXPECT_TRUE(std::ranges::all_of(positions, [](auto value) { return value == -7; }));
    EXPECT_EQ(delta[0], -7);
  };
  const MropePositionsArgs one = args_of(1, 1);
  rejected(one, {}, {}, Code::shape, "image_grids",
           "mrope_positions: image_grids must have a grid for every image of the ids");
  rejected(one, {1, 2, 2}, {}, Code::shape, "image_grids",
           "mrope_positions: image_grids must fit the ids: grid 0 has 2 tokens more than the ids "
           "show");
  rejected(one, {1, 1, 2, 1, 1, 1}, {}, Code::shape, "image_grids",
           "mrope_positions: image_grids must have as many grids as the ids show, got more");
  rejected(one, {1, 1, 2}, {1, 1, 1}, Code::shape, "video_grids",
           "mrope_positions: video_grids must have as many grids as the ids show, got more");
  rejected(one, {1, 1}, {}, Code::shape, "image_grids",
           "mrope_positions: image_grids must have count * 3 = 0 * 3 = 0 elements, got 2");
  const std::string grid =
      "mrope_positions: image_grids must be positive, height and width divisible by "
      "spatial_merge_size = ";
  rejected(one, {1, 0, 2}, {}, Code::value_range, "image_grids", grid + "1, got 0");
  rejected(args_of(1, 2), {1, 3, 2}, {}, Code::value_range, "image_grids", grid + "2, got 3");
  rejected(args_of(1, 0), {1, 1, 2}, {}, Code::value_range, "spatial_merge_size",
           "mrope_positions: spatial_merge_size must be 1 to 64, got 0");
  rejected(args_of(0, 1), {1, 1, 2}, {}, Code::value_range, "batch",
           "mrope_positions: batch must be 1 to 16777216, got 0");
  rejected(args_of(3, 1), {1, 1, 2}, {}, Code::shape, "input_ids",
           "mrope_positions: input_ids must have batch * length = 3 * 1 = 3 elements, got 4");
  const std::vector<std::uint8_t> mask(3, 1);
  expect_failure(mrope_positions(one, ids, mask, {}, {}, positions, delta), Code::shape,
                 "attention_mask",
                 "mrope_positions: attention_mask must have batch * length = 1 * 4 = 4 elements, "
                 "got 3");
  expect_failure(mrope_positions(one, ids, {}, {}, {}, std::span(positions).first(4), delta),
                 Code::shape, "positions",
                 "mrope_positions: positions must have 3 * batch * length = 3 * 1 * 4 = 12 "
                 "elements, got 4");
  expect_failure(mrope_positions(one, ids, {}, {}, {}, positions, {}), Code::shape, "delta",
                 "mrope_positions: delta must have batch = 1 = 1 elements, got 0");
}

}  // namespace
}  // namespace posenc
