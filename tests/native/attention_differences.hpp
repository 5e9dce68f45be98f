#pragma once

// A call of attention with its loss in double, and all of its gradients.

#include <vector>

#include "attention_reference.hpp"
#include "posenc/attention/attention_backward.hpp"

namespace posenc::tests {

/// Everything that a call reads and that has a gradient, in memory of its own.
struct Differentiable {
  AttentionCase call;
  std::vector<float> out_gradient, distances, bias, key_bias;
  std::vector<float> relative_keys, relative_queries, relative_values, position, content;
  std::vector<std::int32_t> index;
  std::vector<std::uint8_t> mask;
  std::vector<float> tables[4];

  Differentiable(const AttentionArgs& args, bool with_terms, bool shared, Random& random)
      : call(args, random, 1) {
    const AttentionArgs& a = call.args;
    out_gradient = random.floats(call.out_size());
    if (!with_terms) return;
    const std::size_t count = a.query_count + a.key_count, rows = 5;
    const std::size_t owners = shared ? 1 : a.heads;
    for (std::size_t i = 0; i < count; ++i) {
      index.push_back(static_cast<std::int32_t>(random.integer(-1, 4)));
    }
    distances = random.floats(a.heads * count);
    bias = random.floats(call.score_count());
    key_bias = random.floats(a.heads * a.key_count);
    relative_keys = random.floats(owners * rows * a.head_dim);
    relative_queries = random.floats(owners * rows * a.head_dim);
    relative_values = random.floats(owners * rows * a.value_dim);
    position = random.floats(a.heads * a.head_dim);
    content = random.floats(a.heads * a.head_dim);
    for (std::size_t key = 0; key < a.key_count; ++key) mask.push_back(key % 5 == 2 ? 0 : 1);
    const std::size_t pairs = 1;
    for (std::size_t i = 0; i < 4; ++i) {
      tables[i] = random.floats((i < 2 ? a.query_count : a.key_count) * pairs);
    }
    view();
  }
  Differentiable(const Differentiable&) = delete;

  void view() {
    AttentionArgs& a = call.args;
    const std::int64_t first = -call.position(a.query_count);
    a.key_mask = mask;
    if (a.head_dim >= 3) {
      a.rotary = {.query_cos = tables[0],
                  .query_sin = tables[1],
                  .key_cos = tables[2],
                  .key_sin = tables[3],
                  .rotary_dim = 2,
                  .rotary_start = 1};
    }
    a.terms = {.distances = distances,
               .first_distance = first,
               .bias = bias,
               .key_bias = key_bias,
               .relative = {.index = index,
                            .first_distance = first,
                            .row_count = 5,
                            .keys = relative_keys,
                            .queries = relative_queries,
                            .values = relative_values,
                            .position_bias = position,
                            .content_bias = content}};
  }

  /// sum(out * out_gradient) in double.
  double loss() const {
    const AttentionArgs& a = call.args;
    double sum = 0;
    for (std::size_t line = 0; line < a.heads * a.query_count; ++line) {
      const std::size_t head = line / a.query_count, query = line % a.query_count;
      const ExactRow row(call, head, query);
      for (std::size_t key = 0; key < a.key_count; ++key) {
        if (!call.sees(query, key)) continue;
        sum += row.probabilities[key] * value_product(line, head, query, key);
      }
    }
    return sum;
  }

 private:
  double value_product(std::size_t line, std::size_t head, std::size_t query,
                       std::size_t key) const {
    const AttentionArgs& a = call.args;
    const std::int64_t relative = index.empty() ? -1 : call.relative_row(query, key);
    const std::size_t owner = relative_values.size() == 5 * a.value_dim ? 0 : head;
    double product = 0;
    for (std::size_t column = 0; column < a.value_dim; ++column) {
      double value = call.v[(call.kv_head(head) * a.key_count + key) * a.value_dim + column];
      if (relative >= 0) {
        const std::size_t row = owner * 5 + static_cast<std::size_t>(relative);
        value += relative_values[row * a.value_dim + column];
      }
      product += double{out_gradient[line * a.value_dim + column]} * value;
    }
    return product;
  }
};

/// All gradients of a call, in memory of their own.
struct Gradients {
  std::vector<float> q, k, v, distances, bias, key_bias;
  std::vector<float> relative_keys, relative_queries, relative_values, position, content;

  explicit Gradients(const Differentiable& of)
      : q(of.call.q.size()),
        k(of.call.k.size()),
        v(of.call.v.size()),
        distances(of.distances.size()),
        bias(of.call.score_count()),
        key_bias(of.key_bias.size()),
        relative_keys(of.relative_keys.size()),
        relative_queries(of.relative_queries.size()),
        relative_values(of.relative_values.size()),
        position(of.position.size()),
        content(of.content.size()) {
    for (std::vector<float>* one : {&q, &k, &v, &distances, &bias, &key_bias, &relative_keys,
                                    &relative_queries, &relative_values, &position, &content}) {
      std::ranges::fill(*one, 77.0f);  // what was there is not added to
    }
    Guarded workspace(attention_backward_workspace_size(of.call.args), 3);
    EXPECT_TRUE(succeeded(attention_backward(of.call.q, of.call.k, of.call.v, of.out_gradient,
                                             of.call.args, workspace.span(), views())));
  }

  AttentionGradients views() {
    return {.q = q,
            .k = k,
            .v = v,
            .distances = distances,
            .bias = bias,
            .key_bias = key_bias,
            .relative_keys = relative_keys,
            .relative_queries = relative_queries,
            .relative_values = relative_values,
            .position_bias = position,
            .content_bias = content};
  }
};

}  // namespace posenc::tests
