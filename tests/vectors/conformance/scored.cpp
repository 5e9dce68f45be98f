#include "conformance/scored.hpp"

#include "posenc/attention/attention.hpp"

namespace posenc::conformance {

Scored scored_of(Case& c) {
  Scored s{.heads = c.size("heads"), .head_dim = c.size("head_dim")};
  s.queries = c.has("seq") ? c.size("seq") : c.size("query_len");
  s.keys = c.has("seq") ? s.queries : c.size("key_len");
  s.value_dim = c.has("value_dim") ? c.size("value_dim") : s.head_dim;
  s.offset = static_cast<std::int64_t>(s.keys) - static_cast<std::int64_t>(s.queries);
  return s;
}

double scale_of(Case& c, double otherwise) {
  const Json& scale = c.any("scale");
  return scale.is_string() ? otherwise : c.number("scale");
}

void attend(Case& c, const Scored& s, std::span<const float> bias, const Tensor& q, const Tensor& k,
            const Finish& finish) {
  const Tensor v = c.input("v", {s.heads, s.keys, s.value_dim});
  std::vector<float> key_bias;
  if (c.has("key_mask") && !c.any("key_mask").is_null()) {
    const std::vector<double> mask = c.numbers("key_mask");
    if (mask.size() != s.keys) malformed("parameter \"key_mask\" must have a value for each key");
    for (std::size_t i = 0; i < s.heads * s.keys; ++i) {
      key_bias.push_back(mask[i % s.keys] != 0.0 ? 0.0f : kHidden);
    }
  }
  const AttentionArgs args{.heads = s.heads,
                           .query_count = s.queries,
                           .key_count = s.keys,
                           .head_dim = s.head_dim,
                           .value_dim = s.value_dim,
                           .scale = s.scale,
                           .causal = s.causal,
                           .query_offset = s.offset,
                           .terms = {.bias = bias, .key_bias = key_bias}};
  std::vector<float> workspace = c.room({attention_workspace_size(args)});
  std::vector<float> probs = c.room(s.shape());
  const Shape shape{s.heads, s.queries, s.value_dim};
  std::vector<float> out = c.room(shape);
  attention(q.values, k.values, v.values, out, args, workspace, probs).or_throw();
  if (finish) finish(probs, out);
  c.output("probs", s.shape(), probs);
  c.output("out", shape, out);
}

std::vector<float> scores_of(Case& c, const Scored& s, std::span<const float> bias,
                             std::span<const float> q, std::span<const float> k) {
  const AttentionArgs args{.heads = s.heads,
                           .query_count = s.queries,
                           .key_count = s.keys,
                           .head_dim = s.head_dim,
                           .scale = s.scale,
                           .terms = {.bias = bias}};
  std::vector<float> workspace = c.room({attention_workspace_size(args)});
  std::vector<float> scores = c.room(s.shape());
  attention_scores(q, k, scores, args, workspace).or_throw();
  return scores;
}

}  // namespace posenc::conformance
