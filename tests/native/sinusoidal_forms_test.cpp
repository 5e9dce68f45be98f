// The published forms of the sinusoidal encoding beside the paper's: orders, scales, timescales,
// padding rows.

#include <string>
#include <vector>

#include "exact.hpp"
#include "helpers.hpp"
#include "posenc/additive/sinusoidal.hpp"
#include "storage_types.hpp"

namespace posenc {
namespace {

using namespace tests;

std::vector<float> row_of(const SinusoidalConfig& config, double position) {
  std::vector<float> out(config.dim);
  EXPECT_TRUE(succeeded(Sinusoidal(config).table(Positions::of(std::span(&position, 1)), out)));
  return out;
}

TEST(SinusoidalForms, CosineFirstSwapsTheTwoFunctions) {
  for (const std::size_t dim : {8u, 300u}) {
    SinusoidalConfig config{.dim = dim, .layout = SinusoidalLayout::half};
    const std::vector<float> sine_first = row_of(config, 12.5);
    config.order = SinusoidalOrder::cosine_first;
    std::vector<float> expected(sine_first.begin() + static_cast<std::ptrdiff_t>(dim / 2),
                                sine_first.end());
    expected.insert(expected.end(), sine_first.begin(),
                    sine_first.begin() + static_cast<std::ptrdiff_t>(dim / 2));
    EXPECT_TRUE(same_bits(row_of(config, 12.5), expected));

    config.layout = SinusoidalLayout::interleaved;
    const std::vector<float> interleaved = row_of(config, 12.5);
    for (std::size_t pair = 0; pair < dim / 2; ++pair) {
      EXPECT_EQ(interleaved[2 * pair], expected[pair]);
      EXPECT_EQ(interleaved[2 * pair + 1], expected[dim / 2 + pair]);
    }
  }
}

TEST(SinusoidalForms, TheOddColumnIsOneMoreOfTheFirstFunctionOrZero) {
  SinusoidalConfig config{.dim = 5, .order = SinusoidalOrder::cosine_first};
  EXPECT_EQ(row_of(config, 0), (std::vector<float>{1, 0, 1, 0, 1}));
  config.layout = SinusoidalLayout::half;
  EXPECT_EQ(row_of(config, 0), (std::vector<float>{1, 1, 1, 0, 0}));
  config.odd_width = OddWidth::zero;
  EXPECT_EQ(row_of(config, 0), (std::vector<float>{1, 1, 0, 0, 0}));
}

TEST(SinusoidalForms, OneColumnIsASineACosineOrZero) {
  EXPECT_EQ(row_of({.dim = 1, .order = SinusoidalOrder::cosine_first}, 0)[0], 1.0f);
  EXPECT_EQ(row_of({.dim = 1, .odd_width = OddWidth::zero}, 3)[0], 0.0f);
  EXPECT_EQ(row_of({.dim = 1}, 0)[0], 0.0f);
}

/// Values of a form without timescales against the rule, in units in the last place.
double worst_error(const SinusoidalConfig& config, double position) {
  const std::vector<float> row = row_of(config, position);
  const std::size_t pairs = config.dim / 2;
  double worst = 0;
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    const SinCosOf exact =
        sin_cos(exact_frequency(config.base, static_cast<double>(config.dim), pair) * position);
    worst = std::max(worst, ulp_error(row[pair], (exact.sin * config.scale).value()));
    worst = std::max(worst, ulp_error(row[pairs + pair], (exact.cos * config.scale).value()));
  }
  return worst;
}

TEST(SinusoidalForms, ValuesBesideZeroCrossingsKeepTheirDigits) {
  // Whole positions whose angle lies nearest to a multiple of pi: convergents of pi's fraction.
  for (const double position : {22.0, 355.0, 103993.0, 1146408.0, 5419351.0, 245850922.0}) {
    SinusoidalConfig config{.dim = 4, .layout = SinusoidalLayout::half};
    EXPECT_LE(worst_error(config, position), 1.0) << position;
    config.scale = 0.125 * 1.7;
    EXPECT_LE(worst_error(config, position), 1.0) << position;
  }
}

TEST(SinusoidalForms, PositionScaleMultipliesPositions) {
  SinusoidalConfig config{.dim = 64};
  const std::vector<float> expected = row_of(config, 2000);
  config.position_scale = 4;
  EXPECT_TRUE(same_bits(row_of(config, 500), expected));
}

TEST(SinusoidalForms, TimescalesAreTheirDenominator) {
  SinusoidalConfig named{.dim = 80, .layout = SinusoidalLayout::half};
  named.frequency_denominator = 78;
  SinusoidalConfig timescales{.dim = 80, .layout = SinusoidalLayout::half};
  timescales.max_timescale = 10000;
  EXPECT_TRUE(same_bits(row_of(timescales, 1499), row_of(named, 1499)));
}

TEST(SinusoidalForms, TheLongestTimescaleOfTwoColumnsIsOne) {
  EXPECT_EQ(row_of({.dim = 2, .max_timescale = 500}, 1), row_of({.dim = 2}, 1));
}

TEST(SinusoidalForms, ThePaddingPositionHasZerosAndItsNeighboursTheirRows) {
  const SinusoidalConfig config{.dim = 600, .padding_position = 1};
  EXPECT_EQ(row_of(config, 1), std::vector<float>(600, 0.0f));
  EXPECT_TRUE(same_bits(row_of(config, 2), row_of({.dim = 600}, 2)));
  EXPECT_TRUE(same_bits(row_of(config, 1.5), row_of({.dim = 600}, 1.5)));
  std::vector<float> x = Random().floats(600);
  const std::vector<float> before = x;
  EXPECT_TRUE(succeeded(Sinusoidal(config).add(Positions::from(1, 1), x)));
  EXPECT_EQ(x, before);
}

TEST(SinusoidalForms, ShortTypesGetTheNearestOfTheirs) {
  SinusoidalConfig config{.dim = 66, .order = SinusoidalOrder::cosine_first};
  config.scale = 0.3;
  std::vector<double> exact;
  const double position = 123.25;
  for (std::size_t pair = 0; pair < 33; ++pair) {
    const SinCosOf at = sin_cos(exact_frequency(10000, 66, pair) * position);
    exact.push_back((at.cos * 0.3).value());
    exact.push_back((at.sin * 0.3).value());
  }
  for (const StorageType type : kShortTypes) {
    ShortFloats out(66, type);
    ASSERT_TRUE(succeeded(Sinusoidal(config).table(Positions::of(std::span(&position, 1)), out)));
    expect_nearest(out, type, exact);
  }
}

TEST(SinusoidalForms, ConfigsOutsideTheirRangeAreRejected) {
  SinusoidalConfig config{.dim = 8};
  config.scale = kNaN;
  expect_failure(check(config), Code::value_range, "scale",
                 "sinusoidal: scale must be -1e+30 to 1e+30, got nan");
  config = {.dim = 8, .position_scale = 0};
  expect_failure(check(config), Code::value_range, "position_scale",
                 "sinusoidal: position_scale must be 1e-30 to 1e+30, got 0");
  config = {.dim = 8, .min_timescale = 2};
  expect_failure(check(config), Code::value_range, "min_timescale",
                 "sinusoidal: min_timescale needs a max_timescale, got none");
  config = {.dim = 8, .min_timescale = -1, .max_timescale = 4};
  expect_failure(check(config), Code::value_range, "min_timescale",
                 "sinusoidal: min_timescale must be 1e-30 to 1e+30, got -1");
  config = {.dim = 8, .min_timescale = 5, .max_timescale = 4};
  expect_failure(check(config), Code::value_range, "max_timescale",
                 "sinusoidal: max_timescale must be 5 to 1e+30, got 4");
  config = {.dim = 8, .frequency_denominator = 6, .max_timescale = 4};
  expect_failure(check(config), Code::value_range, "frequency_denominator",
                 "sinusoidal: frequency_denominator must not be given with max_timescale, got 6");
}

TEST(SinusoidalForms, PositionsBeyondWhatLargeFrequenciesAllowAreRejected) {
  const Sinusoidal encoding({.dim = 2, .position_scale = 1e10});
  std::vector<float> out(2, kUnwritten);
  EXPECT_EQ(encoding.table(Positions::from(1000000, 1), out).code(), Code::position_range);
  EXPECT_EQ(out[0], kUnwritten);
  EXPECT_TRUE(succeeded(encoding.table(Positions::from(1000, 1), out)));
}

}  // namespace
}  // namespace posenc
