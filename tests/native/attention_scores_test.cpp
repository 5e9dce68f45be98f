#include <string>

#include "attention_reference.hpp"
#include "posenc/attention/attention.hpp"
#include "storage_types.hpp"

namespace posenc {
namespace {

using namespace tests;

std::vector<float> scores_of(const AttentionCase& call) {
  Guarded out(call.score_count(), 1), workspace(attention_workspace_size(call.args), 3);
  EXPECT_TRUE(succeeded(attention_scores(call.q, call.k, out.span(), call.args, workspace.span())));
  return {out.span().begin(), out.span().end()};
}

TEST(AttentionScores, SoftmaxOfThemIsWhatAttentionComputes) {
  Random random;
  for (bool causal : {false, true}) {
    const AttentionCase call({.heads = 4,
                              .kv_heads = 2,
                              .query_count = 5,
                              .key_count = 21,
                              .head_dim = 7,
                              .causal = causal},
                             random);
    const std::vector<float> scores = scores_of(call), probabilities = run(call).probabilities;
    for (std::size_t row = 0; row < 20; ++row) {
      double sum = 0;
      for (std::size_t key = 0; key < 21; ++key) {
        sum += std::exp(static_cast<double>(scores[row * 21 + key]));
      }
      for (std::size_t key = 0; key < 21; ++key) {
        EXPECT_NEAR(static_cast<double>(probabilities[row * 21 + key]),
                    std::exp(static_cast<double>(scores[row * 21 + key])) / sum, 1e-5);
      }
    }
  }
}

TEST(AttentionScores, AreScaledProductsAndTerms) {
  Random random;
  AttentionCase call({.heads = 2, .query_count = 3, .key_count = 18, .head_dim = 5, .scale = 0.25},
                     random);
  const std::vector<float> bias = random.floats(call.score_count()), plain = scores_of(call);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    double exact = 0;
    for (std::size_t n = 0; n < 5; ++n) {
      exact += static_cast<double>(call.q[i / 18 * 5 + n]) *
               static_cast<double>(call.k[(i / 18 / 3 * 18 + i % 18) * 5 + n]);
    }
    EXPECT_NEAR(static_cast<double>(plain[i]), exact * 0.25, 7 * 0x1p-24 * 5);
  }
  call.args.terms.bias = bias;
  const std::vector<float> biased = scores_of(call);
  for (std::size_t i = 0; i < plain.size(); ++i) EXPECT_EQ(biased[i], plain[i] + bias[i]);
}

TEST(AttentionScores, KeysAfterACausalQueryAreMinusInfinity) {
  Random random;
  const AttentionCase call(
      {.heads = 1, .query_count = 4, .key_count = 6, .head_dim = 3, .causal = true}, random);
  const std::vector<float> scores = scores_of(call);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    EXPECT_EQ(std::isinf(scores[i]), i % 6 > i / 6 + 2) << i;
  }
}

TEST(AttentionScores, DecodingIsTheLastRowOfTheWhole) {
  Random random;
  AttentionCase call({.heads = 1, .query_count = 9, .key_count = 9, .head_dim = 4, .causal = true},
                     random);
  const std::vector<float> whole = scores_of(call);
  call.args.query_count = 1;
  call.q.erase(call.q.begin(), call.q.end() - 4);
  EXPECT_TRUE(same_bits(scores_of(call), std::span(whole).last(9)));
}

TEST(AttentionScores, ShortOutputsAreTheRoundedFloats) {
  Random random;
  const AttentionCase call({.heads = 2, .query_count = 3, .key_count = 17, .head_dim = 4}, random);
  const std::vector<float> scores = scores_of(call);
  for (StorageType type : kShortTypes) {
    ShortFloats out(scores.size(), type);
    Guarded workspace(attention_workspace_size(call.args));
    ASSERT_TRUE(succeeded(attention_scores(call.q, call.k, out, call.args, workspace.span())));
    EXPECT_TRUE(same_bits(out.floats(), ShortFloats(scores, type).floats()));
  }
}

TEST(AttentionScores, WrongCallsWriteNothing) {
  Random random;
  AttentionCase call({.heads = 1, .query_count = 2, .key_count = 3, .head_dim = 2}, random);
  const std::size_t needed = attention_workspace_size(call.args);
  Guarded out(6), workspace(needed);
  const auto scores = [&](ConstFloats q, ConstFloats k, Floats to, std::span<float> work) {
    return attention_scores(q, k, to, call.args, work);
  };
  expect_failure(scores(std::span(call.q).first(3), call.k, out.span(), workspace.span()),
                 Code::shape, "q",
                 "attention: q must have heads * query_count * head_dim = 1 * 2 * 2 = 4 elements, "
                 "got 3");
  expect_failure(scores(call.q, call.k, out.span().first(5), workspace.span()), Code::shape, "out",
                 "attention: out must have heads * query_count * key_count = 1 * 2 * 3 = 6 "
                 "elements, got 5");
  EXPECT_EQ(scores(call.q, call.k, out.span(), workspace.span().first(1)).code(), Code::shape);
  EXPECT_EQ(scores(out.span().first(4), call.k, out.span(), workspace.span()).code(),
            Code::overlap);
  EXPECT_EQ(scores(call.q, call.k, workspace.span().first(6), workspace.span()).code(),
            Code::overlap);
  EXPECT_TRUE(out.untouched() && workspace.untouched());
}

}  // namespace
}  // namespace posenc
