#include "posenc/relative/forgetting_bias.hpp"

#include <string>

#include "bias_helpers.hpp"

namespace posenc {
namespace {

using namespace tests;

std::vector<float> bias_of(const ForgettingBiasConfig& config, ConstFloats gates) {
  const std::size_t length = gates.size() / config.heads / (config.causal ? 1 : 2);
  std::vector<double> workspace(ForgettingBias::workspace_size(length));
  Guarded out(config.heads * length * length, 1);
  EXPECT_TRUE(succeeded(ForgettingBias(config).bias(gates, workspace, out.span())));
  return copy_of(out);
}

/// The sum of log_scale * ln sigmoid over gates (first, last] of a row.
double decay(std::span<const float> gates, std::size_t row, std::size_t length, std::size_t first,
             std::size_t last, double scale) {
  double sum = 0;
  for (std::size_t i = first + 1; i <= last; ++i) {
    const auto x = static_cast<double>(gates[row * length + i]);
    sum += scale * (std::min(x, 0.0) - std::log1p(std::exp(-std::fabs(x))));
  }
  return sum;
}

TEST(ForgettingBias, ClosedGatesForgetAtOnce) {
  const float gates[] = {-3e+01f, -3e+01f, -3e+01f, -3e+01f};
  const double expected[] = {
      0, -kInfinity, -kInfinity,         -kInfinity,          -30.000000000000092,
      0, -kInfinity, -kInfinity,         -60.000000000000185, -30.000000000000092,
      0, -kInfinity, -90.00000000000028, -60.000000000000185, -30.000000000000092,
      0};
  expect_ulps(bias_of({.heads = 1}, gates), expected, 1);
}

TEST(ForgettingBias, FollowsTheDefinitionInBothDirections) {
  Random random;
  const std::size_t heads = 2, length = 9;
  const std::vector<float> gates = random.floats(2 * heads * length, -4, 8);
  const std::vector<float> both =
      bias_of({.heads = heads, .causal = false, .log_scale = 0.5}, gates);
  for (std::size_t i = 0; i < both.size(); ++i) {
    const std::size_t head = i / length / length, query = i / length % length, key = i % length;
    const double exact = key <= query ? decay(gates, head, length, key, query, 0.5)
                                      : decay(gates, heads + head, length, query, key, 0.5);
    EXPECT_NEAR(static_cast<double>(both[i]), exact, 0x1p-24 * std::fabs(exact) + 1e-13);
    EXPECT_LE(both[i], 0);
  }
  const Positions all = Positions::from(0, length);
  expect_causal(bias_of({.heads = heads, .log_scale = 0.5}, std::span(gates).first(heads * length)),
                both, all, all);
}

TEST(ForgettingBias, IsZeroOnTheDiagonal) {
  Random random;
  for (bool causal : {true, false}) {
    const std::vector<float> gates = random.floats(12, -90, 90);
    const std::vector<float> bias = bias_of({.heads = 1, .causal = causal}, gates);
    const std::size_t length = causal ? 12 : 6;
    for (std::size_t i = 0; i < length; ++i) EXPECT_EQ(bias[i * (length + 1)], 0);
  }
}

constexpr double kNever = -std::numeric_limits<double>::infinity();

TEST(ForgettingBias, AShutGateHidesWhatIsBeforeItAndNothingElse) {
  const float shut = -kInfinity, gates[] = {1, shut, 2, 3, shut, -1};
  const double a = -std::log1p(std::exp(-2.0)), b = -std::log1p(std::exp(-3.0));
  const double c = -1 - std::log1p(std::exp(-1.0));
  const double expected[] = {0,      kNever, kNever, kNever, kNever, kNever,  //
                             kNever, 0,      kNever, kNever, kNever, kNever,  //
                             kNever, a,      0,      kNever, kNever, kNever,  //
                             kNever, a + b,  b,      0,      kNever, kNever,  //
                             kNever, kNever, kNever, kNever, 0,      kNever,  //
                             kNever, kNever, kNever, kNever, c,      0};
  expect_near(bias_of({.heads = 1}, gates), expected, 0x1p-24);
  // the same gates for the keys after the query: gates (query, key] are between the two
  std::vector<float> twice(gates, gates + 6);
  twice.insert(twice.end(), gates, gates + 6);
  const std::vector<float> both = bias_of({.heads = 1, .causal = false}, twice);
  for (std::size_t query = 0; query < 6; ++query) {
    for (std::size_t key = 0; key < 6; ++key) {
      const std::size_t late = std::max(query, key), early = std::min(query, key);
      EXPECT_EQ(both[query * 6 + key], both[late * 6 + early]) << query << ", " << key;
      if (query >= key) {
        EXPECT_TRUE(std::isinf(expected[query * 6 + key]) ==
                    std::isinf(static_cast<double>(both[query * 6 + key])));
      }
    }
  }
}

TEST(ForgettingBias, ShutGatesAtTheEndsAndInShortTypes) {
  const std::vector<float> shut(3, -kInfinity);
  const double expected[] = {0, kNever, kNever, kNever, 0, kNever, kNever, kNever, 0};
  expect_near(bias_of({.heads = 1}, shut), expected, 0);
  for (StorageType type : kShortTypes) {
    expect_near(bias_of({.heads = 1}, ShortFloats(shut, type)), expected, 0);
  }
  const float first_alone[] = {-kInfinity, 1}, last_alone[] = {1, -kInfinity};
  const float decay = static_cast<float>(-std::log1p(std::exp(-1.0)));
  EXPECT_EQ(bias_of({.heads = 1}, first_alone), (std::vector<float>{0, -kInfinity, decay, 0}));
  EXPECT_EQ(bias_of({.heads = 1}, last_alone), (std::vector<float>{0, -kInfinity, -kInfinity, 0}));
}

TEST(ForgettingBias, OpenGatesForgetNothingAndNaNStaysFromWhereItIs) {
  const std::vector<float> open(4, kInfinity);
  for (const float value : bias_of({.heads = 1, .causal = false}, open)) EXPECT_EQ(value, 0);
  const float gates[] = {1, 2, std::numeric_limits<float>::quiet_NaN(), 3};
  const std::vector<float> bias = bias_of({.heads = 1}, gates);
  for (std::size_t i = 0; i < 16; ++i) {
    const std::size_t query = i / 4, key = i % 4;
    EXPECT_EQ(std::isnan(bias[i]), query >= 2 && key <= query) << query << ", " << key;
  }
}

TEST(ForgettingBias, EqualGatesAreALinearBias) {
  const std::vector<float> gates(6, 1.5f);
  const std::vector<float> bias = bias_of({.heads = 1, .log_scale = 2}, gates);
  const double slope = 2 * std::log1p(std::exp(-1.5));
  for (std::size_t i = 0; i < 36; ++i) {
    if (i % 6 > i / 6) continue;
    EXPECT_NEAR(static_cast<double>(bias[i]), -slope * static_cast<double>(i / 6 - i % 6), 1e-6);
  }
}

TEST(ForgettingBias, TheStartOfALongerSequenceIsTheSame) {
  Random random;
  const std::vector<float> gates = random.floats(8);
  const std::vector<float> whole = bias_of({.heads = 1}, gates);
  const std::vector<float> start = bias_of({.heads = 1}, std::span(gates).first(5));
  for (std::size_t row = 0; row < 5; ++row) {
    EXPECT_TRUE(
        same_bits(std::span(start).subspan(row * 5, 5), std::span(whole).subspan(row * 8, 5)));
  }
}

TEST(ForgettingBias, ShortOutputsAreRoundedOnce) {
  Random random;
  const std::vector<float> gates = random.floats(10);
  const std::vector<float> floats = bias_of({.heads = 2}, gates);
  for (StorageType type : kShortTypes) {
    double workspace[5];
    ShortFloats out(floats.size(), type);
    ASSERT_TRUE(succeeded(ForgettingBias({.heads = 2}).bias(gates, workspace, out)));
    expect_rounded(out, type, floats);
  }
}

TEST(ForgettingBias, OneKeyAndNone) {
  const float gate[] = {-3};
  EXPECT_EQ(bias_of({.heads = 1}, gate), std::vector<float>{0});
  EXPECT_TRUE(succeeded(ForgettingBias({.heads = 3}).bias({}, {}, {})));
}

TEST(ForgettingBiasRejection, ConfigsOutsideTheirRange) {
  expect_failure(check(ForgettingBiasConfig{}), Code::value_range, "heads",
                 "forgetting_bias: heads must be 1 to 16777216, got 0");
  expect_failure(make(ForgettingBiasConfig{.heads = 1, .log_scale = 0}).status(), Code::value_range,
                 "log_scale", "forgetting_bias: log_scale must be 1e-30 to 1e+30, got 0");
  EXPECT_THROW(ForgettingBias(ForgettingBiasConfig{}), Error);
}

TEST(ForgettingBiasRejection, WrongCallsWriteNothing) {
  Guarded memory(14);
  const std::span<float> gates = memory.span().first(6), out = memory.span().last(8);
  std::vector<double> workspace(3, 7);
  const ForgettingBias two({.heads = 2}), both({.heads = 2, .causal = false});
  expect_failure(two.bias(gates.first(5), workspace, out), Code::shape, "gate_logits",
                 "forgetting_bias: gate_logits must have rows * length = 2 * 2 = 4 elements, got "
                 "5");
  expect_failure(both.bias(gates, workspace, out), Code::shape, "gate_logits",
                 "forgetting_bias: gate_logits must have rows * length = 4 * 1 = 4 elements, got "
                 "6");
  expect_failure(two.bias(gates, workspace, out), Code::shape, "out",
                 "forgetting_bias: out must have heads * length * length = 2 * 3 * 3 = 18 "
                 "elements, got 8");
  expect_failure(two.bias(gates.first(4), std::span(workspace).first(1), out), Code::shape,
                 "workspace", "forgetting_bias: workspace must have at least 2 elements, got 1");
  expect_failure(two.bias(memory.span().subspan(3, 4), workspace, out), Code::overlap, "out",
                 "forgetting_bias: out must not overlap gate_logits");
  EXPECT_TRUE(memory.untouched());
  EXPECT_EQ(workspace, std::vector<double>(3, 7));
}

}  // namespace
}  // namespace posenc
