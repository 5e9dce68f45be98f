#include "posenc/relative/pope.hpp"

#include <string>

#include "bias_helpers.hpp"
#include "exact.hpp"

namespace posenc {
namespace {

using namespace tests;

std::vector<float> embedded(const Pope& pope, ConstFloats x, const Positions& positions,
                            bool keys) {
  Guarded out(2 * x.size(), 1);
  EXPECT_TRUE(succeeded(keys ? pope.embed_keys(x, positions, out.span())
                             : pope.embed_queries(x, positions, out.span())));
  return copy_of(out);
}

double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::fabs(x))); }

TEST(Pope, ValuesOfTheReferenceFarFromTheStart) {
  const float delta[] = {-4.496455f, -1.6193819f, -3.119785f, -1.5364606f};
  const float q[] = {1.7168376f, -1.3033131f, -1.3621861f, -1.1694139f};
  const float k[] = {-0.47670746f, 0.2429076f, 1.9113195f, -0.66893274f, -1.6170003f, -1.5536435f,
                     0.55794847f,  0.7866906f, 1.368546f,  -1.2585714f,  0.0626321f,  0.9936333f};
  const double expected_q[] = {-1.358522802014667,  0.007350503255655565, 0.0011210714933078182,
                               -0.2546191903686316, 1.3024957558721808,   0.24018737094011847,
                               -0.2280091737063057, -0.09115994105740231};
  const double expected_k[] = {
      -0.10347341478804314,   -0.03991961553859232,  -2.0487534610410925,   0.014198516290580662,
      0.4717194201474916,     -0.8209884812276316,   -0.04468544541800613,  -0.41335813081319756,
      -0.18101975970183354,   0.19053275887564708,   -0.02557415568753904,  -0.42892237165438074,
      -0.0040525467304988235, -0.022353134522025354, 1.010216553287746,     1.0798712940101394,
      -0.831664677306425,     0.24924323840321821,   -0.019371587540837648, -0.48313120991835445,
      -1.3613238979629882,    -0.019776234006794503, 0.7246946355895295,    1.2161609964519582};
  const Pope pope({.heads = 1, .head_dim = 4, .base = 500000, .delta = delta});
  const double keys[] = {0, 65535, 65536};
  expect_ulps(embedded(pope, q, Positions::from(65536, 1), false), expected_q, 1);
  expect_ulps(embedded(pope, k, Positions::of(keys), true), expected_k, 1);
}

constexpr double kFarPositions[] = {0, 0.5, -77, 4095, 1 << 24};

/// The formula for x [2, 5, dim] at kFarPositions; `delta` is empty for queries.
std::vector<double> formula(std::span<const float> x, std::size_t dim,
                            std::span<const float> delta) {
  std::vector<double> exact(2 * x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t row = i / dim, column = i % dim, head = row / 5;
    Exact angle =
        exact_frequency(10000, 2 * static_cast<double>(dim), column) * kFarPositions[row % 5];
    if (!delta.empty()) angle = angle + static_cast<double>(delta[head * dim + column]);
    const SinCosOf turn = sin_cos(angle);
    const double magnitude = softplus(static_cast<double>(x[i]));
    exact[row * 2 * dim + column] = magnitude * turn.cos.value();
    exact[row * 2 * dim + dim + column] = magnitude * turn.sin.value();
  }
  return exact;
}

TEST(Pope, EveryValueIsWithinOneUlpOfTheFormula) {
  Random random;
  for (std::size_t dim : {1u, 7u, 64u, 200u}) {
    const std::vector<float> delta = random.floats(2 * dim, -6.25, 0);
    const Pope pope({.heads = 2, .head_dim = dim, .delta = delta});
    const std::vector<float> x = random.floats(10 * dim, -30, 30);
    for (bool keys : {false, true}) {
      expect_ulps(embedded(pope, x, Positions::of(kFarPositions), keys),
                  formula(x, dim, keys ? std::span<const float>(delta) : std::span<const float>()),
                  1);
    }
  }
}

TEST(Pope, NormIsTheMagnitudeWhateverThePosition) {
  Random random;
  const std::vector<float> x = random.floats(3 * 8, -4, 4), delta = random.floats(8, -6, 0);
  const Pope pope({.heads = 1, .head_dim = 8, .delta = delta});
  const std::vector<float> out = embedded(pope, x, Positions::from(1000, 3), true);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t at = i / 8 * 16 + i % 8;
    const double magnitude = softplus(static_cast<double>(x[i]));
    EXPECT_NEAR(std::hypot(static_cast<double>(out[at]), static_cast<double>(out[at + 8])),
                magnitude, magnitude * 0x1p-22);
  }
}

TEST(Pope, PhasesAreClampedAndCopied) {
  Random random;
  const std::vector<float> x = random.floats(2);
  std::vector<float> delta{3.0f, -9.0f};
  const Pope pope({.heads = 1, .head_dim = 2, .delta = delta});
  std::ranges::fill(delta, -1.0f);
  const std::vector<float> out = embedded(pope, x, Positions::from(0, 1), true);
  // 0 and -2 pi are no turn
  EXPECT_LE(ulp_error(out[0], softplus(static_cast<double>(x[0]))), 1);
  EXPECT_LE(ulp_error(out[1], softplus(static_cast<double>(x[1]))), 1);
  EXPECT_EQ(out[2], 0);
  EXPECT_LT(std::fabs(out[3]), 1e-25f);
}

TEST(Pope, WithoutPhasesKeysAreEmbeddedAsQueries) {
  Random random;
  const std::vector<float> x = random.floats(2 * 3 * 5);
  const Pope pope({.heads = 2, .head_dim = 5});
  const Positions positions = Positions::from(9, 3);
  EXPECT_TRUE(same_bits(embedded(pope, x, positions, true), embedded(pope, x, positions, false)));
}

TEST(Pope, ExtremeInputsKeepTheirMagnitude) {
  const std::vector<float> x{-kInfinity, -1e30f, -80, -20, 1e30f, kInfinity};
  const Pope pope({.heads = 1, .head_dim = 6});
  const std::vector<float> out = embedded(pope, x, Positions::from(0, 1), false);
  EXPECT_EQ(out[0], 0);
  EXPECT_EQ(out[1], 0);
  EXPECT_LE(ulp_error(out[2], std::exp(-80.0)), 1);
  EXPECT_LE(ulp_error(out[3], std::log1p(std::exp(-20.0))), 1);
  EXPECT_EQ(out[4], 1e30f);
  EXPECT_EQ(out[5], kInfinity);
}

/// Of so many values some lie so near a tie of float16 that rounding to float32 first would err.
TEST(Pope, ShortElementsAreTheFormulaRoundedOnce) {
  Random random;
  for (std::size_t dim : {7u, 4096u}) {
    const std::vector<float> delta = random.floats(2 * dim, -6.25, 0);
    const Pope pope({.heads = 2, .head_dim = dim, .delta = delta});
    for (StorageType type : kShortTypes) {
      const ShortFloats x(random.floats(10 * dim, -4, 30), type);
      const Positions positions = Positions::of(kFarPositions);
      ShortFloats queries(20 * dim, type), keys(20 * dim, type);
      ASSERT_TRUE(succeeded(pope.embed_queries(x, positions, queries)));
      ASSERT_TRUE(succeeded(pope.embed_keys(x, positions, keys)));
      expect_nearest(queries, type, formula(x.floats(), dim, {}));
      expect_nearest(keys, type, formula(x.floats(), dim, delta));
    }
  }
}

TEST(PopeRejection, ConfigsOutsideTheirRange) {
  const std::vector<float> three(3);
  const auto rejects = [](const PopeConfig& config, Code code, const char* field,
                          const char* message) {
    expect_failure(make(config).status(), code, field, message);
  };
  rejects({}, Code::value_range, "heads", "pope: heads must be 1 to 16777216, got 0");
  rejects({.heads = 1}, Code::value_range, "head_dim",
          "pope: head_dim must be 1 to 16777216, got 0");
  rejects({.heads = 1, .head_dim = 1, .base = kNaN}, Code::value_range, "base",
          "pope: base must be 1 to 1e+30, got nan");
  rejects({.heads = 1, .head_dim = 2, .delta = three}, Code::shape, "delta",
          "pope: delta must have heads * head_dim = 1 * 2 = 2 elements, got 3");
  EXPECT_THROW(Pope(PopeConfig{}), Error);
}

TEST(PopeRejection, WrongCallsWriteNothing) {
  const Pope pope({.heads = 1, .head_dim = 2});
  Guarded memory(14);
  const std::span<float> x = memory.span().first(4), out = memory.span().last(8);
  const Positions two = Positions::from(0, 2);
  const double nan[] = {0, kNaN};
  for (bool keys : {false, true}) {
    const auto embed = [&](ConstFloats from, const Positions& positions, Floats to) {
      return keys ? pope.embed_keys(from, positions, to) : pope.embed_queries(from, positions, to);
    };
    expect_failure(embed(x.first(3), two, out), Code::shape, "x",
                   "pope: x must have heads * positions * head_dim = 1 * 2 * 2 = 4 elements, got "
                   "3");
    expect_failure(embed(x, two, out.first(4)), Code::shape, "out",
                   "pope: out must have heads * positions * 2 head_dim = 1 * 2 * 2 * 2 = 8 "
                   "elements, got 4");
    expect_failure(embed(x, two, memory.span().subspan(3, 8)), Code::overlap, "out",
                   "pope: out must not overlap x");
    expect_failure(embed(x, Positions::of(nan), out), Code::position_range, "positions",
                   "pope: positions must be finite and at most 1125899906842624 in magnitude, got "
                   "nan");
    EXPECT_TRUE(succeeded(embed({}, Positions(), {})));
  }
  EXPECT_TRUE(memory.untouched());
}

}  // namespace
}  // namespace posenc
