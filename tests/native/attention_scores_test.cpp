#include <string>

#include "attention_reference.hpp"
#include "bias_helpers.hpp"
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

/// Rows by distance in the forms that a call treats apart: clipped and counting up or down, shared
/// by several distances, none for some, and of any order.
std::vector<std::vector<std::int32_t>> all_indices(std::size_t count, std::int32_t rows,
                                                   Random& random) {
  std::vector<std::vector<std::int32_t>> indices(5, std::vector<std::int32_t>(count));
  const auto middle = static_cast<std::int32_t>(count / 2);
  for (std::size_t i = 0; i < count; ++i) {
    const std::int32_t up = static_cast<std::int32_t>(i) - middle + rows / 2;
    indices[0][i] = std::clamp(up, 0, rows - 1);
    indices[1][i] = std::clamp(rows - 1 - up, 0, rows - 1);
    indices[2][i] = std::clamp(up / 3, 0, rows - 1);
    indices[3][i] = up >= 0 && up < rows ? up : -1;
    indices[4][i] = static_cast<std::int32_t>(random.integer(-1, rows - 1));
  }
  return indices;
}

TEST(AttentionScores, RelativeTermsAreProductsInOrder) {
  Random random;
  for (const auto& [queries, keys] : {std::pair{1u, 40u}, {50u, 33u}, {101u, 310u}}) {
    const std::int32_t rows = 150;
    const std::size_t dim = 3, count = queries + keys - 1;
    for (const std::vector<std::int32_t>& index : all_indices(count, rows, random)) {
      AttentionCase call({.heads = 2, .query_count = queries, .key_count = keys, .head_dim = dim},
                         random);
      const std::vector<float> by_query = random.floats(rows * dim);
      const std::vector<float> by_key = random.floats(2 * rows * dim);
      call.args.scale = 0.375;
      call.args.causal = random.integer(0, 1) != 0;
      if (random.integer(0, 1) != 0) call.args.window = 30;
      call.args.terms.relative = {.index = index,
                                  .first_distance = -static_cast<std::int64_t>(keys) + 1,
                                  .row_count = static_cast<std::size_t>(rows),
                                  .keys = by_query,
                                  .queries = by_key};
      std::vector<float> expected;
      for (std::size_t i = 0; i < call.score_count(); ++i) {
        const std::size_t head = i / keys / queries, query = i / keys % queries, key = i % keys;
        const float* q = &call.q[i / keys * dim];
        const float* k = &call.k[(head * keys + key) * dim];
        expected.push_back(-kInfinity);
        if (!call.sees(query, key)) continue;
        expected.back() = dot_in_order(q, k, dim) * 0.375f;
        const std::int64_t row = call.relative_row(query, key);
        if (row < 0) continue;
        const auto at = static_cast<std::size_t>(row);
        expected.back() += dot_in_order(q, &by_query[at * dim], dim) * 0.375f;
        expected.back() += dot_in_order(k, &by_key[(head * rows + at) * dim], dim) * 0.375f;
      }
      EXPECT_TRUE(same_bits(scores_of(call), expected)) << queries << " queries, " << keys;
    }
  }
}

}  // namespace
}  // namespace posenc
