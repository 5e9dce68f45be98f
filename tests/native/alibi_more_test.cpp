// ALiBi beyond the paper: other maxima, some heads, slopes of one's own, Falcon, gradients.

#include "bias_helpers.hpp"
#include "posenc/bias/alibi.hpp"

namespace posenc {
namespace {

using namespace tests;

// Kind alibi-on-some-heads.
TEST(AlibiMore, SomeHeadsHaveTheSlopesOfThatManyHeads) {
  const Alibi alibi({.heads = 4, .alibi_heads = 2});
  EXPECT_EQ(
      whole_bias(alibi, Positions::from(2, 1), Positions::from(0, 3)),
      (std::vector<float>{-0.125f, -0.0625f, 0, -0.0078125f, -0.00390625f, 0, 0, 0, 0, 0, 0, 0}));
}

TEST(AlibiMore, HeadsWithoutBiasStillHideTheFuture) {
  const Alibi alibi({.heads = 2, .alibi_heads = 1});
  EXPECT_EQ(whole_bias(alibi, Positions::from(0, 1), Positions::from(0, 2)),
            (std::vector<float>{0, -kInfinity, 0, -kInfinity}));
}

TEST(AlibiMore, SmallestSlopeIsTwoToTheMinusMaximum) {
  for (double most : {1.0, 8.5, 10.0, 16.0}) {
    for (AlibiSlopes rule : {AlibiSlopes::checkpoint, AlibiSlopes::paper}) {
      const Alibi alibi({.heads = 8, .slopes = rule, .alibi_bias_max = most});
      EXPECT_DOUBLE_EQ(alibi.slopes()[7], std::exp2(-most));
      EXPECT_DOUBLE_EQ(alibi.slopes()[3], std::exp2(-most / 2));
    }
  }
}

TEST(AlibiMore, CustomSlopesAreUsedAsTheyAre) {
  const Alibi alibi({.heads = 2, .form = AlibiForm::symmetric, .custom_slopes = {0.3, -2}});
  EXPECT_EQ(whole_bias(alibi, Positions::from(1, 1), Positions::from(0, 3)),
            (std::vector<float>{-0.3f, 0, -0.3f, 2, 0, 2}));
  expect_function_of_distance(alibi);
}

TEST(AlibiMore, FalconRoundsSlopePositionAndProductToBfloat16) {
  const Alibi alibi({.heads = 12});
  Guarded out(60);
  ASSERT_TRUE(succeeded(alibi.falcon_key_bias(Positions::from(0, 5), out.span())));
  const float expected[] = {
      0.0f,         0.5f,        1.0f,        1.5f,        2.0f,        0.0f,        0.25f,
      0.5f,         0.75f,       1.0f,        0.0f,        0.125f,      0.25f,       0.375f,
      0.5f,         0.0f,        0.0625f,     0.125f,      0.1875f,     0.25f,       0.0f,
      0.03125f,     0.0625f,     0.09375f,    0.125f,      0.0f,        0.015625f,   0.03125f,
      0.046875f,    0.0625f,     0.0f,        0.0078125f,  0.015625f,   0.0234375f,  0.03125f,
      0.0f,         0.00390625f, 0.0078125f,  0.01171875f, 0.015625f,   0.0f,        0.70703125f,
      1.4140625f,   2.125f,      2.828125f,   0.0f,        0.35351562f, 0.70703125f, 1.0625f,
      1.4140625f,   0.0f,        0.17675781f, 0.35351562f, 0.53125f,    0.70703125f, 0.0f,
      0.088378906f, 0.17675781f, 0.265625f,   0.35351562f};
  EXPECT_TRUE(same_bits(out.span(), expected));
  // 257 is no bfloat16, and 256 is
  const Alibi one({.heads = 1, .custom_slopes = {1}});
  ASSERT_TRUE(succeeded(one.falcon_key_bias(Positions::from(257, 1), out.span().first(1))));
  EXPECT_EQ(out.span()[0], 256);
}

TEST(AlibiMore, SlopeGradientIsTheSumOverDistances) {
  Random random;
  const Positions queries = Positions::from(2, 3), keys = Positions::from(0, 6);
  for (AlibiForm form : {AlibiForm::causal, AlibiForm::symmetric}) {
    const Alibi alibi({.heads = 2, .form = form});
    const std::vector<float> gradient = random.floats(2 * 3 * 6);
    Guarded slopes(2);
    ASSERT_TRUE(succeeded(alibi.slope_gradient(queries, keys, gradient, slopes.span())));
    for (std::size_t head = 0; head < 2; ++head) {
      double sum = 0;
      for (std::size_t i = 0; i < 18; ++i) {
        const double distance = queries[i / 6] - keys[i % 6];
        if (form == AlibiForm::causal && distance < 0) continue;
        sum -= std::fabs(distance) * static_cast<double>(gradient[head * 18 + i]);
      }
      EXPECT_EQ(slopes.span()[head], static_cast<float>(sum));
    }
  }
}

TEST(AlibiMore, SlopeGradientIsThatOfCentralDifferences) {
  Random random;
  const Positions queries = Positions::from(1, 4), keys = Positions::from(0, 5);
  const std::vector<float> gradient = random.floats(20);
  const auto objective = [&](double slope) {
    const Alibi alibi({.heads = 1, .form = AlibiForm::symmetric, .custom_slopes = {slope}});
    const std::vector<float> bias = whole_bias(alibi, queries, keys);
    return dot(bias, 0, gradient, 0, 20);
  };
  const Alibi alibi({.heads = 1, .form = AlibiForm::symmetric});
  Guarded slope(1);
  ASSERT_TRUE(succeeded(alibi.slope_gradient(queries, keys, gradient, slope.span())));
  EXPECT_NEAR(static_cast<double>(slope.span()[0]), (objective(0.75) - objective(0.25)) / 0.5,
              1e-5);
}

TEST(AlibiMore, VastSequencesWithoutKeysEndAtOnce) {
  const Alibi alibi({.heads = 2});
  Guarded slopes(2);
  EXPECT_TRUE(succeeded(alibi.slope_gradient(vast_positions(), Positions(), {}, slopes.span())));
  for (const float value : slopes.span()) EXPECT_EQ(value, 0);
  EXPECT_TRUE(succeeded(alibi.bias(vast_positions(), Positions(), {})));
}

TEST(AlibiMoreRejection, ConfigsOutsideTheirRange) {
  const auto rejects = [](const AlibiConfig& config, Code code, const char* field,
                          const char* message) {
    expect_failure(make(config).status(), code, field, message);
  };
  rejects({.heads = 2, .alibi_bias_max = 0}, Code::value_range, "alibi_bias_max",
          "alibi: alibi_bias_max must be 1e-30 to 1000, got 0");
  rejects({.heads = 2, .alibi_heads = 3}, Code::value_range, "alibi_heads",
          "alibi: alibi_heads must be at most heads = 2, got 3");
  rejects({.heads = 2, .custom_slopes = {1}}, Code::shape, "custom_slopes",
          "alibi: custom_slopes must have heads = 2 = 2 elements, got 1");
  rejects({.heads = 2, .custom_slopes = {1, kNaN}}, Code::value_range, "custom_slopes",
          "alibi: custom_slopes must be -1e+30 to 1e+30, got nan");
}

TEST(AlibiMoreRejection, WrongCallsWriteNothing) {
  const Alibi alibi({.heads = 2});
  const Positions two = Positions::from(0, 2);
  Guarded memory(10);
  const std::span<float> gradient = memory.span().first(8), slopes = memory.span().last(2);
  expect_failure(alibi.falcon_key_bias(two, gradient), Code::shape, "out",
                 "alibi: out must have heads * keys = 2 * 2 = 4 elements, got 8");
  expect_failure(alibi.slope_gradient(two, two, gradient.first(7), slopes), Code::shape, "gradient",
                 "alibi: gradient must have heads * queries * keys = 2 * 2 * 2 = 8 elements, got "
                 "7");
  expect_failure(alibi.slope_gradient(two, two, gradient, slopes.first(1)), Code::shape, "slopes",
                 "alibi: slopes must have heads = 2 = 2 elements, got 1");
  expect_failure(alibi.slope_gradient(two, two, gradient, gradient.first(2)), Code::overlap,
                 "slopes", "alibi: slopes must not overlap gradient");
  EXPECT_TRUE(memory.untouched());
}

}  // namespace
}  // namespace posenc
