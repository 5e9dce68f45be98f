#include "posenc/additive/sinusoidal.hpp"

#include <string>
#include <vector>

#include "exact.hpp"
#include "helpers.hpp"

namespace posenc {
namespace {

using namespace tests;

std::vector<float> table_of(const Sinusoidal& encoding, const Positions& positions) {
  std::vector<float> out(positions.size() * encoding.config().dim);
  EXPECT_TRUE(succeeded(encoding.table(positions, out)));
  return out;
}

std::vector<float> row_of(const SinusoidalConfig& config, std::int64_t position) {
  return table_of(Sinusoidal(config), Positions::from(position, 1));
}

void expect_within_one_ulp(std::span<const float> actual, std::span<const double> exact) {
  ASSERT_EQ(actual.size(), exact.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    EXPECT_LE(ulp_error(actual[i], exact[i]), 1.0) << "column " << i << ": " << actual[i];
  }
}

/// The row by the rule, column by column.
std::vector<double> exact_row(const SinusoidalConfig& config, double position) {
  const std::size_t cosines = config.dim / 2;
  const std::size_t sines = cosines + (config.odd_width == OddWidth::sine ? config.dim % 2 : 0);
  const double denominator = config.frequency_denominator != 0 ? config.frequency_denominator
                                                               : static_cast<double>(config.dim);
  std::vector<double> row(config.dim, 0.0);
  for (std::size_t pair = 0; pair < sines; ++pair) {
    const ExactSinCos exact =
        exact_sin_cos(position, exact_frequency(config.base, denominator, pair));
    const bool interleaved = config.layout == SinusoidalLayout::interleaved;
    row[interleaved ? 2 * pair : pair] = exact.sin;
    if (pair < cosines) row[interleaved ? 2 * pair + 1 : sines + pair] = exact.cos;
  }
  return row;
}

// Kind sinusoidal-layout.
TEST(Sinusoidal, PairsAreInterleavedOrInHalvesAsNamed) {
  const double paper[] = {0.84147098480789650665, 0.5403023058681397174, 0.0099998333341666646825,
                          0.99995000041666527778};
  const double half[] = {paper[0], paper[2], paper[1], paper[3]};
  expect_within_one_ulp(row_of({.dim = 4}, 1), paper);
  expect_within_one_ulp(row_of({.dim = 4, .layout = SinusoidalLayout::half}, 1), half);
}

// Kind sinusoidal-exponent.
TEST(Sinusoidal, SineAndCosineOfAPairShareOneFrequency) {
  const double exact[] = {0.9092974268256816954,  -0.416146836547142387,    0.092698500778727227406,
                          0.99569422412373986193, 0.0043088560467428116749, 0.99999071683669566349};
  expect_within_one_ulp(row_of({.dim = 6}, 2), exact);
}

// Kind sinusoidal-far-position.
TEST(Sinusoidal, FarRowsKeepTheirDigits) {
  const double exact[] = {0.035748797972016509316, -0.99936080743821245189, -0.30561438888825214136,
                          -0.95215536825901485124, 0.82687954053200256026,  0.56237907629070299108,
                          -0.50636564110975879366, 0.8623188722876839341};
  expect_within_one_ulp(row_of({.dim = 8}, 100000), exact);
}

TEST(Sinusoidal, FrequencyDenominatorGivesTheTensor2TensorFrequencies) {
  // exponents i / (dim/2 - 1): frequencies 1, 1e-2, 1e-4
  const double exact[] = {0.84147098480789650665, 0.0099998333341666646825, 0.000099999999833333333,
                          0.5403023058681397174,  0.99995000041666527778,   0.999999995000000004};
  expect_within_one_ulp(
      row_of({.dim = 6, .layout = SinusoidalLayout::half, .frequency_denominator = 4}, 1), exact);
}

TEST(Sinusoidal, RowsFollowTheRuleForEveryWidth) {
  Random random;
  const std::size_t wide[] = {126, 127, 128, 129, 130, 255, 256, 257, 258, 259, 511, 513};
  std::vector<std::size_t> widths(wide, wide + std::size(wide));
  for (std::size_t dim = 1; dim <= 67; ++dim) widths.push_back(dim);
  for (std::size_t dim : widths) {
    for (unsigned variant = 0; variant < 4; ++variant) {
      SinusoidalConfig config{.dim = dim, .base = random.uniform(2, 1e6)};
      config.layout = variant % 2 != 0 ? SinusoidalLayout::half : SinusoidalLayout::interleaved;
      config.odd_width = variant / 2 != 0 ? OddWidth::zero : OddWidth::sine;
      const double position[] = {random.uniform(-0x1p24, 0x1p24)};
      Guarded out(dim, (dim + variant) % 4);
      ASSERT_TRUE(succeeded(Sinusoidal(config).table(Positions::of(position), out.span())));
      expect_within_one_ulp(out.span(), exact_row(config, position[0]));
      if (HasFailure()) FAIL() << "dim " << dim << ", variant " << variant;
    }
  }
}

TEST(Sinusoidal, PositionZeroIsZerosAndOnes) {
  EXPECT_TRUE(same_bits(row_of({.dim = 5}, 0), std::vector<float>{0, 1, 0, 1, 0}));
}

TEST(Sinusoidal, NegativePositionsMirrorTheSinesBitForBit) {
  std::vector<float> past = row_of({.dim = 33}, -123456);
  for (std::size_t column = 0; column < past.size(); column += 2) past[column] = -past[column];
  EXPECT_TRUE(same_bits(row_of({.dim = 33}, 123456), past));
}

TEST(Sinusoidal, EveryFormOfThePositionsGivesTheSameBits) {
  const Sinusoidal encoding({.dim = 35});
  std::vector<std::int32_t> narrow;
  std::vector<std::int64_t> wide;
  std::vector<double> real;
  for (std::int32_t position = -5; position < 20; ++position) {
    narrow.push_back(position);
    wide.push_back(position);
    real.push_back(position);
  }
  const std::vector<float> expected = table_of(encoding, Positions::from(-5, 25));
  EXPECT_TRUE(same_bits(table_of(encoding, Positions::of(narrow)), expected));
  EXPECT_TRUE(same_bits(table_of(encoding, Positions::of(wide)), expected));
  EXPECT_TRUE(same_bits(table_of(encoding, Positions::of(real)), expected));
}

// Kind sinusoidal-grow-type: a longer table keeps the rows of the shorter one.
TEST(Sinusoidal, PartsAreTheBitsOfTheWhole) {
  const Sinusoidal encoding({.dim = 259, .layout = SinusoidalLayout::half});
  const Positions positions = Positions::from(60, 11);
  const std::vector<float> whole = table_of(encoding, positions);
  std::vector<float> sums = Random().floats(whole.size());
  std::vector<float> parts = sums;
  ASSERT_TRUE(succeeded(encoding.add(positions, sums)));
  for (std::size_t first = 0; first < 11; first += 4) {
    const Positions some = positions.slice(first, std::min<std::size_t>(4, 11 - first));
    const std::size_t start = first * 259, size = some.size() * 259;
    EXPECT_TRUE(same_bits(table_of(encoding, some), std::span(whole).subspan(start, size)));
    ASSERT_TRUE(succeeded(encoding.add(some, std::span(parts).subspan(start, size))));
  }
  EXPECT_TRUE(same_bits(parts, sums));
}

TEST(Sinusoidal, AddIsTheTableThenOneAddition) {
  for (std::size_t dim : {1u, 2u, 9u, 64u, 131u, 300u}) {
    for (OddWidth odd_width : {OddWidth::sine, OddWidth::zero}) {
      const Sinusoidal encoding({.dim = dim, .odd_width = odd_width});
      const std::vector<float> table = table_of(encoding, Positions::from(7, 3));
      std::vector<float> expected = Random(dim).floats(table.size());
      Guarded x(expected, dim % 4);
      for (std::size_t i = 0; i < table.size(); ++i) expected[i] += table[i];
      ASSERT_TRUE(succeeded(encoding.add(Positions::from(7, 3), x.span())));
      EXPECT_TRUE(same_bits(x.span(), expected)) << dim;
    }
  }
}

TEST(Sinusoidal, NoPositionsWriteNothing) {
  const Sinusoidal encoding({.dim = 4});
  Guarded out(0);
  EXPECT_TRUE(succeeded(encoding.table(Positions(), out.span())));
  EXPECT_TRUE(succeeded(encoding.add(Positions(), out.span())));
}

TEST(Sinusoidal, TheFarthestPositionsAreFiniteAndShardsAgree) {
  const Sinusoidal encoding({.dim = 66});
  for (std::int64_t position : {kMaxPosition, -kMaxPosition}) {
    const std::vector<float> row = table_of(encoding, Positions::from(position, 1));
    for (float value : row) EXPECT_LE(std::fabs(value), 1.0f);
    for (std::size_t pair = 0; pair < 33; ++pair) {
      EXPECT_NEAR(std::hypot(row[2 * pair], row[2 * pair + 1]), 1.0, 0x1p-23);
    }
  }
}

TEST(Sinusoidal, ConfigsOutsideTheirRangeAreRejected) {
  expect_failure(check(SinusoidalConfig{}), Code::value_range, "dim",
                 "sinusoidal: dim must be 1 to 16777216, got 0");
  expect_failure(check(SinusoidalConfig{.dim = 16777217}), Code::value_range, "dim",
                 "sinusoidal: dim must be 1 to 16777216, got 16777217");
  const std::string base = "sinusoidal: base must be 1 to 1e+30, got ";
  const auto with_base = [](double value) { return check({.dim = 4, .base = value}); };
  expect_failure(with_base(0.5), Code::value_range, "base", base + "0.5");
  expect_failure(with_base(-1), Code::value_range, "base", base + "-1");
  expect_failure(with_base(2e30), Code::value_range, "base", base + "2e+30");
  expect_failure(with_base(kNaN), Code::value_range, "base", base + "nan");
  expect_failure(with_base(-kNaN), Code::value_range, "base", base + "nan");
  expect_failure(with_base(double{kInfinity}), Code::value_range, "base", base + "inf");
  const std::string denominator = "sinusoidal: frequency_denominator must be 1 to 33554432, got ";
  const auto with_denominator = [](double value) {
    return check(SinusoidalConfig{.dim = 4, .frequency_denominator = value});
  };
  expect_failure(with_denominator(-2), Code::value_range, "frequency_denominator",
                 denominator + "-2");
  expect_failure(with_denominator(kNaN), Code::value_range, "frequency_denominator",
                 denominator + "nan");
  EXPECT_TRUE(succeeded(check({.dim = 1, .base = 1, .frequency_denominator = 1})));
  EXPECT_FALSE(make(SinusoidalConfig{}).ok());
  EXPECT_THROW(Sinusoidal(SinusoidalConfig{}), Error);
}

TEST(Sinusoidal, WrongCallsWriteNothingAndTheNextOneWorks) {
  const Sinusoidal encoding({.dim = 4});
  Guarded out(12);
  for (const bool adds : {false, true}) {
    const auto call = [&](const Positions& positions, std::size_t size) {
      const std::span<float> part = out.span().first(size);
      return adds ? encoding.add(positions, part) : encoding.table(positions, part);
    };
    const std::string field = adds ? "x" : "out", name = "sinusoidal: " + field;
    expect_failure(call(Positions::from(0, 3), 11), Code::shape, field,
                   name + " must have positions * dim = 3 * 4 = 12 elements, got 11");
    expect_failure(call(Positions::from(0, 0), 4), Code::shape, field,
                   name + " must have positions * dim = 0 * 4 = 0 elements, got 4");
    expect_failure(call(Positions::from(0, std::size_t{1} << (sizeof(void*) * 8 - 3)), 12),
                   Code::size_limit, field, too_many(name));
    expect_failure(call(Positions::from(kMaxPosition - 1, 3), 12), Code::position_range,
                   "positions",
                   "sinusoidal: positions must be finite and at most 1125899906842624 in "
                   "magnitude, got 1125899906842625");
    const double bad[] = {0, 1, kNaN};
    expect_failure(call(Positions::of(bad), 12), Code::position_range, "positions",
                   "sinusoidal: positions must be finite and at most 1125899906842624 in "
                   "magnitude, got nan");
    EXPECT_TRUE(out.untouched());
  }
  EXPECT_TRUE(succeeded(encoding.table(Positions::from(0, 3), out.span())));
  EXPECT_FALSE(out.untouched());
}

}  // namespace
}  // namespace posenc
