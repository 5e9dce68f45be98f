// The gradient of attention with every combination of options in turn.

#include "posenc/attention/attention_backward.hpp"

#include "attention_args.hpp"

namespace posenc::parity {
namespace {

AttentionGradients outputs(Case& one, const AttentionArgs& args) {
  const RelativeTerms& relative = args.terms.relative;
  const auto like = [&](const char* name, std::size_t size) {
    return size == 0 ? std::span<float>() : one.output_floats(name, {size});
  };
  return {.q = one.output("q", {args.heads, args.query_count, args.head_dim}),
          .k = one.output("k", {args.kv_heads, args.key_count, args.head_dim}),
          .v = one.output("v", {args.kv_heads, args.key_count, args.value_dim}),
          .distances = like("distances", args.terms.distances.size()),
          .bias = like("bias", args.heads * args.query_count * args.key_count),
          .key_bias = like("key_bias", args.terms.key_bias.size()),
          .relative_keys = like("relative_keys", relative.keys.size()),
          .relative_queries = like("relative_queries", relative.queries.size()),
          .relative_values = like("relative_values", relative.values.size()),
          .position_bias =
              like("position_bias", relative.keys.empty() ? 0 : relative.position_bias.size()),
          .content_bias = like("content_bias", relative.content_bias.size())};
}

void backward(Cases& cases) {
  for (std::size_t index = 0; index < 700; ++index) {
    const std::size_t kinds = index * 1021 % AttentionOptions::kKinds;
    const AttentionArgs shape = attention_shape(index);
    cases.add_stored(attention_label(shape, kinds), [&](Case& one) {
      AttentionArgs args = shape;
      const auto input = [&](const char* name, std::size_t heads, std::size_t rows,
                             std::size_t width) {
        return one.input(name, {heads, rows, width}, Values::ordinary);
      };
      const auto q = input("q", args.heads, args.query_count, args.head_dim);
      const auto k = input("k", args.kv_heads, args.key_count, args.head_dim);
      const auto v = input("v", args.kv_heads, args.key_count, args.value_dim);
      const auto out_gradient = input("out", args.heads, args.query_count, args.value_dim);
      const AttentionOptions memory(one, kinds, args);
      std::vector<float> workspace(attention_backward_workspace_size(args, k.type(), v.type()));
      one.succeed(attention_backward(q, k, v, out_gradient, args, workspace, outputs(one, args)));
    });
  }
}

}  // namespace

std::span<const Verb> attention_backward_verbs() {
  static constexpr Verb kVerbs[] = {{"attention_backward", backward}};
  return kVerbs;
}

}  // namespace posenc::parity
