// What rope refuses: the code, the field, the whole message, and that nothing is written.

#include <string>
#include <vector>

#include "helpers.hpp"
#include "posenc/rotary/rope.hpp"

namespace posenc {
namespace {

using namespace tests;

constexpr std::size_t kHuge = std::size_t{1} << (sizeof(void*) * 8 - 12);
const std::string kPositions =
    "rope: positions must be finite and at most 1125899906842624 in magnitude, got ";

TEST(RopeRejection, ConfigsOutsideTheirRange) {
  const auto rejected = [](const RopeConfig& config, std::string_view field,
                           const std::string& message) {
    expect_failure(check(config), Code::value_range, field, message);
    expect_failure(make(config).status(), Code::value_range, field, message);
    EXPECT_THROW(Rope{config}, Error);
  };
  rejected({}, "head_dim", "rope: head_dim must be 1 to 16777216, got 0");
  rejected({.head_dim = 63}, "head_dim", "rope: head_dim must be even, got 63");
  rejected({.head_dim = 16777218}, "head_dim",
           "rope: head_dim must be 1 to 16777216, got 16777218");
  const std::string rotary_dim = "rope: rotary_dim must be even and at most head_dim = 64, got ";
  rejected({.head_dim = 64, .rotary_dim = 33}, "rotary_dim", rotary_dim + "33");
  rejected({.head_dim = 64, .rotary_dim = 66}, "rotary_dim", rotary_dim + "66");
  const std::string base = "rope: base must be 1 to 1e+30, got ";
  rejected({.head_dim = 64, .base = 0}, "base", base + "0");
  rejected({.head_dim = 64, .base = -10000}, "base", base + "-10000");
  rejected({.head_dim = 64, .base = kNaN}, "base", base + "nan");
  rejected({.head_dim = 64, .base = double{kInfinity}}, "base", base + "inf");
  const auto scaled = [](double factor) {
    return RopeConfig{.head_dim = 64, .scaling = Linear{.factor = factor}};
  };
  const std::string factor = "rope: scaling.factor must be 1e-30 to 1e+30, got ";
  rejected(scaled(0), "scaling.factor", factor + "0");
  rejected(scaled(-4), "scaling.factor", factor + "-4");
  rejected(scaled(-kNaN), "scaling.factor", factor + "nan");
  EXPECT_TRUE(succeeded(check({.head_dim = 2, .base = 1})));
}

TEST(RopeRejection, AnglesOfWrongShapeOrPlace) {
  const Rope rope({.head_dim = 8});
  Guarded cos(12), sin(12);
  const Positions three = Positions::from(0, 3);
  const std::string shape =
      " must have frequency_heads * rows * rotary_dim/2 = 1 * 3 * 4 = 12 elements, got ";
  expect_failure(rope.angles(three, cos.span().first(11), sin.span()), Code::shape, "cos",
                 "rope: cos" + shape + "11");
  expect_failure(rope.angles(three, cos.span(), sin.span().first(8)), Code::shape, "sin",
                 "rope: sin" + shape + "8");
  expect_failure(rope.angles(three, cos.span(), cos.span()), Code::overlap, "cos",
                 "rope: cos must not overlap sin");
  Guarded both(23);
  expect_failure(rope.angles(three, both.span().first(12), both.span().last(12)), Code::overlap,
                 "cos", "rope: cos must not overlap sin");
  const double bad[] = {1, kNaN, 3};
  expect_failure(rope.angles(Positions::of(bad), cos.span(), sin.span()), Code::position_range,
                 "positions", kPositions + "nan");
  expect_failure(rope.angles(Positions::from(kMaxPosition - 1, 3), cos.span(), sin.span()),
                 Code::position_range, "positions", kPositions + "1125899906842625");
  expect_failure(rope.angles(Positions::from(0, kHuge * 256), cos.span(), sin.span()),
                 Code::size_limit, "cos", too_many("rope: cos"));
  EXPECT_TRUE(cos.untouched() && sin.untouched() && both.untouched());
  EXPECT_TRUE(succeeded(rope.angles(three, cos.span(), sin.span())));
}

TEST(RopeRejection, FrequenciesAboveOneTakeNearerPositions) {
  const Rope rope({.head_dim = 2, .scaling = Linear{.factor = 0.25}});
  std::vector<float> cos(1), sin(1);
  EXPECT_TRUE(succeeded(rope.angles(Positions::from(kMaxPosition / 4, 1), cos, sin)));
  expect_failure(rope.angles(Positions::from(kMaxPosition / 4 + 1, 1), cos, sin),
                 Code::position_range, "positions",
                 "rope: positions must be finite and at most 281474976710656 in magnitude, got "
                 "281474976710657");
}

TEST(RopeRejection, ApplyOfWrongShapes) {
  const Rope rope({.head_dim = 4});
  Guarded x(48);
  const auto apply = [&](std::size_t size, const RotaryArgs& args) {
    return rope.apply(x.span().first(size), args);
  };
  RotaryArgs args{.batch = 2, .heads = 3, .positions = Positions::from(0, 2)};
  const std::string shape =
      " must have batch * heads * length * head_dim = 2 * 3 * 2 * 4 = 48 elements, got ";
  expect_failure(apply(47, args), Code::shape, "x", "rope: x" + shape + "47");
  Guarded out(44);
  expect_failure(rope.apply(x.span(), out.span(), args), Code::shape, "out",
                 "rope: out" + shape + "44");
  expect_failure(rope.unapply(x.span(), out.span(), args), Code::shape, "out",
                 "rope: out" + shape + "44");
  args.positions = Positions::from(0, 3);
  args.length = 2;
  expect_failure(apply(48, args), Code::shape, "positions",
                 "rope: positions must have length = 2 rows, or batch * length = 4, got 3");
  expect_failure(apply(0, {.heads = kHuge, .positions = Positions::from(0, kHuge)}),
                 Code::size_limit, "x", too_many("rope: x"));
  EXPECT_TRUE(x.untouched() && out.untouched());
  EXPECT_TRUE(succeeded(apply(48, {.batch = 2, .heads = 3, .positions = Positions::from(0, 2)})));
}

TEST(RopeRejection, PositionsOutOfRange) {
  const Rope rope({.head_dim = 4});
  Guarded x(8);
  const double bad[] = {0, double{-kInfinity}};
  expect_failure(rope.apply(x.span(), {.positions = Positions::of(bad)}), Code::position_range,
                 "positions", kPositions + "-inf");
  expect_failure(rope.unapply(x.span(), {.positions = Positions::from(-kMaxPosition - 1, 2)}),
                 Code::position_range, "positions", kPositions + "-1125899906842625");
  EXPECT_TRUE(x.untouched());
}

TEST(RopeRejection, BuffersThatOverlapUnlessTheyAreTheSame) {
  const Rope rope({.head_dim = 4, .rotary_dim = 2});
  const std::string message = "rope: out must not overlap x, unless they are the same memory";
  const RotaryArgs args{.positions = Positions::from(0, 4)};
  Guarded memory(17), cos(4), sin(4);
  const std::span<float> first = memory.span().first(16), second = memory.span().last(16);
  expect_failure(rope.apply(first, second, args), Code::overlap, "out", message);
  expect_failure(rope.apply(second, first, args), Code::overlap, "out", message);
  expect_failure(rope.rotate(first, second, cos.span(), sin.span(), {}), Code::overlap, "out",
                 message);
  EXPECT_TRUE(memory.untouched());
  EXPECT_TRUE(succeeded(rope.apply(first, first, args)));
}

TEST(RopeRejection, TablesOfWrongShapeOrPlace) {
  const Rope rope({.head_dim = 4});
  Guarded x(16), cos(10), sin(10);
  const auto rotate = [&](std::size_t cos_size, std::size_t sin_size, const RotaryArgs& args) {
    return rope.rotate(x.span(), cos.span().first(cos_size), sin.span().first(sin_size), args);
  };
  expect_failure(rotate(8, 7, {}), Code::shape, "sin",
                 "rope: sin must have rows * rotary_dim/2 = 4 * 2 = 8 elements, got 7");
  expect_failure(rotate(9, 9, {}), Code::shape, "cos",
                 "rope: cos must have rows * rotary_dim/2 = 4 * 2 = 8 elements, got 9");
  expect_failure(rotate(6, 6, {.length = 4}), Code::shape, "cos",
                 "rope: cos must have length = 4 rows, or batch * length = 4, got 3");
  expect_failure(rotate(10, 10, {}), Code::shape, "x",
                 "rope: x must have batch * heads * length * head_dim = 1 * 1 * 5 * 4 = 20 "
                 "elements, got 16");
  expect_failure(rope.rotate(x.span(), x.span().first(8), sin.span().first(8), {}), Code::overlap,
                 "cos", "rope: cos must not overlap the output");
  expect_failure(rope.rotate(x.span(), cos.span().first(8), x.span().last(8), {}), Code::overlap,
                 "sin", "rope: sin must not overlap the output");
  EXPECT_TRUE(x.untouched());
  EXPECT_TRUE(succeeded(rotate(8, 8, {})));
}

TEST(RopeRejection, StridesThatLetRowsOverlapOrLeaveTheBuffer) {
  const Rope rope({.head_dim = 4});
  Guarded x(60);
  const auto apply = [&](std::size_t size, std::size_t batch_stride, std::size_t head_stride,
                         std::size_t length_stride) {
    return rope.apply(x.span().first(size), {.batch = 2,
                                             .heads = 2,
                                             .positions = Positions::from(0, 3),
                                             .batch_stride = batch_stride,
                                             .head_stride = head_stride,
                                             .length_stride = length_stride});
  };
  expect_failure(apply(60, 30, 15, 3), Code::value_range, "length_stride",
                 "rope: length_stride must be at least 4 so that rows do not overlap, got 3");
  expect_failure(apply(60, 30, 13, 5), Code::value_range, "head_stride",
                 "rope: head_stride must be at least 14 so that rows do not overlap, got 13");
  expect_failure(apply(60, 28, 15, 5), Code::value_range, "batch_stride",
                 "rope: batch_stride must be at least 29 so that rows do not overlap, got 28");
  expect_failure(apply(58, 30, 15, 5), Code::shape, "x",
                 "rope: x must have at least 59 elements for these strides, got 58");
  expect_failure(apply(60, ~std::size_t{0}, 15, 5), Code::size_limit, "batch_stride",
                 too_many("rope: batch_stride"));
  EXPECT_EQ(apply(60, 30, ~std::size_t{0}, 5).code(), Code::size_limit);
  EXPECT_TRUE(x.untouched());
  EXPECT_TRUE(succeeded(apply(59, 30, 15, 5)));
}

}  // namespace
}  // namespace posenc
