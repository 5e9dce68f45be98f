#include "posenc/core/position_ids.hpp"

#include <vector>

#include "helpers.hpp"

namespace posenc {
namespace {

using namespace tests;

using Mask = std::vector<std::uint8_t>;
using Wide = std::vector<std::int64_t>;
using Narrow = std::vector<std::int32_t>;

// Kind roberta-positions.
TEST(PositionIds, OfRobertaSkipPadding) {
  const Narrow ids{0, 31, 32, 2, 1, 1};
  Narrow out(6);
  ASSERT_TRUE(succeeded(roberta_positions(ids, 1, 1, 0, out)));
  EXPECT_EQ(out, (Narrow{2, 3, 4, 5, 1, 1}));
}

TEST(PositionIds, OfRobertaGoOnAfterThePast) {
  const Wide ids{7, 1, 8, 1, 1, 9};
  Wide out(6);
  ASSERT_TRUE(succeeded(roberta_positions(ids, 2, 1, 2, out)));
  EXPECT_EQ(out, (Wide{4, 1, 5, 1, 1, 4}));
}

TEST(PositionIds, OfOptAreRowsOfItsTable) {
  const Mask mask{0, 0, 1, 1, 1, 1, 1, 1};
  Wide all(8), rest(4);
  ASSERT_TRUE(succeeded(opt_positions(mask, 2, 0, 2, all)));
  EXPECT_EQ(all, (Wide{1, 1, 2, 3, 2, 3, 4, 5}));
  ASSERT_TRUE(succeeded(opt_positions(mask, 2, 2, 2, rest)));
  EXPECT_EQ(rest, (Wide{2, 3, 4, 5}));
}

// Kind positions-left-padding.
TEST(PositionIds, LeftPaddingDoesNotMoveTheRealTokens) {
  const Mask mask{0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1};
  Narrow out(15), next(3);
  ASSERT_TRUE(succeeded(left_padding_positions(mask, 3, 1, out)));
  EXPECT_EQ(out, (Narrow{1, 1, 0, 1, 2, 0, 1, 2, 3, 4, 1, 1, 1, 1, 0}));
  ASSERT_TRUE(succeeded(next_positions(mask, next)));
  EXPECT_EQ(next, (Narrow{3, 5, 1}));
}

TEST(PositionIds, OfMasksTakeAnyByteForAToken) {
  const Mask mask{0, 255, 2};
  Wide out(3);
  ASSERT_TRUE(succeeded(left_padding_positions(mask, 1, 0, out)));
  EXPECT_EQ(out, (Wide{0, 0, 1}));
}

TEST(PositionIds, OfNoTokensAreNone) {
  Wide out, next(2, 7);
  EXPECT_TRUE(succeeded(left_padding_positions(Mask(), 3, 1, out)));
  EXPECT_TRUE(succeeded(next_positions(Mask(), next)));
  EXPECT_EQ(next, (Wide{0, 0}));
}

TEST(PositionIds, WrongCallsWriteNothing) {
  const Mask mask(6, 1);
  const Narrow ids(6, 3);
  Narrow out(6, -9);
  expect_failure(left_padding_positions(mask, 0, 1, out), Code::value_range, "batch",
                 "left_padding_positions: batch must be 1 to 16777216, got 0");
  expect_failure(left_padding_positions(mask, 4, 1, out), Code::shape, "mask",
                 "left_padding_positions: mask must have batch * tokens = 4 * 1 = 4 elements, got "
                 "6");
  expect_failure(opt_positions(mask, 2, 4, 2, out), Code::value_range, "past_length",
                 "opt_positions: past_length must be 0 to the mask's 3 tokens, got 4");
  expect_failure(opt_positions(mask, 2, 1, 0, out), Code::shape, "out",
                 "opt_positions: out must have batch * tokens = 2 * 2 = 4 elements, got 6");
  expect_failure(opt_positions(mask, 2, 0, 0, out), Code::value_range, "offset",
                 "opt_positions: offset must be at least 1, got 0");
  expect_failure(roberta_positions(ids, 2, -1, 0, out), Code::value_range, "padding_id",
                 "roberta_positions: padding_id must be 0 to 2147483647 less the tokens of a "
                 "sequence, got -1");
  expect_failure(roberta_positions(ids, 2, 1, 2147483644, out), Code::value_range, "past_length",
                 "roberta_positions: past_length must be 0 to 2147483647 less the tokens of a "
                 "sequence, got 2147483645");
  EXPECT_EQ(next_positions(mask, std::span(out).first(4)).code(), Code::shape);
  EXPECT_EQ(out, Narrow(6, -9));
}

}  // namespace
}  // namespace posenc
