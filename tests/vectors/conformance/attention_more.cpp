#include "conformance/attention_setup.hpp"
#include "conformance/families.hpp"

namespace posenc::conformance {
namespace {

void attention_more(Case& c) {
  const AttentionSetup s(c);
  std::vector<float> workspace = c.room({attention_workspace_size(s.args)});
  std::vector<float> probs = c.room(s.score_shape());
  std::vector<float> out = c.room(s.out_shape());
  attention(s.q.values, s.k.values, s.v.values, out, s.args, workspace, probs).or_throw();
  c.output("probs", s.score_shape(), probs);
  c.output("out", s.out_shape(), out);
}

constexpr Family kFamilies[] = {
    {"causal_window", attention_more}, {"key_padding", attention_more},
    {"grouped_query", attention_more}, {"t5_cross", attention_more},
    {"softcap", attention_more},       {"large_logits", attention_more},
    {"value_dim", attention_more},     {"alibi_padding", attention_more},
    {"rope_inside", attention_more},   {"deepseek_scale", attention_more},
};

}  // namespace

std::span<const Family> attention_more_families() { return kFamilies; }

}  // namespace posenc::conformance
