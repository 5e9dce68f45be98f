#include <cmath>

#include "conformance/families.hpp"
#include "conformance/scored.hpp"
#include "posenc/relative/cope.hpp"
#include "posenc/relative/decomposed.hpp"
#include "posenc/relative/forgetting_bias.hpp"
#include "posenc/relative/pope.hpp"

namespace posenc::conformance {
namespace {

void cope(Case& c) {
  Scored s = scored_of(c);
  s.scale = 1.0 / std::sqrt(static_cast<double>(s.head_dim));
  s.causal = c.flag("causal");
  c.one_of("logits", {"given", "q.k/sqrt(head_dim)"});
  const std::vector<double> places = c.numbers("query_positions");
  const Tensor table = c.input("pos_emb", {c.size("max_pos"), s.head_dim});
  const Tensor q = c.input("q", {s.heads, s.queries, s.head_dim});
  const Cope encoding({.head_dim = s.head_dim,
                       .max_pos = table.shape[0],
                       .table = table.values,
                       .causal = s.causal});
  Tensor logits, k;
  if (c.has_input("logits")) {
    logits = c.input("logits", s.shape());
  } else {
    k = c.input("k", {s.heads, s.keys, s.head_dim});
    logits = {s.shape(), scores_of(c, s, {}, q.values, k.values)};
  }
  const Positions queries = Positions::of(std::span<const double>(places));
  std::vector<float> positions = c.room(s.shape()), bias = c.room(s.shape());
  encoding.positions(logits.values, queries, s.key_positions(), positions).or_throw();
  encoding.scores(q.values, logits.values, queries, s.key_positions(), bias).or_throw();
  c.output("positions", s.shape(), positions);
  c.output("bias", s.shape(), bias);
  if (!k.values.empty()) attend(c, s, bias, q, k);
}

void pope(Case& c) {
  const std::size_t heads = c.size("heads"), dim = c.size("head_dim");
  const std::vector<double> mine = c.numbers("query_positions");
  const std::vector<double> theirs = c.numbers("key_positions");
  c.one_of("delta_clamp", {Json::array({-6.283185307179586, 0})});
  const Tensor delta = c.input("delta", {heads, dim});
  const Tensor q = c.input("q", {heads, mine.size(), dim});
  const Tensor k = c.input("k", {heads, theirs.size(), dim});
  const Pope encoding(
      {.heads = heads, .head_dim = dim, .base = c.number("base"), .delta = delta.values});
  const Shape q_shape{heads, mine.size(), 2 * dim}, k_shape{heads, theirs.size(), 2 * dim};
  std::vector<float> queries = c.room(q_shape), keys = c.room(k_shape);
  encoding.embed_queries(q.values, Positions::of(std::span<const double>(mine)), queries)
      .or_throw();
  encoding.embed_keys(k.values, Positions::of(std::span<const double>(theirs)), keys).or_throw();
  c.output("q_embedded", q_shape, queries);
  c.output("k_embedded", k_shape, keys);
  const Scored s{.heads = heads,
                 .queries = mine.size(),
                 .keys = theirs.size(),
                 .head_dim = 2 * dim,
                 .scale = c.number("scale")};
  std::vector<float> mask = c.room(s.shape());
  const bool causal = c.flag("causal");
  for (std::size_t i = 0; i < mask.size(); ++i) {
    const std::size_t query = i / theirs.size() % mine.size(), key = i % theirs.size();
    mask[i] = causal && theirs[key] > mine[query] ? kHidden : 0.0f;
  }
  c.output("logits", s.shape(), scores_of(c, s, mask, queries, keys));
}

void fox_decay(Case& c) {
  const std::size_t heads = c.size("heads"), length = c.size("seq");
  const bool causal = c.flag("causal");
  const ForgettingBias encoding(
      {.heads = heads, .causal = causal, .log_scale = c.number("log_scale")});
  const Tensor gates = c.input("gate_logits", {causal ? heads : 2 * heads, length});
  std::vector<double> workspace(ForgettingBias::workspace_size(length));
  std::vector<float> bias = c.room({heads, length, length});
  encoding.bias(gates.values, workspace, bias).or_throw();
  c.output("bias", {heads, length, length}, bias);
}

/// A parameter that is [height, width].
std::pair<std::size_t, std::size_t> grid_of(Case& c, const std::string& name) {
  const Json& sides = c.any(name);
  if (!sides.is_array() || sides.size() != 2) {
    malformed("parameter \"" + name + "\" must be [height, width]");
  }
  return {size_of(sides[0], "a side"), size_of(sides[1], "a side")};
}

void sam_decomposed(Case& c) {
  const auto [query_height, query_width] = grid_of(c, "query_size");
  const auto [key_height, key_width] = grid_of(c, "key_size");
  const std::size_t batch = c.size("batch_heads"), dim = c.size("dim");
  c.describes({"table_interpolation"});
  const Tensor h = c.input("rel_pos_h"), w = c.input("rel_pos_w");
  const Decomposed encoding({.query_height = query_height,
                             .query_width = query_width,
                             .key_height = key_height,
                             .key_width = key_width,
                             .head_dim = dim,
                             .table_h = h.values,
                             .table_w = w.values});
  const std::size_t queries = query_height * query_width, keys = key_height * key_width;
  const Tensor q = c.input("q", {batch, queries, dim});
  std::vector<float> bias = c.room({batch, queries, keys});
  encoding.scores(q.values, bias).or_throw();
  c.output("bias", {batch, queries, keys}, bias);
}

constexpr Family kFamilies[] = {
    {"cope", cope},
    {"pope", pope},
    {"fox_decay", fox_decay},
    {"sam_decomposed", sam_decomposed},
};

}  // namespace

std::span<const Family> contextual_families() { return kFamilies; }

}  // namespace posenc::conformance
