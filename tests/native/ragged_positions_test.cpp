#include "posenc/core/ragged_positions.hpp"

#include <vector>

#include "helpers.hpp"
#include "posenc/rotary/rope.hpp"

namespace posenc {
namespace {

using namespace tests;
using Ids = std::vector<std::int64_t>;

TEST(RaggedPositions, CountFromTheOffsetOfTheSequence) {
  Ids out(6);
  ASSERT_TRUE(succeeded(offset_positions(Ids{0, 10, -3}, out)));
  EXPECT_EQ(out, (Ids{0, 1, 10, 11, -3, -2}));
}

TEST(RaggedPositions, OfPackedSequencesStartAgainAtEach) {
  Ids out(5);
  const std::vector<std::int32_t> starts{0, 3, 3, 5};
  ASSERT_TRUE(succeeded(packed_positions(Ids{1, 50, 7}, starts, out)));
  EXPECT_EQ(out, (Ids{1, 2, 3, 7, 8}));
  ASSERT_TRUE(succeeded(packed_positions({}, Ids{0, 2, 5}, out)));
  EXPECT_EQ(out, (Ids{0, 1, 0, 1, 2}));
}

TEST(RaggedPositions, OfNoSequencesAreNone) {
  EXPECT_TRUE(succeeded(offset_positions({}, {})));
  EXPECT_TRUE(succeeded(packed_positions({}, Ids{0}, {})));
  EXPECT_TRUE(succeeded(offset_positions(Ids{4, 5}, {})));
}

// Kind kv-offset-chunked-prefill: what a batch of chats gives is what each gives alone.
TEST(RaggedPositions, ABatchGivesTheBitsOfEachSequenceAlone) {
  const Rope rope({.head_dim = 16});
  const std::vector<float> x = Random().floats(2 * 3 * 16);
  const Ids offsets{9, 4095};
  Ids positions(6);
  ASSERT_TRUE(succeeded(offset_positions(offsets, positions)));
  std::vector<float> all = x;
  ASSERT_TRUE(
      succeeded(rope.apply(all, {.batch = 2, .positions = Positions::of(positions), .length = 3})));
  for (std::size_t sequence = 0; sequence < 2; ++sequence) {
    const auto first = x.begin() + static_cast<std::ptrdiff_t>(sequence * 48);
    std::vector<float> one(first, first + 48);
    ASSERT_TRUE(succeeded(rope.apply(one, {.positions = Positions::from(offsets[sequence], 3)})));
    EXPECT_TRUE(same_bits(std::span(all).subspan(sequence * 48, 48), one));
  }
}

TEST(RaggedPositions, WhatDoesNotFitIsRefused) {
  Ids out(5, -7);
  expect_failure(offset_positions(Ids{0, 1}, out), Code::shape, "out",
                 "offset_positions: out must have batch * tokens = 2 * 2 = 4 elements, got 5");
  expect_failure(offset_positions({}, out), Code::shape, "out",
                 "offset_positions: out must have batch * tokens = 0 * 0 = 0 elements, got 5");
  expect_failure(offset_positions(Ids{(std::int64_t{1} << 50) - 4}, out), Code::position_range,
                 "offsets",
                 "offset_positions: offsets must keep positions within 2^50, got 1125899906842620");
  expect_failure(packed_positions({}, Ids{}, out), Code::shape, "starts",
                 "packed_positions: starts must have batch + 1 elements, got 0");
  expect_failure(packed_positions(Ids{0}, Ids{0, 2, 5}, out), Code::shape, "offsets",
                 "packed_positions: offsets must have batch = 2 = 2 elements, got 1");
  expect_failure(packed_positions({}, Ids{1, 5}, out), Code::value_range, "starts",
                 "packed_positions: starts must begin at 0 and not decrease, got 1 at 0");
  expect_failure(packed_positions({}, Ids{0, 6, 5}, out), Code::value_range, "starts",
                 "packed_positions: starts must begin at 0 and not decrease, got 5 at 2");
  expect_failure(packed_positions({}, Ids{0, 4}, out), Code::shape, "out",
                 "packed_positions: out must have starts[batch] = 4 = 4 elements, got 5");
  EXPECT_EQ(out, Ids(5, -7));
}

TEST(Positions, ShardsAreThePartsInOrder) {
  for (const std::size_t size : {0u, 1u, 5u, 12u}) {
    for (const std::size_t count : {1u, 3u, 8u}) {
      std::size_t next = 0;
      for (std::size_t i = 0; i < count; ++i) {
        const Positions part = Positions::from(100, size).shard(i, count);
        EXPECT_LE(part.size(), size / count + 1);
        for (std::size_t at = 0; at < part.size(); ++at) {
          EXPECT_EQ(part[at], 100.0 + static_cast<double>(next++));
        }
      }
      EXPECT_EQ(next, size);
    }
  }
}

}  // namespace
}  // namespace posenc
