#include "conformance/attention_setup.hpp"
#include "conformance/families.hpp"
#include "posenc/attention/attention_backward.hpp"
#include "posenc/bias/alibi.hpp"
#include "posenc/bias/t5.hpp"

namespace posenc::conformance {
namespace {

/// From the gradient by distance to that of alibi's slopes or t5's table, as one query at 0 and
/// keys at the distances.
void parameter_gradients(Case& c, const AttentionSetup& s, std::span<const float> distances) {
  const Positions query = Positions::from(0, 1);
  const Positions keys = Positions::from(s.first_distance(), s.distance_count());
  if (c.wants("dslopes")) {
    const Alibi alibi({.heads = s.args.heads, .form = AlibiForm::symmetric});
    std::vector<float> slopes(s.args.heads);
    alibi.slope_gradient(query, keys, distances, slopes).or_throw();
    c.output("dslopes", {s.args.heads}, slopes);
  }
  if (c.wants("dtable")) {
    const T5 t5(s.t5_config());
    const Shape shape{t5.config().num_buckets, s.args.heads};
    std::vector<float> table = c.room(shape);
    t5.table_gradient(query, keys, distances, table).or_throw();
    c.output("dtable", shape, table);
  }
}

void attention_gradient(Case& c) {
  const AttentionSetup s(c);
  const Tensor dout = c.input("dout", s.out_shape());
  std::vector<float> workspace = c.room({attention_workspace_size(s.args)});
  std::vector<float> out = c.room(s.out_shape());
  attention(s.q.values, s.k.values, s.v.values, out, s.args, workspace).or_throw();
  c.output("out", s.out_shape(), out);

  const RelativeTerms& relative = s.args.terms.relative;
  std::vector<float> dq = c.room(s.q.shape), dk = c.room(s.k.shape), dv = c.room(s.v.shape);
  std::vector<float> distances = c.room({s.args.terms.distances.size()});
  std::vector<float> keys = c.room({relative.keys.size()});
  std::vector<float> values = c.room({relative.values.size()});
  workspace = c.room({attention_backward_workspace_size(s.args)});
  attention_backward(s.q.values, s.k.values, s.v.values, dout.values, s.args, workspace,
                     {.q = dq,
                      .k = dk,
                      .v = dv,
                      .distances = distances,
                      .relative_keys = keys,
                      .relative_values = values})
      .or_throw();
  c.output("dq", s.q.shape, dq);
  c.output("dk", s.k.shape, dk);
  c.output("dv", s.v.shape, dv);
  parameter_gradients(c, s, distances);
  if (c.wants("drel_k")) c.output("drel_k", {relative.row_count, s.args.head_dim}, keys);
  if (c.wants("drel_v")) c.output("drel_v", {relative.row_count, s.args.value_dim}, values);
}

constexpr Family kFamilies[] = {
    {"grad_attention", attention_gradient},
    {"grad_alibi", attention_gradient},
    {"grad_t5", attention_gradient},
    {"grad_shaw", attention_gradient},
    {"grad_rope_attention", attention_gradient},
};

}  // namespace

std::span<const Family> attention_gradient_families() { return kFamilies; }

}  // namespace posenc::conformance
