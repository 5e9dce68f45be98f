// What the verbs of rope have in common with each other: q and k in one call, gradients, chunks.

#include <algorithm>
#include <vector>

#include "allocations.hpp"
#include "helpers.hpp"
#include "posenc/rotary/rope.hpp"

namespace posenc {
namespace {

using namespace tests;

/// A config of every kind of table: plain, scaled, float32 angles, several axes, heads of their own
/// and xPos.
std::vector<RopeConfig> configs() {
  const Yarn yarn{.factor = 16, .original_max_position_embeddings = 4096};
  CustomFrequencies mixed{.axes = 2, .frequency_heads = 2, .attention_factor = 1.5};
  for (int i = 0; i < 4 * 35; ++i) mixed.inv_freq.push_back(0.01 * i - 0.7);
  return {
      {.head_dim = 70},
      {.head_dim = 82,
       .rotary_dim = 70,
       .rotary_start = 6,
       .layout = RopeLayout::interleaved,
       .scaling = yarn},
      {.head_dim = 70, .scaling = Linear{4}, .angles = Angles::float32},
      {.head_dim = 70, .axes = Mrope{{11, 12, 12}, true}},
      {.head_dim = 70, .scaling = mixed},
      {.head_dim = 70, .xpos = Xpos{}},
  };
}

/// Positions of a rope for `rows` tokens, different on every axis.
std::vector<double> positions_for(const Rope& rope, std::size_t rows) {
  std::vector<double> positions(rope.axis_count() * rows);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    positions[i] = static_cast<double>(i % rows + 1000 * (i / rows)) + 0.25;
  }
  return positions;
}

TEST(RopeVerbs, QAndKInOneCallAreTwoCalls) {
  for (const RopeConfig& config : configs()) {
    const Rope rope(config);
    const std::size_t heads = 2, kv_heads = rope.frequency_heads();
    const std::vector<double> positions = positions_for(rope, 11);
    for (const RotaryOrder order : {RotaryOrder::heads_first, RotaryOrder::length_first}) {
      RotaryArgs args{
          .batch = 3, .heads = heads, .positions = Positions::of(positions), .length = 11};
      args.order = order;
      const std::vector<float> q = Random(1).floats(3 * heads * 11 * config.head_dim);
      const std::vector<float> k = Random(2).floats(3 * kv_heads * 11 * config.head_dim);
      std::vector<float> q1 = q, k1 = k;
      Guarded q2(q), k2(k);
      ASSERT_TRUE(succeeded(rope.apply(q2.span(), k2.span(), args, kv_heads)));
      ASSERT_TRUE(succeeded(rope.apply(q1, args)));
      args.heads = kv_heads;
      args.side = RotarySide::key;
      ASSERT_TRUE(succeeded(rope.apply(k1, args)));
      EXPECT_TRUE(same_bits(q2.span(), q1));
      EXPECT_TRUE(same_bits(k2.span(), k1));
    }
  }
}

TEST(RopeVerbs, QAndKInOneCallAreCheckedBothBeforeAnythingIsWritten) {
  const Rope rope({.head_dim = 8});
  Guarded q(4 * 2 * 8), k(2 * 2 * 8);
  const RotaryArgs args{.heads = 4, .positions = Positions::from(0, 2)};
  expect_failure(rope.apply(q.span(), k.span(), args, 1), Code::shape, "x",
                 "rope: x must have batch * heads * length * head_dim = 1 * 1 * 2 * 8 = 16 "
                 "elements, got 32");
  expect_failure(rope.apply(q.span(), q.span(), args, 4), Code::overlap, "k",
                 "rope: k must not overlap q");
  RotaryArgs strided = args;
  strided.head_stride = 16;
  expect_failure(rope.apply(q.span(), k.span(), strided, 2), Code::value_range, "head_stride",
                 "rope: strides must be left out to rotate q and k in one call");
  EXPECT_TRUE(q.untouched());
  EXPECT_TRUE(k.untouched());
}

double dot(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += double{a[i]} * double{b[i]};
  return sum;
}

// backward is the transpose: apply(x) . g == x . backward(g).
TEST(RopeVerbs, BackwardIsTheTransposeOfApply) {
  for (const RopeConfig& config : configs()) {
    for (const RotarySide side : {RotarySide::query, RotarySide::key}) {
      const Rope rope(config);
      const std::vector<double> positions = positions_for(rope, 5);
      const RotaryArgs args{
          .heads = 2, .positions = Positions::of(positions), .length = 5, .side = side};
      const std::vector<float> x = Random(1).floats(10 * config.head_dim);
      const std::vector<float> g = Random(2).floats(10 * config.head_dim);
      std::vector<float> y = x, back = g;
      ASSERT_TRUE(succeeded(rope.apply(y, args)));
      ASSERT_TRUE(succeeded(rope.backward(back, args)));
      // both sums of 10 * head_dim products of values up to 6, each within 2^-22 of them
      EXPECT_NEAR(dot(y, g), dot(x, back),
                  0x1p-22 * 36 * 10 * static_cast<double>(config.head_dim));
    }
  }
}

// apply is linear, so central differences of any step are exact but for rounding.
TEST(RopeVerbs, BackwardIsWhatCentralDifferencesGive) {
  const RopeConfig config{
      .head_dim = 12, .rotary_dim = 8, .rotary_start = 2, .scaling = Yarn{16, 4096}};
  const Rope rope(config);
  const RotaryArgs args{.positions = Positions::from(77, 2)};
  const std::vector<float> x = Random(1).floats(24), g = Random(2).floats(24);
  std::vector<float> back = g;
  ASSERT_TRUE(succeeded(rope.backward(back, args)));
  for (std::size_t i = 0; i < x.size(); ++i) {
    std::vector<float> above = x, below = x;
    above[i] += 0.5f;
    below[i] -= 0.5f;
    ASSERT_TRUE(succeeded(rope.apply(above, args)));
    ASSERT_TRUE(succeeded(rope.apply(below, args)));
    EXPECT_NEAR(back[i], dot(above, g) - dot(below, g), 2e-5) << i;
  }
}

TEST(RopeVerbs, UnapplyUndoesTheAttentionFactorToo) {
  for (const RopeConfig& config : configs()) {
    const Rope rope(config);
    const std::vector<double> positions = positions_for(rope, 5);
    const RotaryArgs args{.heads = 2, .positions = Positions::of(positions), .length = 5};
    const std::vector<float> x = Random().floats(10 * config.head_dim, -1, 1);
    std::vector<float> y = x;
    ASSERT_TRUE(succeeded(rope.apply(y, args)));
    ASSERT_TRUE(succeeded(rope.unapply(y, args)));
    // two rotations, each within 4 * 2^-24 of |a| + |b| <= 2; xPos at position 4 changes sizes by
    // less than 1 %
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(y[i], x[i], 17 * 0x1p-24) << i;
  }
}

// Kind kv-offset-chunked-prefill.
TEST(RopeVerbs, ChunksGiveTheBitsOfTheWhole) {
  for (const RopeConfig& config : configs()) {
    const Rope rope(config);
    const std::size_t heads = 2, dim = config.head_dim, axes = rope.axis_count();
    const std::vector<double> positions = positions_for(rope, 23);
    const std::vector<float> x = Random().floats(23 * heads * dim);
    RotaryArgs args{.heads = heads, .positions = Positions::of(positions)};
    args.order = RotaryOrder::length_first;
    std::vector<float> whole = x, parts = x, from_tables = x;
    ASSERT_TRUE(succeeded(rope.apply(whole, args)));
    for (std::size_t shard = 0; shard < 4; ++shard) {
      const Positions part = Positions::from(0, 23).shard(shard, 4);
      const auto first = static_cast<std::size_t>(part[0]);
      std::vector<double> own;
      for (std::size_t axis = 0; axis < axes; ++axis) {
        for (std::size_t i = 0; i < part.size(); ++i)
          own.push_back(positions[axis * 23 + first + i]);
      }
      args.positions = Positions::of(own);
      const std::span<float> rows =
          std::span(parts).subspan(first * heads * dim, part.size() * heads * dim);
      ASSERT_TRUE(succeeded(rope.apply(rows, args)));
    }
    EXPECT_TRUE(same_bits(parts, whole));
  }
}

TEST(RopeVerbs, TablesAndRotateGiveTheBitsOfApply) {
  for (const RopeConfig& config : configs()) {
    const Rope rope(config);
    if (config.xpos.has_value() || rope.frequency_heads() > 1) continue;
    const std::vector<double> positions = positions_for(rope, 9);
    const std::vector<float> x = Random().floats(9 * config.head_dim);
    std::vector<float> y = x, z = x, cos(9 * 35), sin(9 * 35);
    ASSERT_TRUE(succeeded(rope.apply(y, {.positions = Positions::of(positions)})));
    ASSERT_TRUE(succeeded(rope.angles(Positions::of(positions), cos, sin)));
    ASSERT_TRUE(succeeded(rope.rotate(z, cos, sin, {})));
    EXPECT_TRUE(same_bits(z, y));
  }
}

TEST(RopeVerbs, AllocateNothing) {
  for (const RopeConfig& config : configs()) {
    const Rope rope(config);
    const std::vector<double> positions = positions_for(rope, 9);
    const RotaryArgs args{.heads = 2, .positions = Positions::of(positions), .length = 9};
    std::vector<float> x(2 * 9 * config.head_dim);
    std::vector<Bfloat16> y(x.size());
    const std::size_t before = allocations();
    bool ok = rope.apply(x, args).ok() && rope.unapply(x, args).ok() && rope.backward(x, args).ok();
    ok = ok && rope.apply(x, y, args).ok();
    EXPECT_EQ(allocations(), before);
    EXPECT_TRUE(ok);
  }
}

}  // namespace
}  // namespace posenc
