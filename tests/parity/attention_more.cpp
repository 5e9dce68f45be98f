// Attention with every combination of its options in turn.

#include "attention_args.hpp"

namespace posenc::parity {
namespace {

void options(Cases& cases) {
  for (std::size_t index = 0; index < 1200; ++index) {
    // a step that is odd visits every combination of bits
    const std::size_t kinds = index * 1021 % AttentionOptions::kKinds;
    const AttentionArgs shape = attention_shape(index);
    cases.add_stored(attention_label(shape, kinds), [&](Case& one) {
      AttentionArgs args = shape;
      const auto q =
          one.input("q", {args.heads, args.query_count, args.head_dim}, Values::ordinary);
      const auto k =
          one.input("k", {args.kv_heads, args.key_count, args.head_dim}, Values::ordinary);
      const auto v =
          one.input("v", {args.kv_heads, args.key_count, args.value_dim}, Values::ordinary);
      const AttentionOptions memory(one, kinds, args);
      std::vector<float> workspace(attention_workspace_size(args, v.type()));
      const auto out = one.output("out", {args.heads, args.query_count, args.value_dim});
      const auto probabilities =
          one.output("probabilities", {args.heads, args.query_count, args.key_count});
      one.succeed(attention(q, k, v, out, args, workspace, probabilities));
    });
  }
}

}  // namespace

std::span<const Verb> attention_more_verbs() {
  static constexpr Verb kVerbs[] = {{"attention.options", options}};
  return kVerbs;
}

}  // namespace posenc::parity
