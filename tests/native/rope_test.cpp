#include "posenc/rotary/rope.hpp"

#include <string>
#include <vector>

#include "exact.hpp"
#include "helpers.hpp"

namespace posenc {
namespace {

using namespace tests;

constexpr RopeLayout kLayouts[] = {RopeLayout::half, RopeLayout::interleaved};

/// Where the elements of pair i of a row stand.
struct Pair {
  std::size_t a, b;
};
Pair pair_of(const RopeConfig& config, std::size_t i) {
  if (config.layout == RopeLayout::interleaved) return {2 * i, 2 * i + 1};
  return {i, i + config.rotary_dim / 2};
}

std::vector<float> applied(const Rope& rope, std::vector<float> x, const RotaryArgs& args) {
  EXPECT_TRUE(succeeded(rope.apply(x, args)));
  return x;
}

std::vector<float> one_row(const RopeConfig& config, std::vector<float> x, std::int64_t position) {
  return applied(Rope(config), std::move(x), {.positions = Positions::from(position, 1)});
}

// Kind rope-layout.
TEST(Rope, HalfAndInterleavedPairsAreDifferentRotations) {
  const double half[] = {-1.9841106485555498026, 1.9599006674966638968, 2.4623779024123156589,
                         4.0197996683349944405};
  const double interleaved[] = {-1.1426396637476532959, 1.9220755965441759415,
                                2.9598506679133291746, 4.0297995016691611052};
  const std::vector<float> x{1, 2, 3, 4};
  const std::vector<float> a = one_row({.head_dim = 4}, x, 1);
  const std::vector<float> b = one_row({.head_dim = 4, .layout = RopeLayout::interleaved}, x, 1);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(a[i], half[i], 4e-7) << i;
    EXPECT_NEAR(b[i], interleaved[i], 4e-7) << i;
  }
}

// Kind rope-precision-bf16-invfreq: frequencies never take a storage type.
TEST(Rope, FrequenciesAndFarAnglesAreExact) {
  const Rope rope({.head_dim = 128});
  std::vector<float> cos(64), sin(64);
  ASSERT_TRUE(succeeded(rope.angles(Positions::from(4095, 1), cos, sin)));
  const std::size_t pairs[] = {1, 8, 20, 32};
  const double exact[] = {-0.74236581761003616566, 0.81589057735694272375, -0.58776004520894532727,
                          -0.99403318973945681724};
  const double inv_freq[] = {0.86596432336006535235, 0.3162277660168379332, 0.056234132519034908039,
                             0.01};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_LE(ulp_error(cos[pairs[i]], exact[i]), 1.0) << pairs[i];
    EXPECT_DOUBLE_EQ(rope.inv_freq()[pairs[i]], inv_freq[i]);
  }
}

// Kind rope-precision-fp16-range: positions beyond what half precision can hold or tell apart.
TEST(Rope, PositionsPast2048AreDistinctAndFinite) {
  const Rope rope({.head_dim = 2});
  const std::int32_t positions[] = {40001, 40002, 65519, 65536, 131071};
  const double exact[] = {-0.62219090131799882198, -0.99492983095746950164, -0.46672753193888169768,
                          -0.72183475091266430109, -0.81798349938794908071};
  std::vector<float> cos(5), sin(5);
  ASSERT_TRUE(succeeded(rope.angles(Positions::of(positions), cos, sin)));
  for (std::size_t i = 0; i < 5; ++i) EXPECT_LE(ulp_error(cos[i], exact[i]), 1.0) << positions[i];

  std::vector<float> many_cos(131072), many_sin(131072);
  ASSERT_TRUE(succeeded(rope.angles(Positions::from(0, 131072), many_cos, many_sin)));
  for (std::size_t i = 1; i < many_cos.size(); ++i) {
    ASSERT_LE(std::fabs(many_cos[i]), 1.0f);
    ASSERT_TRUE(many_cos[i] != many_cos[i - 1] || many_sin[i] != many_sin[i - 1]) << i;
  }
}

// Kind linear-scaling-direction: positions are divided, once, and factor 1 changes nothing.
TEST(Rope, LinearScalingDividesTheAngle) {
  const Rope rope({.head_dim = 8, .scaling = Linear{.factor = 4}});
  const double angles[] = {2.5, 0.25, 0.025, 0.0025};
  const double exact[] = {-0.80114361554693371483, 0.96891242171064478414, 0.99968751627570258625,
                          0.99999687500162760383};
  std::vector<float> cos(4), sin(4);
  ASSERT_TRUE(succeeded(rope.angles(Positions::from(10, 1), cos, sin)));
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_DOUBLE_EQ(rope.inv_freq()[i] * 10, angles[i]);
    EXPECT_LE(ulp_error(cos[i], exact[i]), 1.0);
  }
  const std::vector<float> x = Random().floats(96);
  EXPECT_TRUE(same_bits(one_row({.head_dim = 96, .scaling = Linear{.factor = 1}}, x, 77),
                        one_row({.head_dim = 96}, x, 77)));
}

// Kind fma-vs-separate-in-rotation: two products and a sum, each rounded.
TEST(Rope, ProductsAndSumAreRoundedOneByOne) {
  const std::vector<float> cos{0.540302276611328125f}, sin{0.84147095680236816406f};
  const float xy[][2] = {{-3.0095844268798828125f, -2.2140882015228271484f},
                         {0.61682361364364624023f, -0.82655620574951171875f},
                         {-1.532145380973815918f, 2.529010772705078125f},
                         {-3.5231907367706298828f, -2.3523302078247070313f}};
  const float expected[] = {0.23700559139251708984f, 1.0287942886352539063f,
                            -2.9559106826782226563f, 0.075829625129699707031f};
  const Rope rope({.head_dim = 2});
  for (std::size_t i = 0; i < 4; ++i) {
    std::vector<float> x(xy[i], xy[i] + 2);
    ASSERT_TRUE(succeeded(rope.rotate(x, cos, sin, {})));
    EXPECT_EQ(x[0], expected[i]);
  }
}

/// The largest error of `y` = rotated `x`, in units of 2^-24 (|a cos| + |b sin|).
double largest_error(const RopeConfig& config, std::span<const float> x, std::span<const float> y,
                     std::span<const ExactSinCos> angles) {
  double largest = 0;
  for (std::size_t i = 0; i < angles.size(); ++i) {
    const auto [at_a, at_b] = pair_of(config, i);
    const double a = x[at_a], b = x[at_b], c = angles[i].cos, s = angles[i].sin;
    const double first = std::fabs(y[at_a] - (a * c - b * s));
    const double second = std::fabs(y[at_b] - (b * c + a * s));
    largest = std::max(largest, first * 0x1p24 / (std::fabs(a * c) + std::fabs(b * s)));
    largest = std::max(largest, second * 0x1p24 / (std::fabs(b * c) + std::fabs(a * s)));
  }
  return largest;
}

TEST(Rope, RotateStaysWithinItsBound) {
  Random random;
  double largest = 0;
  for (RopeLayout layout : kLayouts) {
    const RopeConfig config{.head_dim = 4096, .rotary_dim = 4096, .layout = layout};
    const Rope rope(config);
    const std::vector<float> x = random.floats(4096);
    const std::vector<float> cos = random.floats(2048, -1, 1), sin = random.floats(2048, -1, 1);
    std::vector<ExactSinCos> angles;
    for (std::size_t i = 0; i < 2048; ++i) angles.push_back({sin[i], cos[i]});
    std::vector<float> y(x.size());
    ASSERT_TRUE(succeeded(rope.rotate(x, y, cos, sin, {})));
    largest = std::max(largest, largest_error(config, x, y, angles));
  }
  std::printf("rotate: largest error %.3f * 2^-24 (|a cos| + |b sin|), bound 2\n", largest);
  EXPECT_LE(largest, 2.0);
}

// Three roundings to the same side by nearly half a unit each: the bound is met, so no smaller one
// would do.
TEST(Rope, RotateCanReachItsBound) {
  const std::vector<float> cos{1 + 2047 * 0x1p-23f}, sin{-(1 + 2048 * 0x1p-23f)};
  const float a = cos[0], b = 1 + 2047 * 0x1p-23f;
  std::vector<float> y{a, b};
  ASSERT_TRUE(succeeded(Rope({.head_dim = 2}).rotate(y, cos, sin, {})));
  const double exact = double{a} * double{cos[0]} - double{b} * double{sin[0]};
  const double error = std::fabs(y[0] - exact) / exact * 0x1p24;
  EXPECT_GT(error, 1.99);
  EXPECT_LE(error, 2.0);
}

TEST(Rope, ApplyStaysWithinItsBound) {
  Random random;
  double largest = 0;
  for (RopeLayout layout : kLayouts) {
    for (double factor : {1.0, 8.0}) {
      const RopeConfig config{.head_dim = 256,
                              .rotary_dim = 256,
                              .layout = layout,
                              .scaling = Linear{.factor = factor}};
      const Rope rope(config);
      for (int trial = 0; trial < 20; ++trial) {
        const double position[] = {random.uniform(-0x1p24, 0x1p24)};
        std::vector<ExactSinCos> angles;
        for (std::size_t i = 0; i < 128; ++i) {
          angles.push_back(exact_sin_cos(position[0], exact_frequency(10000, 256, i, factor)));
        }
        const std::vector<float> x = random.floats(256);
        const std::vector<float> y = applied(rope, x, {.positions = Positions::of(position)});
        largest = std::max(largest, largest_error(config, x, y, angles));
      }
    }
  }
  std::printf("apply: largest error %.3f * 2^-24 (|a cos| + |b sin|), bound 4\n", largest);
  EXPECT_LE(largest, 4.0);
}

/// Rotary widths whose pairs make every tail of two vectors of 16 lanes, and whole tiles and more.
std::vector<std::size_t> rotary_widths() {
  std::vector<std::size_t> widths{126, 128, 130, 132, 256, 258};
  for (std::size_t width = 2; width <= 66; width += 2) widths.push_back(width);
  return widths;
}

TEST(Rope, ApplyIsAnglesThenRotateBitForBit) {
  Random random;
  for (std::size_t width : rotary_widths()) {
    for (RopeLayout layout : kLayouts) {
      const std::size_t head_dim = width + 2 * (width % 3);
      const Rope rope({.head_dim = head_dim, .rotary_dim = width, .layout = layout});
      const RotaryArgs args{.heads = 2, .positions = Positions::from(1000000 - 3, 11)};
      std::vector<float> cos(11 * width / 2), sin(11 * width / 2);
      ASSERT_TRUE(succeeded(rope.angles(args.positions, cos, sin)));
      const std::vector<float> x = random.floats(2 * 11 * head_dim);
      const std::size_t offset = width / 2 % 4;
      Guarded in_place(x, offset), rotated(x.size(), offset), turned(x, offset), back(x, offset);
      ASSERT_TRUE(succeeded(rope.rotate(x, rotated.span(), cos, sin, {.heads = 2})));
      ASSERT_TRUE(succeeded(rope.apply(in_place.span(), args)));
      EXPECT_TRUE(same_bits(in_place.span(), rotated.span())) << width;
      EXPECT_TRUE(same_bits(applied(rope, x, args), rotated.span())) << width;
      for (float& value : sin) value = -value;
      ASSERT_TRUE(succeeded(rope.rotate(turned.span(), cos, sin, {.heads = 2})));
      ASSERT_TRUE(succeeded(rope.unapply(back.span(), args)));
      EXPECT_TRUE(same_bits(back.span(), turned.span())) << width;
    }
  }
}

TEST(Rope, LayoutsAreEqualUpToAPermutation) {
  const std::size_t width = 70;
  const RotaryArgs args{.positions = Positions::from(5, 3)};
  const std::vector<float> x = Random().floats(3 * width);
  std::vector<float> permuted(x.size()), back(x.size());
  const auto each = [&](const std::vector<float>& from, std::vector<float>& to, bool split) {
    for (std::size_t row = 0; row < 3; ++row) {
      for (std::size_t i = 0; i < width; ++i) {
        const std::size_t half = row * width + i / 2 + (i % 2) * width / 2, next = row * width + i;
        split ? to[half] = from[next] : to[next] = from[half];
      }
    }
  };
  each(x, permuted, true);
  each(applied(Rope({.head_dim = width}), permuted, args), back, false);
  const Rope interleaved({.head_dim = width, .layout = RopeLayout::interleaved});
  EXPECT_TRUE(same_bits(applied(interleaved, x, args), back));
}

}  // namespace
}  // namespace posenc
