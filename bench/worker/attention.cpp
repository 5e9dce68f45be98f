#include <cmath>
#include <memory>

#include "workload.hpp"

namespace posenc::bench {
namespace {

struct Attention {
  AttentionArgs args;
  Buffer<float> q, k, v, out;
  Buffer<float> distances, cos, sin, keys, queries;
  std::vector<std::int32_t> index;
  std::vector<float> workspace;
};

std::int64_t first_distance(const Attention& state) {
  return 1 - static_cast<std::int64_t>(state.args.key_count);
}

void add_distances(Attention& state, const auto& encoding) {
  state.distances.resize(state.args.heads * (2 * state.args.key_count - 1));
  encoding.distances(first_distance(state), state.distances).or_throw();
  state.args.terms = {.distances = state.distances, .first_distance = first_distance(state)};
}

void add_rotation(Attention& state) {
  const std::size_t dim = state.args.head_dim;
  state.cos.resize(state.args.key_count * dim / 2);
  state.sin.resize(state.cos.size());
  const Positions positions = Positions::from(0, state.args.key_count);
  Rope({.head_dim = dim}).angles(positions, state.cos, state.sin).or_throw();
  state.args.rotary = {.query_cos = state.cos,
                       .query_sin = state.sin,
                       .key_cos = state.cos,
                       .key_sin = state.sin,
                       .rotary_dim = dim};
}

/// As `deberta` of relative.cpp, as terms of the call.
void add_deberta(Attention& state) {
  const std::size_t length = state.args.key_count, width = state.args.heads * state.args.head_dim;
  const Buffer<float> table = data(2 * length * width, 3);
  const Deberta encoding({.heads = state.args.heads,
                          .head_dim = state.args.head_dim,
                          .max_relative_positions = length,
                          .rel_embeddings = table});
  state.keys.resize(table.size());
  state.queries.resize(table.size());
  encoding.tables(state.keys, state.queries).or_throw();
  state.index.resize(2 * length - 1);
  const Positions distances = Positions::from(first_distance(state), state.index.size());
  encoding.index(Positions::from(0, 1), distances, state.index).or_throw();
  state.args.scale = encoding.scale();
  state.args.terms.relative = {.index = state.index,
                               .first_distance = first_distance(state),
                               .row_count = 2 * length,
                               .keys = state.keys,
                               .queries = state.queries};
}

Workload attend(const Shape& shape) {
  const std::size_t heads = shape.size("heads"), length = shape.size("length");
  const std::size_t dim = shape.size("dim"), count = heads * length * dim;
  auto state = std::make_shared<Attention>(Attention{
      .args = {.heads = heads, .query_count = length, .key_count = length, .head_dim = dim},
      .q = data(count, 1),
      .k = data(count, 2),
      .v = data(count, 3),
      .out = Buffer<float>(count),
      .distances = {},
      .cos = {},
      .sin = {},
      .keys = {},
      .queries = {},
      .index = {},
      .workspace = {}});
  const std::string& terms = shape.word("terms");
  const Buffer<float> table = data(32 * heads);
  if (terms == "causal") state->args.causal = true;
  if (shape.word("numerics") == "fast") state->args.numerics = Numerics::fast;
  if (terms == "alibi")
    add_distances(*state, Alibi({.heads = heads, .form = AlibiForm::symmetric}));
  if (terms == "t5")
    add_distances(*state, T5({.heads = heads, .bidirectional = true, .table = table}));
  if (terms == "rope") add_rotation(*state);
  if (terms == "deberta") add_deberta(*state);
  state->workspace.resize(attention_workspace_size(state->args));
  Workload workload;
  workload.run = [state] {
    Attention& s = *state;
    attention(s.q, s.k, s.v, s.out, s.args, s.workspace).or_throw();
  };
  workload.results = [state]() -> std::vector<ConstFloats> { return {state->out}; };
  return workload;
}

}  // namespace

void add_attention(std::map<std::string, Maker>& makers) { makers["attention"] = attend; }

}  // namespace posenc::bench
