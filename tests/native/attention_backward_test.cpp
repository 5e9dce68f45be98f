// The gradient of attention: against central differences of attention in double, and by its rules.

#include "posenc/attention/attention_backward.hpp"

#include <vector>

#include "attention_differences.hpp"
#include "posenc/bias/alibi.hpp"

namespace posenc {
namespace {

using namespace tests;

/// Central differences of the loss over some of the elements of one input.
void expect_differences(Differentiable& of, std::vector<float>& input,
                        const std::vector<float>& gradient, const char* name, Random& random) {
  ASSERT_EQ(input.size(), gradient.size()) << name;
  for (int trial = 0; trial < 12 && !input.empty(); ++trial) {
    const auto at =
        static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(input.size()) - 1));
    const float before = input[at];
    const double step = 0x1p-10;
    input[at] = before + static_cast<float>(step);
    const double high = input[at], above = of.loss();
    input[at] = before - static_cast<float>(step);
    const double low = input[at], below = of.loss();
    input[at] = before;
    // the third derivative times step^2, and float32's rounding of sums of some ten terms
    EXPECT_NEAR(gradient[at], (above - below) / (high - low), 2e-5) << name << ' ' << at;
  }
}

void expect_all_differences(Differentiable& of, Random& random) {
  const Gradients got(of);
  expect_differences(of, of.call.q, got.q, "q", random);
  expect_differences(of, of.call.k, got.k, "k", random);
  expect_differences(of, of.call.v, got.v, "v", random);
  if (of.distances.empty()) return;
  expect_differences(of, of.distances, got.distances, "distances", random);
  expect_differences(of, of.bias, got.bias, "bias", random);
  expect_differences(of, of.key_bias, got.key_bias, "key_bias", random);
  expect_differences(of, of.relative_keys, got.relative_keys, "relative_keys", random);
  expect_differences(of, of.relative_queries, got.relative_queries, "relative_queries", random);
  expect_differences(of, of.relative_values, got.relative_values, "relative_values", random);
  expect_differences(of, of.position, got.position, "position_bias", random);
  expect_differences(of, of.content, got.content, "content_bias", random);
}

TEST(AttentionBackward, EqualsCentralDifferences) {
  Random random;
  for (const AttentionArgs& args :
       {AttentionArgs{.query_count = 5, .key_count = 7, .head_dim = 3},
        AttentionArgs{
            .heads = 2, .query_count = 27, .key_count = 20, .head_dim = 4, .causal = true},
        AttentionArgs{.heads = 4,
                      .kv_heads = 2,
                      .query_count = 6,
                      .key_count = 19,
                      .head_dim = 3,
                      .value_dim = 5,
                      .scale = 0.7,
                      .window = 9},
        AttentionArgs{.heads = 2,
                      .kv_heads = 1,
                      .query_count = 26,
                      .key_count = 18,
                      .head_dim = 2,
                      .causal = true,
                      .softcap = 1.5,
                      .query_offset = -3}}) {
    for (const bool with_terms : {false, true}) {
      for (const Numerics numerics : {Numerics::reproducible, Numerics::fast}) {
        Differentiable of(args, with_terms, args.heads == 2, random);
        of.call.args.numerics = numerics;
        expect_all_differences(of, random);
      }
    }
  }
}

TEST(AttentionBackward, TheGradientOfScoresStaysWithinItsBound) {
  Random random;
  double worst = 0;
  for (std::size_t keys : {1u, 17u, 40u, 300u}) {
    Differentiable of({.heads = 2, .query_count = 26, .key_count = keys, .head_dim = 8}, false,
                      false, random);
    of.call.args.causal = keys == 40;
    if (keys == 300) of.call.args.numerics = Numerics::fast;
    const Gradients got(of);
    const AttentionArgs& a = of.call.args;
    for (std::size_t line = 0; line < 52; ++line) {
      const ExactRow row(of.call, line / 26, line % 26);
      std::vector<double> products(keys);
      double mean = 0, largest = 0, relative = 0;
      for (std::size_t key = 0; key < keys; ++key) {
        double magnitude = 0;
        for (std::size_t i = 0; i < 8; ++i) {
          const double product = double{of.out_gradient[line * 8 + i]} *
                                 double{of.call.v[(line / 26 * keys + key) * 8 + i]};
          products[key] += product;
          magnitude += std::fabs(product);
        }
        mean += row.probabilities[key] * products[key];
        if (of.call.sees(line % 26, key)) largest = std::max(largest, magnitude);
        relative = std::max(relative, row.relative_errors[key]);
      }
      const double sums = 2 * (8 + std::ceil(static_cast<double>(keys) / 16) + 8) * 0x1p-24;
      for (std::size_t key = 0; key < keys; ++key) {
        const double exact = row.probabilities[key] * (products[key] - mean);
        const double bound = row.probabilities[key] * (4 * relative + sums) * largest + 0x1p-140;
        worst = std::max(worst, std::fabs(double{got.bias[line * keys + key]} - exact) / bound);
      }
    }
    EXPECT_EQ(a.key_count, keys);
  }
  std::printf("attention_backward: at most %.3f of its bound in the gradient of scores\n", worst);
  EXPECT_LE(worst, 1.0);
}

TEST(AttentionBackward, WhatNoQuerySeesHasNoGradient) {
  Random random;
  const std::vector<std::uint8_t> mask{1, 0, 1, 1};
  Differentiable of({.query_count = 2, .key_count = 4, .head_dim = 2, .causal = true}, false, false,
                    random);
  of.call.args.key_mask = mask;
  of.call.args.query_offset = 1;  // key 3 is after both queries
  const Gradients got(of);
  for (std::size_t key : {1u, 3u}) {
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(got.k[key * 2 + i], 0.0f);
      EXPECT_EQ(got.v[key * 2 + i], 0.0f);
    }
  }
  of.call.args.query_offset = -5;  // no query sees any key
  const Gradients none(of);
  EXPECT_EQ(none.q, std::vector<float>(4, 0.0f));
  EXPECT_EQ(none.v, std::vector<float>(8, 0.0f));
}

TEST(AttentionBackward, WithoutQueriesOrKeysGradientsAreZero) {
  Random random;
  Differentiable no_queries({.query_count = 0, .key_count = 3, .head_dim = 2}, false, false,
                            random);
  EXPECT_EQ(Gradients(no_queries).k, std::vector<float>(6, 0.0f));
  Differentiable no_keys({.query_count = 3, .key_count = 0, .head_dim = 2}, false, false, random);
  EXPECT_EQ(Gradients(no_keys).q, std::vector<float>(6, 0.0f));
}

TEST(AttentionBackward, SlicesOfQueriesGiveTheGradientsOfTheWholeForQ) {
  Random random;
  Differentiable whole({.query_count = 40, .key_count = 50, .head_dim = 5, .causal = true}, false,
                       false, random);
  const Gradients expected(whole);
  for (std::size_t first : {0u, 7u, 24u}) {
    Differentiable part({.query_count = 13,
                         .key_count = 50,
                         .head_dim = 5,
                         .causal = true,
                         .query_offset = static_cast<std::int64_t>(10 + first)},
                        false, false, random);
    const auto rows = [&](const std::vector<float>& x) {
      const std::span<const float> some = std::span(x).subspan(first * 5, 65);
      return std::vector<float>(some.begin(), some.end());
    };
    part.call.q = rows(whole.call.q);
    part.call.k = whole.call.k;
    part.call.v = whole.call.v;
    part.out_gradient = rows(whole.out_gradient);
    EXPECT_TRUE(same_bits(Gradients(part).q, rows(expected.q))) << first;
  }
}

// The gradient by distance is that of the whole bias, summed.
TEST(AttentionBackward, DistancesGiveTheGradientsOfSlopesAndTables) {
  Random random;
  Differentiable of({.heads = 2, .query_count = 30, .key_count = 30, .head_dim = 4}, false, false,
                    random);
  const Alibi alibi({.heads = 2, .form = AlibiForm::symmetric});
  of.distances.resize(2 * 59);
  ASSERT_TRUE(succeeded(alibi.distances(-29, of.distances)));
  of.call.args.terms = {.distances = of.distances, .first_distance = -29};
  const Gradients got(of);
  std::vector<float> whole(2), by_distance(2);
  const Positions all = Positions::from(0, 30), one = Positions::from(0, 1);
  ASSERT_TRUE(succeeded(alibi.slope_gradient(all, all, got.bias, whole)));
  ASSERT_TRUE(
      succeeded(alibi.slope_gradient(one, Positions::from(-29, 59), got.distances, by_distance)));
  for (std::size_t head = 0; head < 2; ++head) {
    EXPECT_NEAR(by_distance[head], whole[head], 1e-4 * (1 + std::fabs(whole[head])));
  }
}

TEST(AttentionBackward, WrongCallsWriteNothing) {
  Random random;
  Differentiable of({.heads = 2, .query_count = 2, .key_count = 3, .head_dim = 2}, false, false,
                    random);
  Guarded workspace(attention_backward_workspace_size(of.call.args)), gradient(12);
  std::span<const float> out_gradient = of.out_gradient;
  std::span<float> scratch = workspace.span();
  AttentionGradients wanted{.k = gradient.span()};
  const auto fails = [&](Code code, std::string_view field, std::string_view message) {
    expect_failure(attention_backward(of.call.q, of.call.k, of.call.v, out_gradient, of.call.args,
                                      scratch, wanted),
                   code, field, message);
    EXPECT_TRUE(gradient.untouched());
  };
  out_gradient = out_gradient.first(7);
  fails(Code::shape, "out_gradient",
        "attention: out_gradient must have heads * query_count * value_dim = 2 * 2 * 2 = "
        "8 elements, got 7");
  out_gradient = of.out_gradient;
  wanted.k = gradient.span().first(11);
  fails(Code::shape, "k_gradient",
        "attention: k_gradient must have 12 elements, as what it is the gradient of, got "
        "11");
  wanted.k = {};
  wanted.distances = gradient.span();
  fails(Code::shape, "distances_gradient",
        "attention: distances_gradient must have 0 elements, as what it is the gradient "
        "of, got 12");
  wanted.distances = {};
  wanted.bias = gradient.span();
  wanted.v = gradient.span();
  fails(Code::overlap, "bias_gradient", "attention: bias_gradient must not overlap v_gradient");
  wanted.v = {};
  scratch = scratch.first(scratch.size() - 1);
  const std::string needed = std::to_string(workspace.span().size());
  fails(Code::shape, "workspace",
        "attention: workspace must have at least " + needed + " elements, got " +
            std::to_string(workspace.span().size() - 1));
}

TEST(AttentionBackward, WorkspaceGrowsWithKeysNotWithTheirSquare) {
  const auto size_of = [](std::size_t length) {
    return attention_backward_workspace_size(
        {.heads = 8, .query_count = length, .key_count = length, .head_dim = 64});
  };
  EXPECT_LT(size_of(65536), 17 * size_of(4096));
  EXPECT_EQ(attention_backward_workspace_size({.heads = 0}), 0u);
}

}  // namespace
}  // namespace posenc
