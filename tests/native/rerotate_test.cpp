// Cached keys that move to other positions or to another scaling.

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "allocations.hpp"
#include "exact.hpp"
#include "helpers.hpp"
#include "posenc/rotary/rope.hpp"

namespace posenc {
namespace {

using namespace tests;

/// The largest error of y, which should be x turned by `angles` and multiplied by `factor`, in
/// units of 2^-24 (|a cos| + |b sin|). Rows of the half layout.
double largest_error(std::span<const float> x, std::span<const float> y,
                     std::span<const ExactSinCos> angles, double factor) {
  double largest = 0;
  const std::size_t pairs = angles.size();
  for (std::size_t i = 0; i < pairs; ++i) {
    const double a = x[i], b = x[i + pairs];
    const double c = factor * angles[i].cos, s = factor * angles[i].sin;
    const double first = std::fabs(y[i] - (a * c - b * s));
    const double second = std::fabs(y[i + pairs] - (b * c + a * s));
    largest = std::max(largest, first * 0x1p24 / (std::fabs(a * c) + std::fabs(b * s)));
    largest = std::max(largest, second * 0x1p24 / (std::fabs(b * c) + std::fabs(a * s)));
  }
  return largest;
}

TEST(Rerotate, AShiftStaysWithinTheBoundOfApply) {
  Random random;
  double largest = 0;
  const Rope rope({.head_dim = 128});
  for (int trial = 0; trial < 50; ++trial) {
    const double from[] = {random.uniform(-0x1p24, 0x1p24)},
                 to[] = {random.uniform(-0x1p24, 0x1p24)};
    const std::vector<float> x = random.floats(128);
    std::vector<float> y = x;
    ASSERT_TRUE(
        succeeded(rope.rerotate(y, rope, {.positions = Positions::of(from)}, Positions::of(to))));
    std::vector<ExactSinCos> angles;
    for (std::size_t i = 0; i < 64; ++i) {
      const Exact f = exact_frequency(10000, 128, i);
      const SinCosOf exact = sin_cos(f * to[0] - f * from[0]);
      angles.push_back({exact.sin.value(), exact.cos.value()});
    }
    largest = std::max(largest, largest_error(x, y, angles, 1.0));
  }
  std::printf("rerotate, shift: largest error %.3f * 2^-24 (|a cos| + |b sin|), bound 4\n",
              largest);
  EXPECT_LE(largest, 4.0);
}

TEST(Rerotate, AChangeOfScalingStaysWithinTheBoundOfApply) {
  Random random;
  double largest = 0;
  const Rope plain({.head_dim = 128});
  const Rope yarn({.head_dim = 128, .scaling = Yarn{16, 4096}});
  const Rope longer({.head_dim = 128, .scaling = DynamicNtk{4, 2048}, .length = 9000});
  for (const Rope* to : {&yarn, &longer}) {
    for (int trial = 0; trial < 30; ++trial) {
      const double at[] = {std::floor(random.uniform(0, 0x1p20))};
      const std::vector<float> x = random.floats(128);
      std::vector<float> y = x;
      ASSERT_TRUE(
          succeeded(to->rerotate(y, plain, {.positions = Positions::of(at)}, Positions::of(at))));
      std::vector<ExactSinCos> angles;
      for (std::size_t i = 0; i < 64; ++i) {
        // the double nearest to a frequency: its rounding moves angles by 2^-34 at most
        const double difference = to->inv_freq()[i] - plain.inv_freq()[i];
        angles.push_back(exact_sin_cos(at[0], difference));
      }
      largest = std::max(largest, largest_error(x, y, angles, to->attention_factor()));
    }
  }
  std::printf("rerotate, scaling: largest error %.3f * 2^-24 (|a cos| + |b sin|), bound 4\n",
              largest);
  EXPECT_LE(largest, 4.0);
}

/// What keys of length 1 per pair differ by from those rotated at once.
double largest_difference(std::span<const float> x, std::span<const float> y) {
  double largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    largest = std::max(largest, std::fabs(double{x[i]} - double{y[i]}));
  }
  return largest;
}

TEST(Rerotate, GivesWhatApplyGivesAtTheNewPositions) {
  const Rope from({.head_dim = 64, .scaling = DynamicNtk{2, 1024}});
  const Rope to({.head_dim = 64, .scaling = DynamicNtk{2, 1024}, .length = 5000});
  const std::vector<float> x = Random().floats(3 * 2 * 11 * 64, -1, 1);
  RotaryArgs args{.batch = 3, .heads = 2, .positions = Positions::from(900, 11)};
  std::vector<float> keys = x, fresh = x;
  ASSERT_TRUE(succeeded(from.apply(keys, args)));
  ASSERT_TRUE(succeeded(to.rerotate(keys, from, args, Positions::from(700, 11))));
  args.positions = Positions::from(700, 11);
  ASSERT_TRUE(succeeded(to.apply(fresh, args)));
  // three rotations of values up to 1, each within 4 * 2^-24 of |a| + |b|
  EXPECT_LE(largest_difference(keys, fresh), 3 * 8 * 0x1p-24);
}

template <class Element>
std::vector<Element> stored(std::span<const float> values) {
  std::vector<Element> out;
  for (const float value : values) {
    if constexpr (std::is_same_v<Element, float>) out.push_back(value);
    if constexpr (std::is_same_v<Element, Float16>) out.push_back(to_float16(value));
    if constexpr (std::is_same_v<Element, Bfloat16>) out.push_back(to_bfloat16(value));
  }
  return out;
}

float widened(float value) { return value; }
template <class Element>
float widened(Element value) {
  return to_float(value);
}

/// The largest error of keys whose pairs have length 1 after `steps` shifts, by -1000 in all.
template <class Element>
double drift(std::int64_t steps) {
  Random random;
  const Rope rope({.head_dim = 128});
  std::vector<float> unit(32 * 128);
  for (std::size_t at = 0; at < unit.size(); at += 128) {
    for (std::size_t i = 0; i < 64; ++i) {
      const double angle = random.uniform(0, 6.283185307179586);
      unit[at + i] = static_cast<float>(std::cos(angle));
      unit[at + 64 + i] = static_cast<float>(std::sin(angle));
    }
  }
  std::vector<Element> keys = stored<Element>(unit);
  std::vector<float> expected(unit.size()), actual(unit.size());
  const std::vector<std::int64_t> back(32, -1000);
  EXPECT_TRUE(succeeded(rope.apply(keys, expected, {.positions = Positions::of(back)})));
  for (std::int64_t step = 0; step < steps; ++step) {
    const RotaryArgs args{.positions = Positions::from(-step * 1000 / steps, 32)};
    const Positions to = Positions::from(-(step + 1) * 1000 / steps, 32);
    if (!succeeded(rope.rerotate(keys, rope, args, to))) return INFINITY;
  }
  for (std::size_t i = 0; i < unit.size(); ++i) actual[i] = widened(keys[i]);
  return largest_difference(actual, expected);
}

TEST(Rerotate, AThousandShiftsDriftAsDocumented) {
  const double whole = drift<float>(1000), half = drift<Float16>(1000);
  const double brain = drift<Bfloat16>(1000);
  std::printf("rerotate, 1000 shifts of unit pairs: float32 %.3g, float16 %.3g, bfloat16 %.3g\n",
              whole, half, brain);
  EXPECT_LE(whole, 1e-4);
  EXPECT_LE(half, 0.3);
  EXPECT_LE(brain, 2.0);
}

// The unit is that of 1 to 2: pairs of length 1 are a little longer once they are stored.
TEST(Rerotate, OneShiftCostsHalfAUnitInTheLastPlace) {
  EXPECT_LE(drift<float>(1), 8 * 0x1p-24);
  EXPECT_LE(drift<Float16>(1), 0x1.01p-11);
  EXPECT_LE(drift<Bfloat16>(1), 0x1.01p-8);
}

TEST(Rerotate, ToTheSamePlaceIsTheIdentity) {
  const Rope rope({.head_dim = 70, .layout = RopeLayout::interleaved});
  const std::vector<float> x = Random().floats(5 * 70);
  std::vector<float> y = x;
  const Positions positions = Positions::from(0x1p24, 5);
  ASSERT_TRUE(succeeded(rope.rerotate(y, rope, {.positions = positions}, positions)));
  EXPECT_TRUE(same_bits(y, x));
}

TEST(Rerotate, OfSeveralAxesShiftsEachAxis) {
  const Rope rope({.head_dim = 16, .axes = Mrope{{2, 3, 3}}});
  const std::vector<double> from{5, 6, 1, 2, 3, 4}, to{15, 16, 0, 0, 3, 9};
  const std::vector<float> x = Random().floats(2 * 16, -1, 1);
  std::vector<float> keys = x, fresh = x;
  ASSERT_TRUE(succeeded(rope.apply(keys, {.positions = Positions::of(from)})));
  ASSERT_TRUE(
      succeeded(rope.rerotate(keys, rope, {.positions = Positions::of(from)}, Positions::of(to))));
  ASSERT_TRUE(succeeded(rope.apply(fresh, {.positions = Positions::of(to)})));
  EXPECT_LE(largest_difference(keys, fresh), 3 * 8 * 0x1p-24);
}

TEST(Rerotate, AllocatesNothingAndCopiesTheRest) {
  const Rope rope({.head_dim = 12, .rotary_dim = 4, .rotary_start = 2});
  const std::vector<float> x = Random().floats(3 * 12);
  Guarded out(x.size());
  const std::size_t before = allocations();
  const Status status = rope.rerotate(x, out.span(), rope, {.positions = Positions::from(4, 3)},
                                      Positions::from(0, 3));
  EXPECT_EQ(allocations(), before);
  ASSERT_TRUE(succeeded(status));
  for (std::size_t i = 0; i < x.size(); ++i) {
    const bool turns = i % 12 >= 2 && i % 12 < 6;
    EXPECT_EQ(out.span()[i] == x[i], !turns) << i;
  }
}

TEST(Rerotate, RopesThatDoNotFitAreRefused) {
  const Rope rope({.head_dim = 16, .rotary_dim = 8});
  Guarded x(2 * 16);
  const RotaryArgs args{.positions = Positions::from(0, 2)};
  const auto rejected = [&](const RopeConfig& config, const std::string& what) {
    const Rope from(config);
    expect_failure(rope.rerotate(x.span(), from, args, Positions::from(1, 2)), Code::value_range,
                   "from", "rope: from must be a rope of the same " + what + " for rerotate");
  };
  rejected({.head_dim = 18, .rotary_dim = 8}, "head_dim");
  rejected({.head_dim = 16}, "rotary_dim");
  rejected({.head_dim = 16, .rotary_dim = 8, .rotary_start = 2}, "rotary_start");
  rejected({.head_dim = 16, .rotary_dim = 8, .layout = RopeLayout::interleaved}, "layout");
  rejected({.head_dim = 16, .rotary_dim = 8, .axes = Mrope{{2, 1, 1}}}, "number of axes");
  CustomFrequencies two{.inv_freq = std::vector<double>(8), .frequency_heads = 2};
  rejected({.head_dim = 16, .rotary_dim = 8, .scaling = two}, "frequency_heads");
  const std::string sums =
      "rope: rerotate needs ropes without xpos and without angles float32, whose angles are not "
      "sums";
  for (const RopeConfig& config :
       {RopeConfig{.head_dim = 16, .rotary_dim = 8, .xpos = Xpos{}},
        RopeConfig{.head_dim = 16, .rotary_dim = 8, .angles = Angles::float32}}) {
    const Rope from(config);
    expect_failure(rope.rerotate(x.span(), from, args, Positions::from(1, 2)), Code::value_range,
                   "from", sums);
  }
  expect_failure(rope.rerotate(x.span(), rope, args, Positions::from(1, 3)), Code::shape, "to",
                 "rope: to must have positions = 2 = 2 elements, got 3");
  expect_failure(rope.rerotate(x.span(), rope, args, Positions::from(std::int64_t{1} << 51, 2)),
                 Code::position_range, "to",
                 "rope: to must be finite and at most 1125899906842624 in magnitude, got "
                 "2251799813685248");
  EXPECT_TRUE(x.untouched());
}

}  // namespace
}  // namespace posenc
