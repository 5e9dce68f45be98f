#include "posenc/attention/attention.hpp"

#include <optional>
#include <vector>

#include "attention_reference.hpp"
#include "posenc/bias/alibi.hpp"
#include "posenc/bias/t5.hpp"
#include "posenc/rotary/rope.hpp"

namespace posenc {
namespace {

using namespace tests;

/// Terms of every kind for a shape, with memory of their own.
struct RandomTerms {
  std::vector<float> distances, bias, key_bias;

  RandomTerms(AttentionArgs& args, unsigned which, Random& random) {
    const std::size_t rows = args.heads * args.query_count;
    const std::int64_t offset = args.query_offset.value_or(
        static_cast<std::int64_t>(args.key_count) - static_cast<std::int64_t>(args.query_count));
    if (which % 2 != 0) {
      distances = random.floats(args.heads * (args.query_count + args.key_count), -3, 3);
      args.terms.distances = distances;
      args.terms.first_distance = -(offset + static_cast<std::int64_t>(args.query_count));
    }
    if (which / 2 % 2 != 0) args.terms.bias = bias = random.floats(rows * args.key_count, -3, 3);
    if (which / 4 != 0) {
      args.terms.key_bias = key_bias = random.floats(args.heads * args.key_count, -3, 3);
    }
  }
};

TEST(Attention, StaysWithinItsBoundsForEveryShapeAndTerm) {
  Random random;
  AttentionErrors errors;
  const std::size_t key_counts[] = {1, 2, 7, 15, 16, 17, 31, 32, 33, 48, 65, 300};
  for (std::size_t keys : key_counts) {
    for (unsigned terms = 0; terms < 8; ++terms) {
      AttentionArgs args{.heads = 2, .kv_heads = terms % 3 == 0 ? 1u : 2u, .query_count = 3};
      args.key_count = keys;
      args.head_dim = static_cast<std::size_t>(random.integer(1, 35));
      args.value_dim = static_cast<std::size_t>(random.integer(1, 35));
      args.causal = random.integer(0, 1) != 0;
      if (random.integer(0, 2) == 0) args.query_offset = random.integer(-2, 310);
      if (random.integer(0, 2) == 0) args.scale = random.uniform(-1, 1);
      if (random.integer(0, 1) == 0) args.numerics = Numerics::fast;
      const RandomTerms memory(args, terms, random);
      const AttentionCase call(args, random, random.integer(0, 3) == 0 ? 6 : 1);
      errors.see(call, run(call, keys % 4));
    }
  }
  std::printf("attention: at most %.3f of its bound in probabilities, %.3f in out\n",
              errors.probability, errors.out);
  EXPECT_LE(errors.probability, 1.0);
  EXPECT_LE(errors.out, 1.0);
}

TEST(Attention, LongRowsStayWithinTheBounds) {
  Random random;
  AttentionErrors errors;
  for (double spread : {0.01, 1.0, 10.0}) {
    AttentionCase call({.query_count = 2, .key_count = 5000, .head_dim = 16}, random, spread);
    errors.see(call, run(call));
    call.args.numerics = Numerics::fast;
    errors.see(call, run(call));
  }
  EXPECT_LE(errors.probability, 1.0);
  EXPECT_LE(errors.out, 1.0);
}

// Kind attention-fully-masked-row.
TEST(Attention, ARowThatSeesNothingIsZero) {
  Random random;
  const std::vector<float> bias{-kInfinity, -kInfinity, 0, -kInfinity};
  AttentionCase call({.query_count = 2, .key_count = 2, .head_dim = 3, .value_dim = 1}, random);
  call.args.terms.bias = bias;
  call.q.assign(6, 0.0f);
  call.v = {1, 3};
  const AttentionOutput output = run(call);
  EXPECT_EQ(output.out, (std::vector<float>{0, 1}));
  EXPECT_EQ(output.probabilities, (std::vector<float>{0, 0, 1, 0}));
  // queries before every key, and no keys at all
  AttentionCase early({.query_count = 2, .key_count = 2, .head_dim = 3, .causal = true}, random);
  early.args.query_offset = -2;
  EXPECT_EQ(run(early).out, std::vector<float>(6, 0.0f));
  const AttentionCase empty({.query_count = 2, .head_dim = 3}, random);
  EXPECT_EQ(run(empty).out, std::vector<float>(6, 0.0f));
}

// Kind score-overflow: what does not fit 16 bits before scaling.
TEST(Attention, LargeScoresAreExact) {
  Random random;
  AttentionCase call({.query_count = 1, .key_count = 2, .head_dim = 64}, random);
  call.q.assign(64, 40.0f);
  call.k.assign(128, 40.0f);
  call.k[64] = 39.0f;  // scores 12800 and 12795
  const AttentionOutput output = run(call);
  EXPECT_NEAR(output.probabilities[0], 1 / (1 + std::exp(-5.0)), 0x1p-20);
  call.k[64] = -40.0f;  // 12400: e^-400 is 0
  EXPECT_EQ(run(call).probabilities, (std::vector<float>{1, 0}));
}

TEST(Attention, OneKeyGivesItsValueBitForBit) {
  Random random;
  for (std::size_t dim : {1u, 5u, 16u, 33u}) {
    const AttentionCase call({.heads = 2, .query_count = 1, .key_count = 1, .head_dim = dim},
                             random);
    EXPECT_TRUE(same_bits(run(call).out, call.v));
  }
}

TEST(Attention, ProbabilitiesOfARowSumToOne) {
  Random random;
  const AttentionCase call({.heads = 3, .query_count = 5, .key_count = 77, .head_dim = 20}, random);
  const AttentionOutput output = run(call);
  for (std::size_t row = 0; row < 15; ++row) {
    double sum = 0;
    for (std::size_t key = 0; key < 77; ++key) sum += output.probabilities[row * 77 + key];
    EXPECT_NEAR(sum, 1.0, 16 * 0x1p-24);
  }
}

TEST(Attention, GroupedHeadsEqualRepeatedOnesBitForBit) {
  Random random;
  const AttentionArgs args{
      .heads = 6, .kv_heads = 2, .query_count = 4, .key_count = 21, .head_dim = 9, .value_dim = 5};
  const AttentionCase grouped(args, random);
  AttentionCase repeated = grouped;
  repeated.args.kv_heads = 6;
  repeated.k.clear();
  repeated.v.clear();
  for (std::size_t head = 0; head < 6; ++head) {
    const auto group = static_cast<std::ptrdiff_t>(head / 3);
    repeated.k.insert(repeated.k.end(), grouped.k.begin() + group * 189,
                      grouped.k.begin() + (group + 1) * 189);
    repeated.v.insert(repeated.v.end(), grouped.v.begin() + group * 105,
                      grouped.v.begin() + (group + 1) * 105);
  }
  EXPECT_TRUE(same_bits(run(grouped).out, run(repeated).out));
}

TEST(Attention, CausalEqualsAMaskOfInfinities) {
  Random random;
  for (std::int64_t offset : {-3, 0, 20, 40}) {
    AttentionCase causal({.query_count = 9, .key_count = 37, .head_dim = 8, .causal = true},
                         random);
    causal.args.query_offset = offset;
    AttentionCase masked = causal;
    std::vector<float> mask(9 * 37, 0.0f);
    for (std::size_t at = 0; at < mask.size(); ++at) {
      const bool after = static_cast<std::int64_t>(at % 37) > offset + static_cast<int>(at / 37);
      if (after) mask[at] = -kInfinity;
    }
    masked.args.causal = false;
    masked.args.terms.bias = mask;
    EXPECT_TRUE(same_bits(run(causal).out, run(masked).out)) << offset;
    EXPECT_TRUE(same_bits(run(causal).probabilities, run(masked).probabilities)) << offset;
  }
}

TEST(Attention, NothingDependsOnHowQueriesAndHeadsAreSplit) {
  Random random;
  AttentionArgs args{
      .heads = 2, .query_count = 11, .key_count = 50, .head_dim = 13, .causal = true};
  const RandomTerms memory(args, 1, random);
  const AttentionCase whole(args, random);
  const AttentionOutput expected = run(whole);
  const std::size_t count = args.terms.distances.size() / 2;
  for (std::size_t head = 0; head < 2; ++head) {
    for (std::size_t query = 0; query < 11; ++query) {
      AttentionCase part = whole;
      part.args.heads = part.args.kv_heads = 1;
      part.args.query_count = 1;
      part.args.query_offset = static_cast<std::int64_t>(39 + query);
      part.args.terms.distances = args.terms.distances.subspan(head * count, count);
      const std::size_t line = head * 11 + query;
      const auto piece = [](const std::vector<float>& values, std::size_t at, std::size_t size) {
        const std::span<const float> part_of = std::span(values).subspan(at * size, size);
        return std::vector<float>(part_of.begin(), part_of.end());
      };
      part.q = piece(whole.q, line, 13);
      part.k = piece(whole.k, head, 50 * 13);
      part.v = piece(whole.v, head, 50 * 13);
      EXPECT_TRUE(same_bits(run(part).out, std::span(expected.out).subspan(line * 13, 13)));
    }
  }
}

TEST(Attention, ProbabilitiesAreOptional) {
  Random random;
  const AttentionCase call({.query_count = 3, .key_count = 20, .head_dim = 4}, random);
  std::vector<float> out(call.out_size()), workspace(attention_workspace_size(call.args));
  ASSERT_TRUE(succeeded(attention(call.q, call.k, call.v, out, call.args, workspace)));
  EXPECT_TRUE(same_bits(out, run(call).out));
}

TEST(Attention, WithoutTermsTheOrderOfKeysDoesNotMatter) {
  Random random;
  const AttentionCase call({.query_count = 2, .key_count = 40, .head_dim = 6}, random);
  AttentionCase turned = call;
  std::ranges::rotate(turned.k, turned.k.begin() + 6 * 13);
  std::ranges::rotate(turned.v, turned.v.begin() + 6 * 13);
  const AttentionOutput a = run(call), b = run(turned);
  for (std::size_t i = 0; i < a.out.size(); ++i) EXPECT_NEAR(a.out[i], b.out[i], 40 * 0x1p-22);
}

TEST(Attention, NaNIsSeenNotHidden) {
  Random random;
  AttentionCase call({.query_count = 1, .key_count = 3, .head_dim = 2}, random);
  const std::vector<float> bias{-kInfinity, std::bit_cast<float>(0x7fc00000u), -kInfinity};
  call.args.terms.bias = bias;
  for (float value : run(call).out) EXPECT_TRUE(std::isnan(value));
}

}  // namespace
}  // namespace posenc
