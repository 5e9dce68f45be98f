// How rotary verbs walk over tensors: orders of axes, strides, batches, parts, and what they leave
// alone.

#include <string>
#include <vector>

#include "helpers.hpp"
#include "posenc/rotary/rope.hpp"

namespace posenc {
namespace {

using namespace tests;

constexpr RopeLayout kLayouts[] = {RopeLayout::half, RopeLayout::interleaved};

std::vector<float> applied(const Rope& rope, std::vector<float> x, const RotaryArgs& args) {
  EXPECT_TRUE(succeeded(rope.apply(x, args)));
  return x;
}

/// Each row of [batch, heads, length, dim] rotated on its own: what every other form must equal.
std::vector<float> row_by_row(const Rope& rope, std::vector<float> x, const RotaryArgs& args,
                              std::size_t length) {
  const std::size_t dim = rope.config().head_dim;
  const bool shared = args.positions.size() == length;
  for (std::size_t row = 0; row < x.size() / dim; ++row) {
    const std::size_t token = row % length, batch = row / (length * args.heads);
    const Positions position = args.positions.slice(shared ? token : batch * length + token, 1);
    EXPECT_TRUE(
        succeeded(rope.apply(std::span(x).subspan(row * dim, dim), {.positions = position})));
  }
  return x;
}

// Kind kv-offset-chunked-prefill: chunks, heads, batches and single tokens give the bits of the
// whole.
TEST(RotaryTensor, RowsRotateAsTheyDoAlone) {
  for (RopeLayout layout : kLayouts) {
    for (std::size_t width : {2u, 6u, 30u, 34u, 128u, 194u}) {
      const Rope rope({.head_dim = width, .layout = layout});
      const RotaryArgs args{.batch = 2, .heads = 3, .positions = Positions::from(-4, 17)};
      const std::vector<float> x = Random(width).floats(2 * 3 * 17 * width);
      EXPECT_TRUE(same_bits(applied(rope, x, args), row_by_row(rope, x, args, 17))) << width;
    }
  }
}

TEST(RotaryTensor, ChunksAreTheBitsOfTheWhole) {
  const Rope rope({.head_dim = 34});
  const std::vector<float> x = Random().floats(10 * 34);
  const std::vector<float> whole = applied(rope, x, {.positions = Positions::from(0, 10)});
  for (std::size_t chunk : {1u, 3u, 4u, 9u}) {
    std::vector<float> parts = x;
    for (std::size_t first = 0; first < 10; first += chunk) {
      const std::size_t count = std::min(chunk, 10 - first);
      ASSERT_TRUE(succeeded(
          rope.apply(std::span(parts).subspan(first * 34, count * 34),
                     {.positions = Positions::from(static_cast<std::int64_t>(first), count)})));
    }
    EXPECT_TRUE(same_bits(parts, whole)) << chunk;
  }
}

// Kind rope-position-shape: positions per sequence, as continuous batching has them.
TEST(RotaryTensor, EverySequenceMayHaveItsOwnPositions) {
  const std::int32_t positions[] = {0, 1, 2, 700, 701, 702, -1, 5, 1 << 20};
  for (RopeLayout layout : kLayouts) {
    const Rope rope({.head_dim = 10, .layout = layout});
    const RotaryArgs args{
        .batch = 3, .heads = 2, .positions = Positions::of(positions), .length = 3};
    const std::vector<float> x = Random().floats(3 * 2 * 3 * 10);
    const std::vector<float> expected = row_by_row(rope, x, args, 3);
    EXPECT_TRUE(same_bits(applied(rope, x, args), expected));

    std::vector<float> cos(9 * 5), sin(9 * 5), rotated = x;
    ASSERT_TRUE(succeeded(rope.angles(args.positions, cos, sin)));
    ASSERT_TRUE(succeeded(rope.rotate(rotated, cos, sin, {.batch = 3, .heads = 2, .length = 3})));
    EXPECT_TRUE(same_bits(rotated, expected));
  }
}

TEST(RotaryTensor, DecodingOneTokenPerSequenceAgrees) {
  const std::int64_t positions[] = {41, 7, 1000003, 0};
  const Rope rope({.head_dim = 80, .rotary_dim = 64});
  RotaryArgs args{.batch = 4, .heads = 5, .positions = Positions::of(positions), .length = 1};
  const std::vector<float> x = Random().floats(4 * 5 * 80);
  const std::vector<float> expected = row_by_row(rope, x, args, 1);
  EXPECT_TRUE(same_bits(applied(rope, x, args), expected));
  args.order = RotaryOrder::length_first;  // the same tensor when length is 1
  EXPECT_TRUE(same_bits(applied(rope, x, args), expected));
}

/// Where row (batch, head, token) of a strided tensor starts.
std::size_t start_of(const RotaryArgs& args, std::size_t batch, std::size_t head,
                     std::size_t token) {
  return batch * args.batch_stride + head * args.head_stride + token * args.length_stride;
}

TEST(RotaryTensor, StridedTensorsEqualContiguousOnesAndGapsStay) {
  const std::size_t dim = 12, batch = 2, heads = 3, length = 5;
  // heads first with gaps; length first; a packed q|k|v; heads outermost
  const std::size_t strides[][3] = {
      {300, 97, 17}, {180, 12, 36}, {540, 12, 108}, {60, 130, 12}, {12, 400, 40}};
  const Rope rope({.head_dim = dim, .rotary_dim = 8});
  const std::vector<float> x = Random().floats(batch * heads * length * dim);
  RotaryArgs args{.batch = batch, .heads = heads, .positions = Positions::from(9, length)};
  const std::vector<float> expected = applied(rope, x, args);
  for (const auto& [batch_stride, head_stride, length_stride] : strides) {
    args.batch_stride = batch_stride;
    args.head_stride = head_stride;
    args.length_stride = length_stride;
    const std::size_t extent = start_of(args, batch - 1, heads - 1, length - 1) + dim;
    Guarded strided(extent), out(extent), in_place(extent), expected_strided(extent);
    for (std::size_t row = 0; row < batch * heads * length; ++row) {
      const std::size_t start =
          start_of(args, row / (heads * length), row / length % heads, row % length);
      for (std::size_t i = 0; i < dim; ++i) {
        strided.span()[start + i] = in_place.span()[start + i] = x[row * dim + i];
        expected_strided.span()[start + i] = expected[row * dim + i];
      }
    }
    ASSERT_TRUE(succeeded(rope.apply(strided.span(), out.span(), args)));
    ASSERT_TRUE(succeeded(rope.apply(in_place.span(), args)));
    EXPECT_TRUE(same_bits(out.span(), expected_strided.span())) << batch_stride;
    EXPECT_TRUE(same_bits(in_place.span(), expected_strided.span())) << batch_stride;
  }
}

TEST(RotaryTensor, LengthFirstIsTheTransposedTensor) {
  const Rope rope({.head_dim = 6, .layout = RopeLayout::interleaved});
  const std::size_t batch = 2, heads = 4, length = 11, dim = 6;
  const std::vector<float> x = Random().floats(batch * heads * length * dim);
  std::vector<float> transposed(x.size()), back(x.size());
  const auto transpose = [&](const std::vector<float>& from, std::vector<float>& to, bool forth) {
    for (std::size_t at = 0; at < from.size(); ++at) {
      const std::size_t i = at % dim, token = at / dim % length, head = at / (dim * length) % heads,
                        b = at / (dim * length * heads);
      const std::size_t other = ((b * length + token) * heads + head) * dim + i;
      forth ? to[other] = from[at] : to[at] = from[other];
    }
  };
  RotaryArgs args{.batch = batch, .heads = heads, .positions = Positions::from(3, length)};
  const std::vector<float> expected = applied(rope, x, args);
  transpose(x, transposed, true);
  args.order = RotaryOrder::length_first;
  transpose(applied(rope, transposed, args), back, false);
  EXPECT_TRUE(same_bits(back, expected));
}

// Kind tail-and-guard: widths that fill no vector, partial rotations, guard words around.
TEST(RotaryTensor, DimsPastRotaryDimAreCopiedBitForBit) {
  for (std::size_t head_dim : {2u, 6u, 10u, 14u, 18u, 66u}) {
    for (std::size_t rotary_dim = 2; rotary_dim <= head_dim; rotary_dim += 4) {
      for (RopeLayout layout : kLayouts) {
        const Rope rope({.head_dim = head_dim, .rotary_dim = rotary_dim, .layout = layout});
        const RotaryArgs args{.heads = 3, .positions = Positions::from(12, 2)};
        const std::vector<float> x = Random().floats(3 * 2 * head_dim);
        Guarded in_place(x, head_dim / 2 % 4), out(x.size(), 1);
        ASSERT_TRUE(succeeded(rope.apply(in_place.span(), args)));
        ASSERT_TRUE(succeeded(rope.apply(x, out.span(), args)));
        EXPECT_TRUE(same_bits(in_place.span(), out.span()));
        for (std::size_t at = 0; at < x.size(); ++at) {
          if (at % head_dim >= rotary_dim) {
            EXPECT_EQ(out.span()[at], x[at]) << head_dim;
          }
        }
      }
    }
  }
}

TEST(RotaryTensor, RotaryDimAlonePicksTheFrequencies) {
  const Rope whole({.head_dim = 32}), partial({.head_dim = 80, .rotary_dim = 32});
  EXPECT_TRUE(std::ranges::equal(whole.inv_freq(), partial.inv_freq()));
  EXPECT_EQ(partial.config().rotary_dim, 32u);
  EXPECT_EQ(whole.config().rotary_dim, 32u) << "0 stands for head_dim";
}

// Kind ntk-length-axis: the length is an argument, whatever the shape of the tensor is.
TEST(RotaryTensor, DynamicNtkTakesTheLengthNotTheNumberOfHeads) {
  const Rope rope({.head_dim = 128, .scaling = DynamicNtk{2, 32768}, .length = 40000});
  // 10000 * (2 * 40000 / 32768 - 1)^(128/126)
  EXPECT_NEAR(rope.scaled_base(), 14497.957419935765674, 1e-9);
  const std::vector<float> row = Random().floats(128);
  std::vector<float> one = row, many;
  for (std::size_t head = 0; head < 32; ++head) many.insert(many.end(), row.begin(), row.end());
  const Positions last = Positions::from(39999, 1);
  ASSERT_TRUE(succeeded(rope.apply(one, {.positions = last})));
  ASSERT_TRUE(succeeded(rope.apply(many, {.heads = 32, .positions = last})));
  for (std::size_t head = 0; head < 32; ++head) {
    EXPECT_TRUE(same_bits(std::span(many).subspan(head * 128, 128), one)) << head;
  }
  std::vector<float> plain = row;
  ASSERT_TRUE(succeeded(Rope({.head_dim = 128}).apply(plain, {.positions = last})));
  EXPECT_FALSE(same_bits(one, plain));
}

// Kind rope-table-width: tables are positions * rotary_dim/2.
TEST(RotaryTensor, NothingToRotateWritesNothing) {
  const Rope rope({.head_dim = 8});
  Guarded x(0), table(0);
  EXPECT_TRUE(succeeded(rope.angles(Positions(), table.span(), table.span())));
  EXPECT_TRUE(succeeded(rope.apply(x.span(), {})));
  EXPECT_TRUE(succeeded(rope.apply(x.span(), {.heads = 0, .positions = Positions::from(0, 3)})));
  EXPECT_TRUE(succeeded(rope.apply(x.span(), {.batch = 0, .positions = Positions::from(0, 3)})));
  EXPECT_TRUE(succeeded(rope.rotate(x.span(), table.span(), table.span(), {})));
  // a call without elements takes no time, however many positions it names
  const std::size_t many = std::size_t{1} << (sizeof(void*) * 6);
  EXPECT_TRUE(succeeded(rope.apply(x.span(), {.heads = 0, .positions = Positions::from(0, many)})));
}

TEST(RotaryTensor, TheFarthestPositionsStillTurnByOneAngle) {
  const Rope rope({.head_dim = 34});
  std::vector<float> x(34, 1.0f);
  ASSERT_TRUE(succeeded(rope.apply(x, {.positions = Positions::from(-kMaxPosition, 1)})));
  for (std::size_t i = 0; i < 17; ++i) {
    EXPECT_NEAR(std::hypot(double{x[i]}, double{x[i + 17]}), std::sqrt(2.0), 0x1p-20);
  }
}

}  // namespace
}  // namespace posenc
