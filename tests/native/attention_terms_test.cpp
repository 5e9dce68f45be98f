// Attention with what the encodings hand it: ALiBi in all its forms, T5, RoPE, and none.

#include <vector>

#include "attention_reference.hpp"
#include "posenc/bias/alibi.hpp"
#include "posenc/bias/t5.hpp"
#include "posenc/core/position_ids.hpp"
#include "posenc/rotary/rope.hpp"

namespace posenc {
namespace {

using namespace tests;

/// Scores are what `bias` says alone: q and k are 0.
AttentionCase without_content(std::size_t queries, std::size_t keys) {
  Random random;
  AttentionCase call({.query_count = queries, .key_count = keys, .head_dim = 1}, random);
  call.q.assign(queries, 0.0f);
  return call;
}

// Kind alibi-row-offset-equivalence: distances and the key form give the same probabilities.
TEST(AttentionTerms, AlibiOfBothFormsGivesThePublishedProbabilities) {
  const double expected[] = {1,
                             0,
                             0,
                             0.222700138825308853,
                             0.777299861174691147,
                             0,
                             0.25427521259046562313,
                             0.32649583579983667144,
                             0.41922895160969770543};
  const std::vector<float> content{1, 2, 3, 0, 1, -1, 2, 2, 2};
  AttentionCase call = without_content(3, 3);
  call.args.causal = true;
  call.args.terms.bias = content;
  const Alibi alibi({.heads = 4});  // slope 1/4 first
  std::vector<float> distances(4 * 3), keys(4 * 3);
  ASSERT_TRUE(succeeded(alibi.distances(-2, distances)));
  ASSERT_TRUE(succeeded(alibi.key_bias(Positions::from(-2, 3), keys)));
  call.args.terms.distances = std::span(distances).first(3);
  call.args.terms.first_distance = -2;
  const AttentionOutput by_distance = run(call);
  call.args.terms.distances = {};
  call.args.terms.key_bias = std::span(keys).first(3);
  const AttentionOutput by_key = run(call);
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_NEAR(by_distance.probabilities[i], expected[i], 4 * 0x1p-24) << i;
    EXPECT_NEAR(by_key.probabilities[i], expected[i], 4 * 0x1p-24) << i;
  }
}

TEST(AttentionTerms, DistancesAndBiasOfAnEncodingGiveTheSameBits) {
  Random random;
  const std::vector<float> table = random.floats(32 * 3);
  const T5 t5({.heads = 3, .bidirectional = true, .table = table});
  const Alibi alibi({.heads = 3, .form = AlibiForm::symmetric});
  for (std::int64_t offset : {0, 30, -7}) {
    AttentionCase call({.heads = 3, .query_count = 10, .key_count = 40, .head_dim = 7}, random);
    call.args.query_offset = offset;
    std::vector<float> distances(3 * 49), bias(3 * 10 * 40);
    for (const bool uses_t5 : {false, true}) {
      const Positions queries = Positions::from(offset, 10), keys = Positions::from(0, 40);
      ASSERT_TRUE(succeeded(uses_t5 ? t5.distances(-offset - 9, distances)
                                    : alibi.distances(-offset - 9, distances)));
      ASSERT_TRUE(
          succeeded(uses_t5 ? t5.bias(queries, keys, bias) : alibi.bias(queries, keys, bias)));
      call.args.terms = {.distances = distances, .first_distance = -offset - 9};
      const AttentionOutput by_distance = run(call);
      call.args.terms = {.bias = bias};
      EXPECT_TRUE(same_bits(by_distance.out, run(call).out)) << offset;
    }
  }
}

// An ALiBi bias masks by itself: its causal form needs no causal attention.
TEST(AttentionTerms, CausalAlibiEqualsSymmetricUnderACausalMask) {
  Random random;
  AttentionCase call({.heads = 2, .query_count = 20, .key_count = 20, .head_dim = 5}, random);
  std::vector<float> causal(2 * 39), symmetric(2 * 39);
  ASSERT_TRUE(succeeded(Alibi({.heads = 2}).distances(-19, causal)));
  ASSERT_TRUE(
      succeeded(Alibi({.heads = 2, .form = AlibiForm::symmetric}).distances(-19, symmetric)));
  call.args.terms = {.distances = causal, .first_distance = -19};
  const AttentionOutput masked_by_bias = run(call);
  call.args.terms.distances = symmetric;
  call.args.causal = true;
  EXPECT_TRUE(same_bits(masked_by_bias.out, run(call).out));
}

// Kind alibi-left-padding: real tokens get the probabilities of the unpadded run.
TEST(AttentionTerms, LeftPaddedRowsEqualUnpaddedOnes) {
  Random random;
  const Alibi alibi({.heads = 8});  // slope 1/2 first
  AttentionCase plain({.query_count = 3, .key_count = 3, .head_dim = 4, .causal = true}, random);
  AttentionCase padded = plain;
  std::vector<float> distances(8 * 3), key_bias(8 * 5), mask(3 * 5, 0.0f);
  ASSERT_TRUE(succeeded(alibi.distances(-2, distances)));
  plain.args.terms = {.distances = std::span(distances).first(3), .first_distance = -2};
  const std::int32_t positions[] = {0, 0, 0, 1, 2};
  ASSERT_TRUE(succeeded(alibi.key_bias(Positions::of(positions), key_bias)));
  for (std::size_t row = 0; row < 3; ++row) mask[row * 5] = mask[row * 5 + 1] = -kInfinity;
  const std::vector<float> padding = random.floats(8);
  padded.k.insert(padded.k.begin(), padding.begin(), padding.end());
  padded.v.insert(padded.v.begin(), padding.begin(), padding.end());
  padded.args.key_count = 5;
  padded.args.terms = {.bias = mask, .key_bias = std::span(key_bias).first(5)};
  const AttentionOutput a = run(plain), b = run(padded);
  for (std::size_t row = 0; row < 3; ++row) {
    EXPECT_EQ(b.probabilities[row * 5], 0.0f);
    for (std::size_t key = 0; key < 3; ++key) {
      EXPECT_NEAR(b.probabilities[row * 5 + 2 + key], a.probabilities[row * 3 + key], 0x1p-22);
    }
  }
}

// Kind positions-left-padding: positions from the mask, not the column numbers.
TEST(AttentionTerms, LeftPaddedRopeRowsEqualUnpaddedOnes) {
  const std::uint8_t mask[] = {0, 0, 1, 1, 1};
  std::vector<std::int64_t> positions(5);
  ASSERT_TRUE(succeeded(left_padding_positions(mask, 1, 1, std::span(positions))));
  const std::span<const std::int64_t> real = std::span(positions).last(3);
  Random random;
  const Rope rope({.head_dim = 8});
  AttentionCase plain({.query_count = 3, .key_count = 3, .head_dim = 8, .causal = true}, random);
  AttentionCase padded = plain;
  const std::vector<float> padding = random.floats(16);
  padded.k.insert(padded.k.begin(), padding.begin(), padding.end());
  padded.v.insert(padded.v.begin(), padding.begin(), padding.end());
  ASSERT_TRUE(succeeded(rope.apply(plain.q, {.positions = Positions::from(0, 3)})));
  ASSERT_TRUE(succeeded(rope.apply(plain.k, {.positions = Positions::from(0, 3)})));
  ASSERT_TRUE(succeeded(rope.apply(padded.q, {.positions = Positions::of(real)})));
  ASSERT_TRUE(succeeded(rope.apply(padded.k, {.positions = Positions::of(positions)})));
  EXPECT_TRUE(same_bits(padded.q, plain.q));
  EXPECT_TRUE(same_bits(std::span(padded.k).last(24), plain.k));
  std::vector<float> hidden(3 * 5, 0.0f);
  for (std::size_t row = 0; row < 3; ++row) hidden[row * 5] = hidden[row * 5 + 1] = -kInfinity;
  padded.args.key_count = 5;
  padded.args.terms = {.bias = hidden};
  const std::vector<float> a = run(plain).out, b = run(padded).out;
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(b[i], a[i], 0x1p-20) << i;
}

TEST(AttentionTerms, T5TakesScaleOne) {
  Random random;
  AttentionCase call({.query_count = 1, .key_count = 2, .head_dim = 4}, random);
  call.args.scale = 1.0;
  call.q = {1, 0, 0, 0};
  call.k = {3, 0, 0, 0, 1, 0, 0, 0};
  EXPECT_NEAR(run(call).probabilities[0], 1 / (1 + std::exp(-2.0)), 0x1p-22);
  call.args.scale.reset();  // 1 / sqrt(4)
  EXPECT_NEAR(run(call).probabilities[0], 1 / (1 + std::exp(-1.0)), 0x1p-22);
}

// Kind kv-offset-chunked-prefill: with rotated keys in a cache, decoding equals the whole.
TEST(AttentionTerms, RopeDecodingFromACacheIsTheWholeBitForBit) {
  Random random;
  const Rope rope({.head_dim = 12});
  AttentionCase whole({.query_count = 10, .key_count = 10, .head_dim = 12, .causal = true}, random);
  AttentionCase cached = whole;
  ASSERT_TRUE(succeeded(rope.apply(whole.q, {.positions = Positions::from(0, 10)})));
  ASSERT_TRUE(succeeded(rope.apply(whole.k, {.positions = Positions::from(0, 10)})));
  const std::vector<float> expected = run(whole).out;
  for (std::size_t first = 0; first < 10; first += 4) {
    const std::size_t count = std::min<std::size_t>(4, 10 - first);
    const RotaryArgs args{.positions = Positions::from(static_cast<std::int64_t>(first), count)};
    const auto rows = [&](std::vector<float>& x) {
      return std::span(x).subspan(first * 12, count * 12);
    };
    ASSERT_TRUE(succeeded(rope.apply(rows(cached.q), args)));
    ASSERT_TRUE(succeeded(rope.apply(rows(cached.k), args)));
    AttentionCase part = cached;
    part.args.query_count = count;
    part.args.key_count = first + count;
    const auto some = rows(cached.q);
    part.q.assign(some.begin(), some.end());
    part.k.resize((first + count) * 12);
    part.v.resize((first + count) * 12);
    EXPECT_TRUE(same_bits(run(part).out, std::span(expected).subspan(first * 12, count * 12)));
  }
}

TEST(AttentionTerms, RopeAttentionDependsOnDifferencesOnly) {
  Random random;
  const Rope rope({.head_dim = 16});
  const AttentionCase call({.query_count = 4, .key_count = 9, .head_dim = 16}, random);
  const auto shifted = [&](std::int64_t shift) {
    AttentionCase rotated = call;
    EXPECT_TRUE(succeeded(rope.apply(rotated.q, {.positions = Positions::from(shift + 5, 4)})));
    EXPECT_TRUE(succeeded(rope.apply(rotated.k, {.positions = Positions::from(shift, 9)})));
    return run(rotated).out;
  };
  const std::vector<float> here = shifted(0), far = shifted(1000000);
  for (std::size_t i = 0; i < here.size(); ++i) EXPECT_NEAR(here[i], far[i], 0x1p-17);
}

}  // namespace
}  // namespace posenc
