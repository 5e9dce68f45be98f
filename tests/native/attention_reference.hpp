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
  std::size_t kv_head(std::size_t head) const { return head / (args.heads / args.kv_heads); }

  std::int64_t position(std::size_t query) const {
    const auto last =
        static_cast<std::int64_t>(args.key_count) - static_cast<std::int64_t>(args.query_count);
    return args.query_offset.value_or(last) + static_cast<std::int64_t>(query);
  }

  bool sees(std::size_t query, std::size_t key) const {
    const std::int64_t distance = static_cast<std::int64_t>(key) - position(query);
    if (args.causal && distance > 0) return false;
    if (args.window != 0 && std::abs(distance) >= static_cast<std::int64_t>(args.window)) {
      return false;
    }
    return args.key_mask.empty() || args.key_mask[key] != 0;
  }

  /// The row of the relative tables for a query and a key, -1 for none.
  std::int64_t relative_row(std::size_t query, std::size_t key) const {
    const RelativeTerms& relative = args.terms.relative;
    const std::int64_t distance = static_cast<std::int64_t>(key) - position(query);
    return relative.index[static_cast<std::size_t>(distance - relative.first_distance)];
  }
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

/// A row of q, k or a table in double, with the magnitudes that its rounding is a part of.
struct ExactVector {
  std::vector<double> values, magnitudes;

  ExactVector(const float* row, std::size_t width) : values(row, row + width) {
    for (double value : values) magnitudes.push_back(std::fabs(value));
  }

  void rotate(const RotaryTables& tables, std::span<const float> cos, std::span<const float> sin,
              std::size_t at) {
    const std::size_t pairs = tables.rotary_dim / 2;
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      const bool half = tables.layout == RopeLayout::half;
      const std::size_t a = tables.rotary_start + (half ? pair : 2 * pair);
      const std::size_t b = a + (half ? pairs : 1);
      const double c = cos[at * pairs + pair], s = sin[at * pairs + pair];
      const double x = values[a], y = values[b];
      values[a] = x * c - y * s;
      values[b] = y * c + x * s;
      magnitudes[a] = std::fabs(x * c) + std::fabs(y * s);
      magnitudes[b] = std::fabs(y * c) + std::fabs(x * s);
    }
  }

  void add(const float* term) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] += term[i];
      magnitudes[i] += std::fabs(double{term[i]});
    }
  }
};

/// One row by the definition, with the most that float32 may differ.
struct ExactRow {
  std::vector<double> scores, score_errors, probabilities, relative_errors;

  ExactRow(const AttentionCase& call, std::size_t head, std::size_t query)
      : call_(call), args_(call.args), head_(head), query_(query) {
    for (std::size_t key = 0; key < args_.key_count; ++key) {
      scores.push_back(-INFINITY);
      score_errors.push_back(0);
      if (call.sees(query, key)) add_score(key);
    }
    soften();
  }

 private:
  static constexpr double kUnit = 0x1p-24;

  static std::span<const float> floats(ConstFloats x) {
    return {static_cast<const float*>(x.data()), x.size()};
  }

  ExactVector query_vector(ConstFloats bias) const {
    const std::size_t line = head_ * args_.query_count + query_;
    ExactVector q(call_.q.data() + line * args_.head_dim, args_.head_dim);
    if (args_.rotary.rotary_dim != 0) {
      q.rotate(args_.rotary, args_.rotary.query_cos, args_.rotary.query_sin, query_);
    }
    if (!bias.empty()) q.add(floats(bias).data() + head_ * args_.head_dim);
    return q;
  }

  ExactVector key_vector(std::size_t key) const {
    const std::size_t line = call_.kv_head(head_) * args_.key_count + key;
    ExactVector k(call_.k.data() + line * args_.head_dim, args_.head_dim);
    if (args_.rotary.rotary_dim != 0) {
      k.rotate(args_.rotary, args_.rotary.key_cos, args_.rotary.key_sin, key);
    }
    return k;
  }

  ExactVector row_vector(std::span<const float> table, std::int64_t row) const {
    const std::size_t rows = args_.terms.relative.row_count, dim = args_.head_dim;
    const std::size_t first = table.size() == rows * dim ? 0 : head_ * rows;
    return {table.data() + (first + static_cast<std::size_t>(row)) * dim, dim};
  }

  void add_product(std::size_t key, const ExactVector& a, const ExactVector& b) {
    const double scale = args_.scale.value_or(1 / std::sqrt(static_cast<double>(args_.head_dim)));
    double magnitude = 0;
    for (std::size_t i = 0; i < a.values.size(); ++i) {
      scores[key] += a.values[i] * b.values[i] * scale;
      magnitude += std::fabs(a.magnitudes[i] * b.magnitudes[i] * scale);
    }
    // the product, its sum and the scale; 2 units each for rotated rows, 1 for the query's bias
    const std::size_t units = args_.head_dim + 2 + (args_.rotary.rotary_dim != 0 ? 4 : 0) + 1;
    score_errors[key] += static_cast<double>(units) * kUnit * magnitude;
  }

  void round(std::size_t key, double units = 1) {
    score_errors[key] += units * kUnit * (std::fabs(scores[key]) + score_errors[key]);
  }

  void add_term(std::size_t key, double term) {
    scores[key] += term;
    if (std::isfinite(term)) round(key);
  }

  void add_score(std::size_t key) {
    const ScoreTerms& terms = args_.terms;
    const RelativeTerms& relative = terms.relative;
    scores[key] = 0;
    add_product(key, query_vector(relative.content_bias), key_vector(key));
    if (args_.softcap != 0) {
      scores[key] = args_.softcap * std::tanh(scores[key] / args_.softcap);
      round(key, 5);
    }
    if (!relative.index.empty()) add_relative(key);
    const std::size_t line = head_ * args_.query_count + query_;
    if (!terms.distances.empty()) {
      const std::int64_t at =
          static_cast<std::int64_t>(key) - call_.position(query_) - terms.first_distance;
      add_term(key, terms.distances[head_ * (terms.distances.size() / args_.heads) +
                                    static_cast<std::size_t>(at)]);
    }
    if (!terms.bias.empty()) add_term(key, terms.bias[line * args_.key_count + key]);
    if (!terms.key_bias.empty()) add_term(key, terms.key_bias[head_ * args_.key_count + key]);
  }

  void add_relative(std::size_t key) {
    const RelativeTerms& relative = args_.terms.relative;
    const std::int64_t row = call_.relative_row(query_, key);
    if (row < 0) return;
    if (!relative.keys.empty()) {
      add_product(key, query_vector(relative.position_bias),
                  row_vector(floats(relative.keys), row));
      round(key);
    }
    if (!relative.queries.empty()) {
      add_product(key, key_vector(key), row_vector(floats(relative.queries), row));
      round(key);
    }
  }

  void soften() {
    probabilities.assign(scores.size(), 0.0);
    relative_errors.assign(scores.size(), 0.0);
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
      // weights below e^-69 are 0
      const double reach = below * (1 + kUnit) + score_errors[key] + worst;
      if (reach >= 69) relative_errors[key] = std::max(relative_errors[key], 1.0);
    }
  }

  const AttentionCase& call_;
  const AttentionArgs& args_;
  std::size_t head_, query_;
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
  /// What value row stands for, of v or of the relative table.
  static double relative_value(const AttentionCase& call, std::size_t head, std::int64_t row,
                               std::size_t column) {
    const RelativeTerms& relative = call.args.terms.relative;
    const std::size_t size = relative.row_count * call.args.value_dim;
    const auto* rows = static_cast<const float*>(relative.values.data());
    if (relative.values.size() != size) rows += head * size;
    return rows[static_cast<std::size_t>(row) * call.args.value_dim + column];
  }

  void see_out(const AttentionCase& call, const AttentionOutput& output, const ExactRow& exact,
               std::size_t line) {
    const AttentionArgs& args = call.args;
    const std::size_t head = line / args.query_count, query = line % args.query_count;
    const double units =
        static_cast<double>(args.key_count + args.terms.relative.row_count) * 0x1p-24;
    for (std::size_t column = 0; column < args.value_dim; ++column) {
      double sum = 0, bound = 0x1p-126;
      const auto add = [&](std::size_t key, double value) {
        const double term = exact.probabilities[key] * value;
        sum += term;
        bound += std::fabs(term) * (exact.relative_errors[key] + units);
      };
      for (std::size_t key = 0; key < args.key_count; ++key) {
        if (!call.sees(query, key)) continue;
        add(key, call.v[(call.kv_head(head) * args.key_count + key) * args.value_dim + column]);
        if (args.terms.relative.values.empty()) continue;
        const std::int64_t row = call.relative_row(query, key);
        if (row >= 0) add(key, relative_value(call, head, row, column));
      }
      const double error = std::fabs(double{output.out[line * args.value_dim + column]} - sum);
      out = std::max(out, error / bound);
    }
  }
};

}  // namespace posenc::tests
