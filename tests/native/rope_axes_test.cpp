// Ropes whose positions have several axes: multimodal, axial, and mixed ones of the caller.

#include <array>
#include <vector>

#include "exact.hpp"
#include "helpers.hpp"
#include "posenc/core/grid_positions.hpp"
#include "posenc/rotary/rope.hpp"

namespace posenc {
namespace {

using namespace tests;

/// The tables of one row, cosines then sines.
std::vector<float> row_of(const Rope& rope, const std::vector<double>& positions) {
  const std::size_t pairs = rope.inv_freq().size() / rope.axis_count();
  const std::size_t size = rope.frequency_heads() * rope.config().rotary_dim / 2;
  EXPECT_GE(size, pairs);
  std::vector<float> both(2 * size);
  const std::span<float> all(both);
  EXPECT_TRUE(succeeded(rope.angles(Positions::of(positions), all.first(size), all.last(size))));
  return both;
}

void expect_angles(const std::vector<float>& row, std::span<const double> angles) {
  ASSERT_EQ(row.size(), 2 * angles.size());
  for (std::size_t i = 0; i < angles.size(); ++i) {
    EXPECT_NEAR(row[i], std::cos(angles[i]), 1e-7) << i;
    EXPECT_NEAR(row[angles.size() + i], std::sin(angles[i]), 1e-7) << i;
  }
}

// Kind mrope-sections.
TEST(RopeAxes, MropeReadsTheAxisOfEachPair) {
  const double chunked[] = {5.0,  1.581138830084189666,    0.5,   0.1581138830084189666,
                            0.02, 0.006324555320336758664, 0.003, 0.0009486832980505137996};
  const double interleaved[] = {5.0,  0.6324555320336758664,   0.3,   0.1581138830084189666,
                                0.02, 0.009486832980505137996, 0.005, 0.001581138830084189666};
  const std::vector<double> thw{5, 2, 3};
  expect_angles(row_of(Rope({.head_dim = 16, .axes = Mrope{{4, 2, 2}}}), thw), chunked);
  expect_angles(row_of(Rope({.head_dim = 16, .axes = Mrope{{4, 2, 2}, true}}), thw), interleaved);
}

TEST(RopeAxes, PairsBeyondInterleavedSectionsReadTime) {
  const Rope rope({.head_dim = 128, .base = 1e6, .axes = Mrope{{24, 20, 20}, true}});
  const std::vector<float> row = row_of(rope, {3, 0, 0});
  for (std::size_t i = 0; i < 64; ++i) {
    const bool other = i % 3 != 0 && i < 60;
    EXPECT_EQ(row[64 + i] == 0.0f, other) << i;
  }
}

TEST(RopeAxes, EqualPositionsOnAllAxesAreThePlainRope) {
  const RopeScaling yarn = Yarn{.factor = 4, .original_max_position_embeddings = 2048};
  for (const double position : {0.0, 7.0, -3.5, 16777215.0, 0x1p50}) {
    const Rope plain({.head_dim = 16, .scaling = yarn});
    const std::vector<float> expected = row_of(plain, {position});
    for (const bool interleaved : {false, true}) {
      const Rope rope({.head_dim = 16, .scaling = yarn, .axes = Mrope{{2, 3, 3}, interleaved}});
      EXPECT_EQ(rope.axis_count(), 3u);
      EXPECT_TRUE(same_bits(row_of(rope, {position, position, position}), expected)) << position;
    }
  }
}

TEST(RopeAxes, AxialBlocksOrAlternatingPairsReadTheAxes) {
  const auto axial = [](AxialBands bands, AxialOrder order) {
    return Rope({.head_dim = 16, .axes = Axial{bands, order}});
  };
  const std::vector<double> yx{3, 5};
  const double blocks[] = {3, 0.3, 0.03, 0.003, 5, 0.5, 0.05, 0.005};
  expect_angles(row_of(axial(AxialBands::geometric, AxialOrder::blocks), yx), blocks);
  const double alternating[] = {3, 5, 0.3, 0.5, 0.03, 0.05, 0.003, 0.005};
  expect_angles(row_of(axial(AxialBands::geometric, AxialOrder::alternating), yx), alternating);
  const double root = std::sqrt(0.1);
  const double dealt[] = {3, 0.3, 0.03, 0.003, 5 * root, 0.5 * root, 0.05 * root, 0.005 * root};
  expect_angles(row_of(axial(AxialBands::dealt, AxialOrder::blocks), yx), dealt);
}

TEST(RopeAxes, Dinov3TurnsPatchCentres) {
  const Rope rope({.head_dim = 64, .base = 100, .axes = Axial{AxialBands::turns}});
  std::vector<double> positions(2 * 16);
  ASSERT_TRUE(succeeded(grid_positions(
      {.height = 4, .width = 4, .coordinates = GridCoordinates::centres}, positions)));
  std::vector<float> cos(16 * 32), sin(16 * 32);
  ASSERT_TRUE(succeeded(rope.angles(Positions::of(positions), cos, sin)));
  // 2 pi * -3/4 and 2 pi * -3/4 * 100^(-1/16)
  EXPECT_EQ(cos[0], 0.0f);
  EXPECT_EQ(sin[0], 1.0f);
  EXPECT_NEAR(cos[1], -0.9240701956357348, 1e-7);
  EXPECT_NEAR(sin[1], 0.3822228061454927, 1e-7);
}

TEST(RopeAxes, PixelBandsReachHalfTheResolution) {
  constexpr double kPi = 3.14159265358979323846;
  const Rope linear({.head_dim = 16, .axes = Axial{AxialBands::pixel_linear}});
  const Rope log({.head_dim = 16, .axes = Axial{AxialBands::pixel_log}});
  const double bands[] = {1, 38, 75, 112};
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_DOUBLE_EQ(linear.inv_freq()[i], kPi * bands[i % 4]);
    EXPECT_NEAR(log.inv_freq()[i], kPi * std::pow(112.0, static_cast<double>(i % 4) / 3), 1e-12);
  }
  const Rope one({.head_dim = 4, .axes = Axial{AxialBands::pixel_log}});
  EXPECT_DOUBLE_EQ(one.inv_freq()[0], kPi);
}

TEST(RopeAxes, MixedFrequenciesAddUpTheAxes) {
  const std::vector<double> frequencies{0.5, 0.25, 0.125, 1.0, -0.5, 0.0, 2.0, 0.75};
  // [2 axes, 2 heads, 2 pairs]
  const CustomFrequencies custom{.inv_freq = frequencies, .axes = 2, .frequency_heads = 2};
  const Rope rope({.head_dim = 4, .scaling = custom});
  EXPECT_EQ(rope.axis_count(), 2u);
  EXPECT_EQ(rope.frequency_heads(), 2u);
  const std::vector<float> row = row_of(rope, {3, 4});
  const double angles[] = {3 * 0.5 - 4 * 0.5, 3 * 0.25, 3 * 0.125 + 4 * 2.0, 3 * 1.0 + 4 * 0.75};
  expect_angles(row, angles);
}

TEST(RopeAxes, HeadsWithFrequenciesOfTheirOwnTurnAlone) {
  Random random;
  std::vector<double> frequencies(2 * 3 * 35);
  for (double& frequency : frequencies) frequency = random.uniform(-1, 1);
  const CustomFrequencies custom{.inv_freq = frequencies, .axes = 2, .frequency_heads = 3};
  std::vector<double> positions(2 * 2 * 9);
  for (double& position : positions) position = random.uniform(-100, 100);
  const std::vector<float> x = random.floats(2 * 3 * 9 * 70);
  std::vector<float> all = x;
  const Rope rope({.head_dim = 70, .scaling = custom});
  RotaryArgs args{.batch = 2, .heads = 3, .positions = Positions::of(positions), .length = 9};
  ASSERT_TRUE(succeeded(rope.apply(all, args)));
  for (std::size_t head = 0; head < 3; ++head) {
    CustomFrequencies own{.axes = 2};
    for (std::size_t axis = 0; axis < 2; ++axis) {
      const auto first = frequencies.begin() + static_cast<std::ptrdiff_t>((axis * 3 + head) * 35);
      own.inv_freq.insert(own.inv_freq.end(), first, first + 35);
    }
    std::vector<float> one = x;
    ASSERT_TRUE(succeeded(Rope({.head_dim = 70, .scaling = own}).apply(one, args)));
    for (std::size_t batch = 0; batch < 2; ++batch) {
      const std::size_t at = (batch * 3 + head) * 9 * 70;
      EXPECT_TRUE(
          same_bits(std::span(all).subspan(at, 9 * 70), std::span(one).subspan(at, 9 * 70)));
    }
  }
  args.heads = 2;
  expect_failure(rope.apply(all, args), Code::shape, "x",
                 "rope: x must have batch * heads * length * head_dim = 2 * 2 * 9 * 70 = 2520 "
                 "elements, got 3780");
  std::vector<float> fewer(2520);
  expect_failure(rope.apply(fewer, args), Code::shape, "heads",
                 "rope: heads must be frequency_heads = 3, got 2");
  std::vector<float> table(9 * 35);
  args.heads = 3;
  expect_failure(rope.rotate(all, table, table, args), Code::value_range, "scaling.frequency_heads",
                 "rope: scaling.frequency_heads must be 1 for rotate, got 3; use apply");
}

// Kind rope-position-shape: three axes of 4 positions are 4 tokens.
TEST(RopeAxes, PositionsOfThreeAxesAreOneTokenEach) {
  const Rope rope({.head_dim = 8, .axes = Mrope{{2, 1, 1}}});
  const std::int32_t positions[] = {0, 1, 2, 3, 0, 1, 1, 2, 0, 0, 1, 1};
  Guarded x(Random().floats(4 * 8));
  ASSERT_TRUE(succeeded(rope.apply(x.span(), {.positions = Positions::of(positions)})));
  Guarded more(5 * 8);
  expect_failure(rope.apply(more.span(), {.positions = Positions::of(positions)}), Code::shape, "x",
                 "rope: x must have batch * heads * length * head_dim = 1 * 1 * 4 * 8 = 32 "
                 "elements, got 40");
  EXPECT_TRUE(more.untouched());
  const std::span<const std::int32_t> eleven(positions, 11);
  expect_failure(rope.apply(x.span(), {.positions = Positions::of(eleven)}), Code::shape,
                 "positions", "rope: positions must have axes * rows = 3 * 3 = 9 elements, got 11");
}

TEST(RopeAxes, ConfigsThatDoNotFitAreRefused) {
  const auto rejected = [](const RopeConfig& config, std::string_view field,
                           const std::string& message) {
    expect_failure(check(config), Code::value_range, field, message);
  };
  rejected({.head_dim = 16, .axes = Mrope{{4, 2, 3}}}, "axes.sections",
           "rope: axes.sections must sum to exactly rotary_dim/2 = 8, got 4 + 2 + 3");
  rejected({.head_dim = 16, .rotary_dim = 8, .axes = Mrope{{4, 2, 2}}}, "axes.sections",
           "rope: axes.sections must sum to exactly rotary_dim/2 = 4, got 4 + 2 + 2");
  rejected({.head_dim = 16, .axes = Mrope{{4, 3, 2}, true}}, "axes.sections",
           "rope: axes.sections must sum to at most rotary_dim/2 = 8, got 4 + 3 + 2");
  EXPECT_TRUE(succeeded(check({.head_dim = 72, .axes = Mrope{{8, 12, 12}, true}})));
  rejected({.head_dim = 18, .axes = Axial{}}, "rotary_dim",
           "rope: rotary_dim must be divisible by 4 for two axes, got 18");
  rejected({.head_dim = 16, .axes = Axial{.max_resolution = 2}}, "axes.max_resolution",
           "rope: axes.max_resolution must be 4 to 1e+06, got 2");
  rejected({.head_dim = 16, .scaling = StaticNtk{2}, .axes = Axial{}}, "scaling",
           "rope: scaling must be none or linear with axial axes");
  rejected({.head_dim = 16, .angles = Angles::float32, .axes = Axial{}}, "angles",
           "rope: angles must be exact or float32_frequencies with several axes or frequency "
           "heads, got float32");
  const CustomFrequencies custom{.inv_freq = std::vector<double>(8)};
  rejected({.head_dim = 16, .scaling = custom, .axes = Axial{}}, "axes",
           "rope: axes must be one axis with custom frequencies, which bring axes of their own");
}

}  // namespace
}  // namespace posenc
