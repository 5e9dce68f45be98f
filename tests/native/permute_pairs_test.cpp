#include "posenc/rotary/permute_pairs.hpp"

#include <string>
#include <vector>

#include "helpers.hpp"

namespace posenc {
namespace {

using namespace tests;

PermutePairsArgs reversed(PermutePairsArgs args) {
  std::swap(args.from, args.to);
  return args;
}

TEST(PermutePairs, RowsOfInterleavedPairsGoToTheHalves) {
  const PermutePairsArgs args{.heads = 2, .head_dim = 6};
  std::vector<std::int32_t> rows(12);
  ASSERT_TRUE(succeeded(permute_pairs_rows(args, rows)));
  EXPECT_EQ(rows, (std::vector<std::int32_t>{0, 2, 4, 1, 3, 5, 6, 8, 10, 7, 9, 11}));
  ASSERT_TRUE(succeeded(permute_pairs_rows(reversed(args), rows)));
  EXPECT_EQ(rows, (std::vector<std::int32_t>{0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11}));
}

TEST(PermutePairs, RowsThatDoNotRotateStay) {
  std::vector<std::int32_t> rows(6);
  ASSERT_TRUE(succeeded(permute_pairs_rows({.head_dim = 6, .rotary_dim = 4}, rows)));
  EXPECT_EQ(rows, (std::vector<std::int32_t>{0, 2, 1, 3, 4, 5}));
}

TEST(PermutePairs, ToTheSameLayoutIsACopy) {
  const std::vector<float> weight = Random().floats(8 * 3);
  std::vector<float> out(weight.size());
  const PermutePairsArgs args{
      .head_dim = 8, .columns = 3, .from = RopeLayout::half, .to = RopeLayout::half};
  ASSERT_TRUE(succeeded(permute_pairs(weight, out, args)));
  EXPECT_TRUE(same_bits(out, weight));
}

TEST(PermutePairs, ThereAndBackIsTheIdentity) {
  for (const std::size_t rotary_dim : {2u, 4u, 66u}) {
    const PermutePairsArgs args{.heads = 3, .head_dim = 70, .rotary_dim = rotary_dim, .columns = 5};
    const std::vector<float> weight = Random().floats(3 * 70 * 5);
    Guarded there(weight.size()), back(weight.size());
    ASSERT_TRUE(succeeded(permute_pairs(weight, there.span(), args)));
    ASSERT_TRUE(succeeded(permute_pairs(there.span(), back.span(), reversed(args))));
    EXPECT_TRUE(same_bits(back.span(), weight));
  }
}

// Kind rope-layout: permuted and rotated in halves is rotated interleaved and permuted.
TEST(PermutePairs, HalfOnPermutedHeadsIsInterleaved) {
  const std::size_t heads = 3, dim = 20, rotary_dim = 12;
  const std::vector<float> x = Random().floats(heads * dim);
  const RotaryArgs args{.heads = heads, .positions = Positions::from(12345, 1)};
  const PermutePairsArgs permute{.heads = heads, .head_dim = dim, .rotary_dim = rotary_dim};
  std::vector<float> interleaved = x, expected(x.size()), half(x.size());
  const Rope from({.head_dim = dim, .rotary_dim = rotary_dim, .layout = RopeLayout::interleaved});
  ASSERT_TRUE(succeeded(from.apply(interleaved, args)));
  ASSERT_TRUE(succeeded(permute_pairs(interleaved, expected, permute)));
  ASSERT_TRUE(succeeded(permute_pairs(x, half, permute)));
  ASSERT_TRUE(succeeded(Rope({.head_dim = dim, .rotary_dim = rotary_dim}).apply(half, args)));
  EXPECT_TRUE(same_bits(half, expected));
}

TEST(PermutePairs, SixteenBitsAreCopiedAsTheyAre) {
  const std::vector<Float16> weight{{0x3c00}, {0x7e01}, {0x8000}, {0x0001}};
  std::vector<Float16> out(4);
  ASSERT_TRUE(succeeded(permute_pairs(weight, out, {.head_dim = 4})));
  const std::uint16_t expected[] = {0x3c00, 0x8000, 0x7e01, 0x0001};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(out[i].bits, expected[i]);
}

TEST(PermutePairs, WhatDoesNotFitIsRefused) {
  Guarded weight(16), out(16);
  const auto rejected = [&](const PermutePairsArgs& args, Code code, std::string_view field,
                            const std::string& message) {
    expect_failure(permute_pairs(weight.span(), out.span(), args), code, field, message);
  };
  rejected({.heads = 0, .head_dim = 4}, Code::value_range, "heads",
           "permute_pairs: heads must be 1 to 16777216, got 0");
  rejected({.head_dim = 0}, Code::value_range, "head_dim",
           "permute_pairs: head_dim must be 1 to 16777216, got 0");
  rejected({.head_dim = 4, .columns = 0}, Code::value_range, "columns",
           "permute_pairs: columns must be 1 to 2147483647, got 0");
  const std::string even = "permute_pairs: rotary_dim must be even and at most head_dim = ";
  rejected({.head_dim = 5}, Code::value_range, "rotary_dim", even + "5, got 5");
  rejected({.head_dim = 4, .rotary_dim = 6}, Code::value_range, "rotary_dim", even + "4, got 6");
  rejected({.head_dim = 4}, Code::shape, "weight",
           "permute_pairs: weight must have heads * head_dim * columns = 1 * 4 * 1 = 4 elements, "
           "got 16");
  expect_failure(permute_pairs(weight.span(), out.span().first(8), {.head_dim = 4, .columns = 4}),
                 Code::shape, "out",
                 "permute_pairs: out must have heads * head_dim * columns = 1 * 4 * 4 = 16 "
                 "elements, got 8");
  expect_failure(permute_pairs(out.span(), out.span(), {.head_dim = 4, .columns = 4}),
                 Code::overlap, "out", "permute_pairs: out must not overlap weight");
  std::vector<std::int32_t> rows(3, -1);
  expect_failure(permute_pairs_rows({.head_dim = 4}, rows), Code::shape, "rows",
                 "permute_pairs: rows must have heads * head_dim = 1 * 4 = 4 elements, got 3");
  EXPECT_EQ(rows, (std::vector<std::int32_t>{-1, -1, -1}));
  EXPECT_TRUE(out.untouched());
}

}  // namespace
}  // namespace posenc
