#pragma once

// Attention in double, and how far float32 may be from it: the bounds of attention.hpp.

#include <algorithm>
#include <cmath>
#include <vector>

#include "helpers.hpp"
#include "posenc/attention/attention.hpp"

namespace posenc::tests {

/// q, k, v of one call, its args, and what comes out.
struct AttentionCase {
  AttentionArgs args;
  std::vector<float> q, k, v;

  AttentionCase(const AttentionArgs& shape, Random& random, double spread = 2) : args(shape) {
    if (args.kv_heads == 0) args.kv_heads = args.heads;
    if (args.value_dim == 0) args.value_dim = args.head_dim;
    q = random.floats(args.heads * args.query_count * args.head_dim, -spread, spread);
    k = random.floats(args.kv_heads * args.key_count * args.head_dim, -spread, spread);
    v = random.floats(args.kv_heads * args.key_count * args.value_dim);
  }

  std::size_t out_size() const { return args.heads * args.query_count * args.value_dim; }
  std::size_t score_count() const { return args.heads * args.query_count * args.key_count; }
};

struct AttentionOutput {
  std::vector<float> out, probabilities;
};

/// Runs a call, expecting success, with outputs and workspace between guard words.
inline AttentionOutput run(const AttentionCase& call, std::size_t offset = 0) {
  Guarded out(call.out_size(), offset), probabilities(call.score_count(), offset);
  Guarded workspace(attention_workspace_size(call.args), offset);
  EXPECT_TRUE(succeeded(attention(call.q, call.k, call.v, out.span(), call.args, workspace.span(),
                                  probabilities.span())));
  const auto copy = [](Guarded& memory) {
    return std::vector<float>(memory.span().begin(), memory.span().end());
  };
  return {copy(out), copy(probabilities)};
}

/// One row by the definition, with the most that float32 may differ.
struct ExactRow {
  std::vector<double> scores, score_errors, probabilities, relative_errors;

  ExactRow(const AttentionCase& call, std::size_t head, std::size_t query) {
    const AttentionArgs& args = call.args;
    const std::int64_t offset = args.query_offset.value_or(
        static_cast<std::int64_t>(args.key_count) - static_cast<std::int64_t>(args.query_count));
    const std::int64_t position = offset + static_cast<std::int64_t>(query);
    for (std::size_t key = 0; key < args.key_count; ++key) {
      if (args.causal && static_cast<std::int64_t>(key) > position) break;
      add_score(call, head, query, key, position);
    }
    soften(args.key_count);
  }

 private:
  static constexpr double kUnit = 0x1p-24;

  void add_score(const AttentionCase& call, std::size_t head, std::size_t query, std::size_t key,
                 std::int64_t position) {
    const AttentionArgs& args = call.args;
    const std::size_t dim = args.head_dim, line = head * args.query_count + query;
    const float* q = call.q.data() + line * dim;
    const float* k =
        call.k.data() + (head / (args.heads / args.kv_heads) * args.key_count + key) * dim;
    const double scale = args.scale.value_or(1 / std::sqrt(static_cast<double>(dim)));
    double score = 0, magnitude = 0;
    for (std::size_t i = 0; i < dim; ++i) {
      score += double{q[i]} * double{k[i]} * scale;
      magnitude += std::fabs(double{q[i]} * double{k[i]} * scale);
    }
    double error = static_cast<double>(dim + 2) * kUnit * magnitude;
    const auto add = [&](double term) {
      score += term;
      if (std::isfinite(term)) error += kUnit * (std::fabs(score) + error);
    };
    const ScoreTerms& terms = args.terms;
    if (!terms.distances.empty()) {
      const std::int64_t at = static_cast<std::int64_t>(key) - position - terms.first_distance;
      add(terms.distances[head * (terms.distances.size() / args.heads) +
                          static_cast<std::size_t>(at)]);
    }
    if (!terms.bias.empty()) add(terms.bias[line * args.key_count + key]);
    if (!terms.key_bias.empty()) add(terms.key_bias[head * args.key_count + key]);
    scores.push_back(score);
    score_errors.push_back(error);
  }

  void soften(std::size_t keys) {
    probabilities.assign(keys, 0.0);
    relative_errors.assign(keys, 0.0);
    if (scores.empty()) return;
    const double largest = *std::ranges::max_element(scores);
    if (std::isinf(largest)) return;
    double sum = 0;
    for (double score : scores) sum += std::exp(score - largest);
    const double blocks = std::ceil(static_cast<double>(scores.size()) / 16);
    const double worst = *std::ranges::max_element(score_errors);
    for (std::size_t key = 0; key < scores.size(); ++key) {
      if (std::isinf(scores[key])) continue;
      probabilities[key] = std::exp(scores[key] - largest) / sum;
      const double below = largest - scores[key];
      const double softmax = blocks + std::log(static_cast<double>(scores.size())) + below + 9;
      relative_errors[key] = softmax * kUnit + std::expm1(score_errors[key] + worst);
    }
  }
};

/// The largest errors seen, as parts of their bounds.
struct AttentionErrors {
  double probability = 0, out = 0;

  void see(const AttentionCase& call, const AttentionOutput& output) {
    const AttentionArgs& args = call.args;
    for (std::size_t line = 0; line < args.heads * args.query_count; ++line) {
      const std::size_t head = line / args.query_count;
      const ExactRow exact(call, head, line % args.query_count);
      for (std::size_t key = 0; key < args.key_count; ++key) {
        const double error = std::fabs(double{output.probabilities[line * args.key_count + key]} -
                                       exact.probabilities[key]);
        const double bound = exact.relative_errors[key] * exact.probabilities[key] + 0x1p-148;
        probability = std::max(probability, error / bound);
      }
      see_out(call, output, exact, line);
    }
  }

 private:
  void see_out(const AttentionCase& call, const AttentionOutput& output, const ExactRow& exact,
               std::size_t line) {
    const AttentionArgs& args = call.args;
    const std::size_t kv_head = line / args.query_count / (args.heads / args.kv_heads);
    for (std::size_t column = 0; column < args.value_dim; ++column) {
      double sum = 0, bound = 0x1p-126;
      for (std::size_t key = 0; key < args.key_count; ++key) {
        const double value = call.v[(kv_head * args.key_count + key) * args.value_dim + column];
        const double term = exact.probabilities[key] * value;
        sum += term;
        bound += std::fabs(term) *
                 (exact.relative_errors[key] + static_cast<double>(args.key_count) * 0x1p-24);
      }
      const double error = std::fabs(double{output.out[line * args.value_dim + column]} - sum);
      out = std::max(out, error / bound);
    }
  }
};

}  // namespace posenc::tests
