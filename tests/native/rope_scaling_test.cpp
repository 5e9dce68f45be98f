// The scalings of rope: golden values, what they share, and what set_length promises.

#include <optional>
#include <string>
#include <vector>

#include "allocations.hpp"
#include "helpers.hpp"
#include "posenc/rotary/rope.hpp"

namespace posenc {
namespace {

using namespace tests;

constexpr std::size_t kNear = 1;  // index of a pair

void expect_near(double actual, double exact) { EXPECT_NEAR(actual, exact, 1e-13 * exact); }

/// A LongRope of 48 pairs whose lists differ everywhere.
LongRope long_rope() {
  LongRope rope{.original_max_position_embeddings = 4096, .factor = 32};
  for (int i = 0; i < 48; ++i) {
    rope.short_factor.push_back(1.0 + 0.01 * i);
    rope.long_factor.push_back(1.0 + 0.5 * i);
  }
  return rope;
}

std::vector<float> tables(const Rope& rope, const Positions& positions) {
  const std::size_t size = positions.size() * rope.inv_freq().size();
  std::vector<float> both(2 * size);
  const std::span<float> all(both);
  EXPECT_TRUE(succeeded(rope.angles(positions, all.first(size), all.last(size))));
  return both;
}

TEST(RopeScaling, NoneIsThePlainLadder) {
  const Rope rope({.head_dim = 8});
  const double exact[] = {1, 0.1, 0.01, 0.001};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_DOUBLE_EQ(rope.inv_freq()[i], exact[i]);
  EXPECT_EQ(rope.attention_factor(), 1.0);
  EXPECT_EQ(rope.scaled_base(), 10000.0);
  EXPECT_FALSE(rope.yarn_ramp().has_value());
}

// Kind ntk-constant-instead-of-dynamic: the length does not cancel out of the base.
TEST(RopeScaling, DynamicNtkRaisesTheBaseWithTheLength) {
  Rope rope({.head_dim = 128, .scaling = DynamicNtk{4, 2048}});
  const double bases[] = {10000.0, 51293.787268152436775, 135401.97304176548825};
  const std::int64_t lengths[] = {2048, 4096, 8192};
  for (std::size_t i = 0; i < 3; ++i) {
    ASSERT_TRUE(succeeded(rope.set_length(lengths[i])));
    expect_near(rope.scaled_base(), bases[i]);
    EXPECT_EQ(rope.config().length, lengths[i]);
    EXPECT_EQ(rope.inv_freq()[0], 1.0);
  }
}

TEST(RopeScaling, DynamicNtkChangesNothingUpToTheTrainedLength) {
  const Positions positions = Positions::from(1 << 20, 3);
  const std::vector<float> plain = tables(Rope({.head_dim = 96}), positions);
  for (std::int64_t length : {0, 1, 4095, 4096}) {
    const Rope rope({.head_dim = 96, .scaling = DynamicNtk{8, 4096}, .length = length});
    EXPECT_TRUE(same_bits(tables(rope, positions), plain)) << length;
  }
  const Rope longer({.head_dim = 96, .scaling = DynamicNtk{8, 4096}, .length = 4097});
  EXPECT_LT(longer.inv_freq()[kNear], Rope({.head_dim = 96}).inv_freq()[kNear]);
}

TEST(RopeScaling, StaticNtkRaisesTheBase) {
  const Rope rope({.head_dim = 8, .scaling = StaticNtk{2}});
  expect_near(rope.scaled_base(), 25198.420997897464);  // 10000 * 2^(8/6)
  expect_near(rope.inv_freq()[3], 0.0005);              // the slowest is divided by the factor
}

TEST(RopeScaling, FactorOneIsNoScaling) {
  const Positions positions = Positions::from(-(1 << 20), 5);
  const std::vector<float> plain = tables(Rope({.head_dim = 64}), positions);
  const RopeScaling scalings[] = {Linear{1}, StaticNtk{1}, DynamicNtk{1, 4096}, Yarn{1, 4096},
                                  Proportional{1, 1}};
  for (const RopeScaling& scaling : scalings) {
    const Rope rope({.head_dim = 64, .scaling = scaling, .length = 1000});
    EXPECT_TRUE(same_bits(tables(rope, positions), plain)) << scaling.index();
    EXPECT_EQ(rope.attention_factor(), 1.0);
  }
}

TEST(RopeScaling, YarnRampIsRoundedOutwardsUnlessToldNotTo) {
  const Yarn yarn{.factor = 16, .original_max_position_embeddings = 4096};
  const auto ramp = Rope({.head_dim = 128, .scaling = yarn}).yarn_ramp();
  ASSERT_TRUE(ramp.has_value());
  EXPECT_EQ(ramp->low, 20.0);
  EXPECT_EQ(ramp->high, 46.0);
  Yarn exact = yarn;
  exact.truncate = false;
  const auto unrounded = Rope({.head_dim = 128, .scaling = exact}).yarn_ramp();
  expect_near(unrounded->low, 20.944481620636054);
  expect_near(unrounded->high, 45.02688127375455);
}

// Kind yarn-interpolated-frequency.
TEST(RopeScaling, YarnKeepsTheFastestPairAndDividesTheSlowest) {
  const Rope rope({.head_dim = 16, .scaling = Yarn{4, 2048}});
  EXPECT_EQ(rope.inv_freq()[0], 1.0);
  expect_near(rope.inv_freq()[7], 0.0000790569415042094833);
}

// Kind yarn-attention-factor-override.
TEST(RopeScaling, YarnAttentionFactorIsTheGivenOneOrFromTheFactor) {
  const auto factor_of = [](const Yarn& yarn) {
    return Rope({.head_dim = 64, .scaling = yarn}).attention_factor();
  };
  Yarn yarn{.factor = 64, .original_max_position_embeddings = 4096};
  expect_near(factor_of(yarn), 1.4158883083359671857);
  yarn.attention_factor = 1.0;
  EXPECT_EQ(factor_of(yarn), 1.0);
  yarn = {.factor = 128, .original_max_position_embeddings = 4096};
  expect_near(factor_of(yarn), 1.4852030263919617166);
  yarn = {.factor = 40, .original_max_position_embeddings = 4096, .mscale = 1};
  yarn.mscale_all_dim = 0.707;
  expect_near(factor_of(yarn), 1.0857263992561357);
}

// The same kind: it multiplies cosines and sines once, a given one as it is.
TEST(RopeScaling, YarnTablesHaveTheAttentionFactorOnce) {
  const struct {
    double factor;
    std::optional<double> given;
    double multiplier;
  } cases[] = {{64, 1.0, 1.0},
               {128, 1.4852030263919617166, 1.4852030263919617166},
               {64, std::nullopt, 1.4158883083359671857}};
  for (const auto& [factor, given, multiplier] : cases) {
    Yarn yarn{.factor = factor, .original_max_position_embeddings = 4096};
    yarn.attention_factor = given;
    const Rope rope({.head_dim = 64, .scaling = yarn});
    expect_near(rope.attention_factor(), multiplier);
    const std::vector<float> both = tables(rope, Positions::from(5, 1));
    for (std::size_t i = 0; i < 32; ++i) {
      const double angle = 5 * rope.inv_freq()[i];
      EXPECT_LE(ulp_error(both[i], multiplier * std::cos(angle)), 1.0) << factor << ", " << i;
      EXPECT_LE(ulp_error(both[32 + i], multiplier * std::sin(angle)), 1.0) << factor << ", " << i;
    }
  }
}

TEST(RopeScaling, DeepSeekCorrectsTheSoftmaxScaleApart) {
  Yarn yarn{.factor = 40, .original_max_position_embeddings = 4096, .mscale = 1};
  yarn.mscale_all_dim = 1;
  const Rope rope({.head_dim = 64, .scaling = yarn});
  EXPECT_EQ(rope.attention_factor(), 1.0);
  EXPECT_NEAR(rope.softmax_scale_factor(), 1.8739, 1e-4);
  EXPECT_EQ(rope.softmax_scale(), rope.softmax_scale_factor() / 8);
  yarn.mscale = yarn.mscale_all_dim = 0.707;
  EXPECT_NEAR(Rope({.head_dim = 64, .scaling = yarn}).softmax_scale_factor(), 1.5896, 1e-4);
  EXPECT_EQ(Rope({.head_dim = 64}).softmax_scale(), 0.125);
}

TEST(RopeScaling, LongRopeSwitchesAboveTheOriginalLength) {
  Rope rope({.head_dim = 96, .scaling = long_rope()});
  const Rope plain({.head_dim = 96});
  for (const auto& [length, step] : {std::pair{0, 0.01}, {4096, 0.01}, {4097, 0.5}, {9, 0.01}}) {
    ASSERT_TRUE(succeeded(rope.set_length(length)));
    for (int i = 0; i < 48; ++i) {
      const auto at = static_cast<std::size_t>(i);
      EXPECT_DOUBLE_EQ(rope.inv_freq()[at], plain.inv_freq()[at] / (1.0 + step * i)) << length;
    }
    expect_near(rope.attention_factor(), 1.1902380714238083);
  }
  LongRope own = long_rope();
  own.short_attention_factor = 1.25;
  own.long_attention_factor = 1.5;
  EXPECT_EQ(Rope({.head_dim = 96, .scaling = own}).attention_factor(), 1.25);
  EXPECT_EQ(Rope({.head_dim = 96, .scaling = own, .length = 5000}).attention_factor(), 1.5);
  own = long_rope();
  own.factor = 1;
  EXPECT_EQ(Rope({.head_dim = 96, .scaling = own}).attention_factor(), 1.0);
}

// Kind llama3-bands.
TEST(RopeScaling, Llama3KeepsBlendsAndDivides) {
  const Rope rope({.head_dim = 128, .base = 500000, .scaling = Llama3{}});
  const double exact[] = {
      0.0032114459947525910185,  0.0021665707635033586093,   0.0013718935677611381604,
      0.00085675141291963208107, 0.00052484616099295466973,  0.00031269375038406513222,
      0.00017850781276799641852, 0.000095562123539646830199, 0.000077846552739324497444};
  const double ratios[] = {1.0,
                           0.82816841183717964506,
                           0.6437431331275951136,
                           0.49350712273197105622,
                           0.37112227951784469221,
                           0.27142547707278615774,
                           0.19021074364065017172,
                           0.125,
                           0.125};
  const Rope plain({.head_dim = 128, .base = 500000});
  for (std::size_t i = 0; i < std::size(exact); ++i) {
    expect_near(rope.inv_freq()[28 + i], exact[i]);
    expect_near(rope.inv_freq()[28 + i] / plain.inv_freq()[28 + i], ratios[i]);
  }
  EXPECT_EQ(rope.inv_freq()[0], plain.inv_freq()[0]);
  EXPECT_EQ(rope.inv_freq()[63], plain.inv_freq()[63] / 8);
}

// Kind rope-partial-proportional: not the same as a partial rotary_dim.
TEST(RopeScaling, ProportionalTurnsTheFirstPairsOfTheWholeHead) {
  const Rope rope({.head_dim = 8, .scaling = Proportional{.partial_rotary_factor = 0.5}});
  const double exact[] = {-1.6955925368997815678, 0.13755173828317458865, 3.0, 4.0,
                          -4.8088424749423600643, 6.3230593480763152681,  7.0, 8.0};
  std::vector<float> x{1, 2, 3, 4, 5, 6, 7, 8};
  ASSERT_TRUE(succeeded(rope.apply(x, {.positions = Positions::from(3, 1)})));
  for (std::size_t i = 0; i < 8; ++i) EXPECT_NEAR(x[i], exact[i], 1e-6) << i;
  std::vector<float> y{1, 2, 3, 4, 5, 6, 7, 8};
  ASSERT_TRUE(succeeded(
      Rope({.head_dim = 8, .rotary_dim = 4}).apply(y, {.positions = Positions::from(3, 1)})));
  EXPECT_NE(y[2], 3.0f);
  EXPECT_EQ(y[4], 5.0f);
}

TEST(RopeScaling, CustomFrequenciesAreTakenAsTheyAre) {
  const CustomFrequencies custom{.inv_freq = {0.5, -0.25, 0.0}, .attention_factor = 1.25};
  const Rope rope({.head_dim = 6, .scaling = custom});
  EXPECT_EQ(rope.attention_factor(), 1.25);
  std::vector<float> cos(3), sin(3);
  ASSERT_TRUE(succeeded(rope.angles(Positions::from(2, 1), cos, sin)));
  EXPECT_LE(ulp_error(sin[0], 1.25 * std::sin(1.0)), 1.0);
  EXPECT_LE(ulp_error(sin[1], 1.25 * std::sin(-0.5)), 1.0);
  EXPECT_EQ(cos[2], 1.25f);
  EXPECT_EQ(sin[2], 0.0f);
}

// What a state kept from an earlier, longer prompt would break.
TEST(RopeScaling, SetLengthLongShortLongGivesTheBitsOfAFreshRope) {
  const Positions positions = Positions::from(100000, 4);
  for (const RopeScaling& scaling :
       {RopeScaling(DynamicNtk{8, 4096}), RopeScaling(long_rope()), RopeScaling(Yarn{4, 4096})}) {
    Rope rope({.head_dim = 96, .scaling = scaling});
    for (std::int64_t length : {100000, 12, 65536, 4096, 4097, 0}) {
      const std::size_t before = allocations();
      const Status status = rope.set_length(length);
      EXPECT_EQ(allocations(), before);
      ASSERT_TRUE(succeeded(status));
      const Rope fresh({.head_dim = 96, .scaling = scaling, .length = length});
      EXPECT_TRUE(same_bits(tables(rope, positions), tables(fresh, positions))) << length;
      EXPECT_EQ(rope.attention_factor(), fresh.attention_factor());
      EXPECT_EQ(rope.scaled_base(), fresh.scaled_base());
    }
  }
}

TEST(RopeScaling, SetLengthRefusesNegativeLengths) {
  Rope rope({.head_dim = 8, .scaling = DynamicNtk{2, 16}, .length = 64});
  const double before = rope.inv_freq()[1];
  expect_failure(rope.set_length(-1), Code::value_range, "length",
                 "rope: length must be 0 to 2^50, got -1");
  expect_failure(rope.set_length((std::int64_t{1} << 50) + 1), Code::value_range, "length",
                 "rope: length must be 0 to 2^50, got 1125899906842625");
  EXPECT_EQ(rope.config().length, 64);
  EXPECT_EQ(rope.inv_freq()[1], before);
}

// The angles that float32 code gives: frequencies and the product rounded to float32.
TEST(RopeScaling, Float32AnglesMultiplyInFloat32) {
  const std::vector<double> frequencies{0x1.99999ap-4, 0x1.47ae14p-7};
  const Rope rope({.head_dim = 4,
                   .scaling = CustomFrequencies{.inv_freq = frequencies},
                   .angles = Angles::float32});
  for (const double position : {0.0, 1.0, 16777215.0, -12345.0, 0.3}) {
    std::vector<float> cos(2), sin(2);
    const double positions[] = {position};
    ASSERT_TRUE(succeeded(rope.angles(Positions::of(positions), cos, sin)));
    for (std::size_t i = 0; i < 2; ++i) {
      const float angle = static_cast<float>(position) * static_cast<float>(frequencies[i]);
      EXPECT_LE(ulp_error(cos[i], std::cos(static_cast<double>(angle))), 1.0) << position;
      EXPECT_LE(ulp_error(sin[i], std::sin(static_cast<double>(angle))), 1.0) << position;
    }
  }
}

}  // namespace
}  // namespace posenc
