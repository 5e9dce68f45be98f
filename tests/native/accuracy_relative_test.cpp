// How far the tables of relative encodings, and biases that depend on content, are from exact
// values: at most 1 ulp of float32.

#include <algorithm>
#include <vector>

#include "accuracy.hpp"
#include "posenc/relative/cope.hpp"
#include "posenc/relative/forgetting_bias.hpp"
#include "posenc/relative/gated_position_bias.hpp"
#include "posenc/relative/pope.hpp"
#include "posenc/relative/transformer_xl.hpp"

namespace posenc {
namespace {

using namespace tests;

Exact number(float value) { return static_cast<double>(value); }

TEST(AccuracyRelative, TransformerXlRows) {
  Random random;
  Sweep swept("transformer_xl rows", "3 widths, 3 bases, distances to 2^24, clamped and not");
  const std::vector<float> biases(2 * 8);
  for (const std::size_t width : {2u, 30u, 128u}) {
    for (const double base : {100.0, 10000.0, 1e30}) {
      for (const std::int64_t clamp_len : {-1, 400}) {
        const TransformerXl encoding({.heads = 2,
                                      .head_dim = 8,
                                      .d_model = width,
                                      .base = base,
                                      .clamp_len = clamp_len,
                                      .content_bias = biases,
                                      .position_bias = biases});
        for (std::size_t index = 0; index < 60; ++index) {
          const std::size_t pair = index / 4 * 3 % (width / 2);
          const Exact frequency = exact_frequency(base, static_cast<double>(width), pair);
          const auto first =
              static_cast<std::int64_t>(std::round(swept_position(random, index, frequency)));
          std::vector<float> out(4 * width);
          ASSERT_TRUE(succeeded(encoding.rows(first, out)));
          for (std::size_t row = 0; row < 4; ++row) {
            auto at = static_cast<double>(first - static_cast<std::int64_t>(row));
            if (clamp_len > 0) at = std::clamp(at, -400.0, 400.0);
            const SinCosOf exact = sin_cos(frequency * at);
            swept.see(out[row * width + pair], exact.sin, at, pair);
            swept.see(out[row * width + width / 2 + pair], exact.cos, at, width / 2 + pair);
          }
        }
      }
    }
  }
}

TEST(AccuracyRelative, TransformerXlProjections) {
  Random random;
  Sweep swept("transformer_xl project", "random rows and weights, d_model 64");
  const std::vector<float> biases(2 * 8), rows = random.floats(9 * 64),
                                          weight = random.floats(64 * 16);
  const TransformerXl encoding(
      {.heads = 2, .head_dim = 8, .d_model = 64, .content_bias = biases, .position_bias = biases});
  std::vector<float> out(2 * 9 * 8);
  ASSERT_TRUE(succeeded(encoding.project(rows, weight, out)));
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::size_t head = i / 72, row = i / 8 % 9, column = i % 8;
    Exact sum;
    for (std::size_t j = 0; j < 64; ++j) {
      sum = sum + number(rows[row * 64 + j]) * number(weight[j * 16 + head * 8 + column]);
    }
    swept.see(out[i], sum, static_cast<double>(row), column);
  }
}

TEST(AccuracyRelative, Pope) {
  Random random;
  Sweep queries("pope queries", "3 widths, 3 bases, x -30 to 30, all positions");
  Sweep keys("pope keys", "the same, with phases");
  for (const std::size_t dim : {1u, 7u, 64u}) {
    for (const double base : {10000.0, 500000.0, 3.0}) {
      const std::vector<float> delta = random.floats(dim, -6.25, 0);
      const Pope pope({.heads = 1, .head_dim = dim, .base = base, .delta = delta});
      std::vector<float> q(2 * dim), k(2 * dim);
      for (std::size_t index = 0; index < 150; ++index) {
        const std::size_t column = index / 8 % dim;
        const Exact frequency = exact_frequency(base, 2 * static_cast<double>(dim), column);
        const double at = swept_position(random, index, frequency);
        const std::vector<float> x = random.floats(dim, -30, 30);
        ASSERT_TRUE(succeeded(pope.embed_queries(x, Positions::of(std::span(&at, 1)), q)));
        ASSERT_TRUE(succeeded(pope.embed_keys(x, Positions::of(std::span(&at, 1)), k)));
        const Exact magnitude = softplus(number(x[column]));
        const SinCosOf query = sin_cos(frequency * at);
        const SinCosOf key = sin_cos(frequency * at + number(delta[column]));
        queries.see(q[column], magnitude * query.cos, at, column);
        queries.see(q[dim + column], magnitude * query.sin, at, dim + column);
        keys.see(k[column], magnitude * key.cos, at, column);
        keys.see(k[dim + column], magnitude * key.sin, at, dim + column);
      }
    }
  }
}

TEST(AccuracyRelative, ForgettingBias) {
  Random random;
  Sweep swept("forgetting_bias", "gate logits -8 to 8, 96 tokens, both directions, 2 scales");
  constexpr std::size_t kLength = 96;
  for (const double scale : {1.0, 0.3}) {
    const std::vector<float> logits = random.floats(2 * kLength, -8, 8);
    const ForgettingBias encoding({.heads = 1, .causal = false, .log_scale = scale});
    std::vector<double> workspace(kLength);
    std::vector<float> out(kLength * kLength);
    ASSERT_TRUE(succeeded(encoding.bias(logits, workspace, out)));
    // running sums of log_scale * ln sigmoid(logit)
    std::vector<Exact> sums(2 * kLength);
    for (std::size_t i = 0; i < 2 * kLength; ++i) {
      const Exact gate = softplus(-number(logits[i])) * -scale;
      sums[i] = i % kLength == 0 ? gate : sums[i - 1] + gate;
    }
    for (std::size_t at = 0; at < out.size(); ++at) {
      const std::size_t query = at / kLength, key = at % kLength;
      const std::size_t later = kLength * (key > query ? 1 : 0);
      const Exact difference = sums[later + query] - sums[later + key];
      swept.see(out[at], key > query ? -difference : difference, static_cast<double>(query), key);
    }
  }
}

TEST(AccuracyRelative, CopePositions) {
  Random random;
  Sweep swept("cope positions", "logits -6 to 6, 64 keys, at most 20");
  constexpr std::size_t kKeys = 64;
  const std::vector<float> table(21 * 4), logits = random.floats(kKeys * kKeys, -6, 6);
  const Cope cope({.head_dim = 4, .max_pos = 21, .table = table});
  std::vector<float> out(kKeys * kKeys);
  const Positions positions = Positions::from(0, kKeys);
  ASSERT_TRUE(succeeded(cope.positions(logits, positions, positions, out)));
  for (std::size_t query = 0; query < kKeys; ++query) {
    Exact sum;
    for (std::size_t key = query + 1; key-- > 0;) {
      sum = sum + sigmoid(number(logits[query * kKeys + key]));
      const Exact exact = Exact(20.0) < sum ? Exact(20.0) : sum;
      swept.see(out[query * kKeys + key], exact, static_cast<double>(query), key);
    }
  }
}

TEST(AccuracyRelative, GatesOfWavLm) {
  Random random;
  Sweep swept("gated_position_bias gate", "random weights, 3 heads of 16, 40 tokens");
  constexpr std::size_t kDim = 16, kHeads = 3, kLength = 40;
  const std::vector<float> weight = random.floats(8 * kDim, -0.5, 0.5), bias = random.floats(8),
                           constant = random.floats(kHeads),
                           hidden = random.floats(kLength * kHeads * kDim);
  const GatedPositionBias encoding({.heads = kHeads,
                                    .head_dim = kDim,
                                    .gate_weight = weight,
                                    .gate_bias = bias,
                                    .gate_const = constant});
  std::vector<float> out(kHeads * kLength);
  ASSERT_TRUE(succeeded(encoding.gate(hidden, kLength, out)));
  for (std::size_t at = 0; at < out.size(); ++at) {
    const std::size_t head = at / kLength, token = at % kLength;
    Exact sums[2];
    for (std::size_t row = 0; row < 8; ++row) {
      Exact& sum = sums[row / 4];
      sum = sum + number(bias[row]);
      for (std::size_t i = 0; i < kDim; ++i) {
        sum = sum +
              number(weight[row * kDim + i]) * number(hidden[(token * kHeads + head) * kDim + i]);
      }
    }
    const Exact opened = sigmoid(sums[1]) * number(constant[head]) - 1.0;
    swept.see(out[at], sigmoid(sums[0]) * opened + 2.0, static_cast<double>(token), head);
  }
}

}  // namespace
}  // namespace posenc
