// Which keys a query sees: windows, hidden keys, the soft cap before them, and that what is not
// seen is not read.

#include <vector>

#include "attention_reference.hpp"
#include "storage_types.hpp"

namespace posenc {
namespace {

using namespace tests;

/// The same call with what is hidden said by a bias of -infinity.
struct MaskedByBias {
  AttentionCase call;
  std::vector<float> bias;

  explicit MaskedByBias(const AttentionCase& given) : call(given), bias(given.score_count()) {
    for (std::size_t at = 0; at < bias.size(); ++at) {
      const std::size_t key = at % call.args.key_count;
      const std::size_t query = at / call.args.key_count % call.args.query_count;
      bias[at] = given.sees(query, key) ? 0.0f : -kInfinity;
    }
    call.args.causal = false;
    call.args.window = 0;
    call.args.key_mask = {};
    call.args.terms.bias = bias;
  }
};

TEST(AttentionMasks, AWindowEqualsAMaskOfInfinities) {
  Random random;
  for (std::size_t window : {1u, 2u, 15u, 16u, 17u, 40u, 1000u}) {
    for (bool causal : {false, true}) {
      for (std::int64_t offset : {-20, 0, 30, 90}) {
        const AttentionCase call({.heads = 2,
                                  .query_count = 50,
                                  .key_count = 67,
                                  .head_dim = 5,
                                  .causal = causal,
                                  .window = window,
                                  .query_offset = offset},
                                 random);
        const MaskedByBias masked(call);
        const AttentionOutput expected = run(masked.call), output = run(call);
        EXPECT_TRUE(same_bits(output.out, expected.out)) << window << ' ' << offset;
        EXPECT_TRUE(same_bits(output.probabilities, expected.probabilities));
      }
    }
  }
}

TEST(AttentionMasks, AHiddenKeyEqualsAMaskOfInfinities) {
  Random random;
  for (std::size_t keys : {1u, 16u, 37u, 70u}) {
    std::vector<std::uint8_t> mask(keys);
    for (std::uint8_t& seen : mask) seen = random.integer(0, 2) != 0 ? 1 : 0;
    AttentionCase call(
        {.heads = 2, .kv_heads = 1, .query_count = 30, .key_count = keys, .head_dim = 5}, random);
    call.args.key_mask = mask;
    for (std::size_t window : {0u, 20u}) {
      call.args.window = window;
      const MaskedByBias masked(call);
      EXPECT_TRUE(same_bits(run(call).out, run(masked.call).out)) << keys;
    }
  }
}

TEST(AttentionMasks, EveryCombinationStaysWithinTheBounds) {
  Random random;
  AttentionErrors errors;
  for (int trial = 0; trial < 60; ++trial) {
    AttentionArgs args{.heads = 2, .query_count = 27};
    args.key_count = static_cast<std::size_t>(random.integer(1, 70));
    args.head_dim = static_cast<std::size_t>(random.integer(1, 20));
    args.causal = random.integer(0, 1) != 0;
    if (random.integer(0, 1) != 0) args.window = static_cast<std::size_t>(random.integer(1, 30));
    if (random.integer(0, 1) != 0) args.softcap = random.uniform(0.5, 30);
    std::vector<std::uint8_t> mask(args.key_count);
    for (std::uint8_t& seen : mask) seen = random.integer(0, 3) != 0 ? 1 : 0;
    if (random.integer(0, 1) != 0) args.key_mask = mask;
    const AttentionCase call(args, random, 4);
    errors.see(call, run(call));
  }
  EXPECT_LE(errors.probability, 1.0);
  EXPECT_LE(errors.out, 1.0);
}

// Scores 3 and -3 with cap 2: 2 tanh(1.5) and its negative; the bias comes after the cap.
TEST(AttentionMasks, TheSoftCapComesBeforeTheBias) {
  Random random;
  AttentionCase call({.query_count = 1, .key_count = 2, .head_dim = 1, .scale = 1, .softcap = 2},
                     random);
  call.q = {1};
  call.k = {3, -3};
  const double capped = 2 * std::tanh(1.5);
  EXPECT_NEAR(run(call).probabilities[0], 1 / (1 + std::exp(-2 * capped)), 0x1p-22);
  const std::vector<float> bias{0, 20};
  call.args.terms.bias = bias;
  EXPECT_NEAR(run(call).probabilities[0], 1 / (1 + std::exp(20 - 2 * capped)), 1e-11);
}

TEST(AttentionMasks, AVeryLargeCapChangesNothingToSpeakOf) {
  Random random;
  AttentionCase call({.query_count = 4, .key_count = 20, .head_dim = 8}, random);
  const AttentionOutput plain = run(call);
  call.args.softcap = 1e6;
  const AttentionOutput capped = run(call);
  for (std::size_t i = 0; i < plain.out.size(); ++i) {
    EXPECT_NEAR(capped.out[i], plain.out[i], 0x1p-19);
  }
}

// Kind attention-padding-garbage: padding of a cache holds anything, NaN too.
TEST(AttentionMasks, WhatIsHiddenIsNotRead) {
  Random random;
  const float nan = std::bit_cast<float>(0x7fc00000u);
  for (StorageType type : {StorageType::float32, StorageType::float16}) {
    std::vector<std::uint8_t> mask(40, 1);
    mask[3] = mask[20] = mask[39] = 0;
    AttentionCase call({.query_count = 30, .key_count = 40, .head_dim = 3}, random);
    call.args.key_mask = mask;
    AttentionCase spoilt = call;
    for (std::size_t key = 0; key < 40; ++key) {
      if (mask[key] != 0) continue;
      std::fill_n(spoilt.k.begin() + static_cast<std::ptrdiff_t>(3 * key), 3, nan);
      std::fill_n(spoilt.v.begin() + static_cast<std::ptrdiff_t>(3 * key), 3, kInfinity);
    }
    const auto out_of = [&](const AttentionCase& one) {
      const ShortFloats k(one.k, type), v(one.v, type);
      std::vector<float> out(90), workspace(attention_workspace_size(one.args, type));
      const bool is_short = type != StorageType::float32;
      EXPECT_TRUE(succeeded(attention(one.q, is_short ? ConstFloats(k) : ConstFloats(one.k),
                                      is_short ? ConstFloats(v) : ConstFloats(one.v), out, one.args,
                                      workspace)));
      return out;
    };
    EXPECT_TRUE(same_bits(out_of(call), out_of(spoilt)));
  }
}

TEST(AttentionMasks, KeysOutsideTheWindowOrAfterTheQueryDoNotReachIt) {
  Random random;
  AttentionCase call({.query_count = 60, .key_count = 60, .head_dim = 3, .causal = true}, random);
  for (std::size_t window : {0u, 9u}) {
    call.args.window = window;
    const std::vector<float> expected = run(call).out;
    AttentionCase spoilt = call;
    for (std::size_t i = 3 * 31; i < 180; ++i) {
      spoilt.k[i] = spoilt.v[i] = std::bit_cast<float>(0x7fc00000u);
    }
    const std::vector<float> out = run(spoilt).out;
    EXPECT_TRUE(same_bits(std::span(out).first(93), std::span(expected).first(93)));
  }
}

TEST(AttentionMasks, AllKeysHiddenGivesZeros) {
  Random random;
  const std::vector<std::uint8_t> mask(20, 0);
  AttentionCase call({.heads = 2, .query_count = 3, .key_count = 20, .head_dim = 4}, random);
  call.args.key_mask = mask;
  EXPECT_EQ(run(call).out, std::vector<float>(24, 0.0f));
  EXPECT_EQ(run(call).probabilities, std::vector<float>(120, 0.0f));
}

TEST(AttentionMasks, ScoresShowWhatIsHidden) {
  Random random;
  std::vector<std::uint8_t> mask(20, 1);
  mask[7] = 0;
  AttentionCase call({.query_count = 30, .key_count = 20, .head_dim = 4, .causal = true}, random);
  call.args.key_mask = mask;
  call.args.window = 5;
  std::vector<float> scores(600), workspace(attention_workspace_size(call.args));
  ASSERT_TRUE(succeeded(attention_scores(call.q, call.k, scores, call.args, workspace)));
  for (std::size_t i = 0; i < 600; ++i) {
    EXPECT_EQ(scores[i] == -kInfinity, !call.sees(i / 20, i % 20)) << i;
  }
}

// Any slice of the queries gives the bits that the whole gives, also where blocks begin elsewhere.
TEST(AttentionMasks, NothingDependsOnWhereBlocksOfQueriesBegin) {
  Random random;
  std::vector<std::uint8_t> mask(90, 1);
  for (std::size_t key = 0; key < 90; key += 7) mask[key] = 0;
  AttentionCase whole({.query_count = 80, .key_count = 90, .head_dim = 7, .causal = true}, random);
  whole.args.key_mask = mask;
  whole.args.softcap = 3;
  for (std::size_t window : {0u, 33u}) {
    whole.args.window = window;
    const std::vector<float> expected = run(whole).out;
    for (std::size_t first : {0u, 1u, 10u, 23u, 24u, 25u, 50u}) {
      AttentionCase part = whole;
      part.args.query_count = 29;
      part.args.query_offset = static_cast<std::int64_t>(10 + first);
      const auto rows = std::span(whole.q).subspan(first * 7, 29 * 7);
      part.q.assign(rows.begin(), rows.end());
      EXPECT_TRUE(same_bits(run(part).out, std::span(expected).subspan(first * 7, 29 * 7)));
    }
  }
}

}  // namespace
}  // namespace posenc
