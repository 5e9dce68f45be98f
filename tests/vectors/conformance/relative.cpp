#include <cmath>

#include "conformance/families.hpp"
#include "conformance/scored.hpp"
#include "posenc/relative/deberta.hpp"
#include "posenc/relative/shaw.hpp"
#include "posenc/relative/transformer_xl.hpp"

namespace posenc::conformance {
namespace {

void shaw_index(Case& c) {
  const std::size_t queries = c.size("length_q"), keys = c.size("length_k");
  const std::size_t reach = c.size("max_relative_position");
  c.one_of("queries", {"the last length_q of length_k positions"});
  const std::vector<float> table(2 * reach + 1);
  const Shaw shaw({.head_dim = 1, .max_relative_position = reach, .keys = table});
  std::vector<std::int32_t> index(queries * keys);
  const auto offset = static_cast<std::int64_t>(keys) - static_cast<std::int64_t>(queries);
  shaw.index(Positions::from(offset, queries), Positions::from(0, keys), index).or_throw();
  c.output("index", {queries, keys}, std::vector<double>(index.begin(), index.end()));
}

void shaw(Case& c) {
  if (c.has("length_q")) return shaw_index(c);
  Scored s = scored_of(c);
  s.scale = scale_of(c, 1.0 / std::sqrt(static_cast<double>(s.head_dim)));
  s.causal = c.flag("causal");
  const std::size_t rows = 2 * c.size("max_relative_position") + 1;
  const bool has_values = c.flag("value_embeddings");
  const Tensor q = c.input("q", {s.heads, s.queries, s.head_dim});
  const Tensor k = c.input("k", {s.heads, s.keys, s.head_dim});
  const Tensor keys = c.input("rel_k", {rows, s.head_dim});
  const Tensor values = has_values ? c.input("rel_v", {rows, s.value_dim}) : Tensor{};
  const Shaw encoding({.head_dim = s.head_dim,
                       .max_relative_position = rows / 2,
                       .keys = keys.values,
                       .values = values.values,
                       .value_dim = s.value_dim});
  std::vector<float> bias = c.room(s.shape());
  encoding.scores(q.values, s.query_positions(), s.key_positions(), s.scale, bias).or_throw();
  attend(c, s, bias, q, k, [&](std::span<const float> probs, std::span<float> out) {
    if (!has_values) return;
    encoding.add_values(probs, s.query_positions(), s.key_positions(), out).or_throw();
  });
}

/// -1 stands for none in the published configs.
std::size_t count_or_none(Case& c, const char* name) {
  const std::int64_t value = c.whole(name);
  return value < 0 ? 0 : static_cast<std::size_t>(value);
}

void deberta_bucket(Case& c) {
  const Deberta deberta({.heads = 1,
                         .head_dim = 1,
                         .position_buckets = c.size("bucket_size"),
                         .max_relative_positions = c.size("max_position")});
  const Shape shape = c.input("relative_position").shape;
  std::vector<double> buckets;
  for (const std::int64_t distance : c.whole_input("relative_position")) {
    buckets.push_back(static_cast<double>(deberta.bucket(distance)));
  }
  c.output("bucket", shape, buckets);
}

void relative_positions(Case& c, const Deberta& deberta, std::size_t queries, std::size_t keys,
                        const Shape& shape) {
  std::vector<std::int32_t> out(queries * keys);
  deberta.relative_positions(Positions::from(0, queries), Positions::from(0, keys), out).or_throw();
  c.output("relative_position", shape, std::vector<double>(out.begin(), out.end()));
}

void deberta_relpos(Case& c) {
  const std::size_t queries = c.size("query_size"), keys = c.size("key_size");
  const std::size_t most = count_or_none(c, "max_position");
  const Deberta deberta({.heads = 1,
                         .head_dim = 1,
                         .position_buckets = count_or_none(c, "bucket_size"),
                         .max_relative_positions = most != 0 ? most : queries + keys});
  relative_positions(c, deberta, queries, keys, {1, queries, keys});
}

void deberta(Case& c) {
  Scored s = scored_of(c);
  const std::size_t span = c.size("att_span"), width = s.heads * s.head_dim;
  const std::size_t most = count_or_none(c, "max_relative_positions");
  DebertaConfig config{.heads = s.heads, .head_dim = s.head_dim, .c2p = false, .p2c = false};
  for (const Json& term : c.any("pos_att_type")) {
    if (term != "c2p" && term != "p2c") {
      unsupported("parameter \"pos_att_type\" has the unsupported value " + shown(term));
    }
    (term == "c2p" ? config.c2p : config.p2c) = true;
  }
  config.position_buckets = count_or_none(c, "position_buckets");
  config.max_relative_positions = most != 0 ? most : span;
  config.att_span = span;
  c.one_of("share_att_key", {false});
  c.one_of("p2c_index", {"delta(i,j)"});
  c.describes({"rel_embeddings_form", "relative_position"});
  const Tensor table = c.input("rel_embeddings", {2 * span, width});
  config.rel_embeddings = table.values;
  Tensor weights[2], biases[2];
  const char* sides[2] = {"pos_key", "pos_query"};
  DebertaProjection* projections[2] = {&config.pos_key, &config.pos_query};
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string side = sides[i];
    if (!c.has_input(side + "_weight")) continue;
    weights[i] = c.input(side + "_weight", {width, width});
    biases[i] = c.input(side + "_bias", {width});
    *projections[i] = {weights[i].values, biases[i].values};
  }
  const Deberta encoding(config);
  s.scale = scale_of(c, encoding.scale());
  const Tensor q = c.input("q", {s.heads, s.queries, s.head_dim});
  const Tensor k = c.input("k", {s.heads, s.keys, s.head_dim});
  std::vector<float> bias = c.room(s.shape());
  encoding.scores(q.values, k.values, s.query_positions(), s.key_positions(), bias).or_throw();
  if (c.wants("relative_position")) {
    relative_positions(c, encoding, s.queries, s.keys, {s.queries, s.keys});
  }
  c.output("scores", s.shape(), scores_of(c, s, bias, q.values, k.values));
  attend(c, s, bias, q, k);
}

/// Rows [sin | cos] of distances that fall by one.
void xl_sinusoid(Case& c) {
  TransformerXlConfig config{.heads = 1, .head_dim = 1, .base = c.number("base")};
  const std::vector<float> zero(1);
  config.content_bias = config.position_bias = zero;
  std::int64_t first = 0;
  std::size_t rows = 0, batch = 1;
  if (c.has("dim")) {
    const std::vector<double> positions = c.positions();
    if (positions.empty()) malformed("there must be a position");
    config.d_model = c.size("dim");
    first = static_cast<std::int64_t>(positions[0]);
    rows = positions.size();
    for (std::size_t i = 0; i < rows; ++i) {
      const double expected = static_cast<double>(first) - static_cast<double>(i);
      if (positions[i] != expected) unsupported("positions must fall by one");
    }
  } else {
    config.d_model = c.size("d_model");
    config.clamp_len = c.whole("clamp_len");
    c.one_of("attn_type", {"uni", "bi"});
    first = static_cast<std::int64_t>(c.size("klen"));
    const bool bidirectional = c.any("attn_type") == "bi";
    rows = static_cast<std::size_t>(first) + (bidirectional ? c.size("qlen") : 1);
    c.describes({"qlen"});
    batch = c.flag("bi_data") ? 2 : 1;
  }
  const TransformerXl xl(config);
  std::vector<float> table = c.room({rows, config.d_model});
  xl.rows(first, table).or_throw();
  if (batch == 1) return c.output("pos_emb", {rows, 1, config.d_model}, table);
  // the second half of the batch is read backwards: its positions are negated, and so are its sines
  const std::size_t half = config.d_model / 2;
  std::vector<float> both;
  for (std::size_t row = 0; row < rows; ++row) {
    const auto forward = std::span(table).subspan(row * config.d_model, config.d_model);
    both.insert(both.end(), forward.begin(), forward.end());
    for (std::size_t i = 0; i < config.d_model; ++i) {
      both.push_back(i < half ? 0.0f - forward[i] : forward[i]);
    }
  }
  c.output("pos_emb", {rows, 2, config.d_model}, both);
}

void rel_shift(Case& c) {
  const std::size_t queries = c.size("qlen"), keys = c.size("klen");
  c.describes({"output"});
  const Tensor x = c.input("x", {queries, keys});
  std::vector<float> out = c.room(x.shape);
  relative_shift(x.values, queries, keys, out).or_throw();
  c.output("x", x.shape, out);
}

/// r as it is given, or made of sinusoid rows and their projection.
Tensor xl_rows(Case& c, const Scored& s, const TransformerXl& xl, std::int64_t first,
               std::size_t rows) {
  const Shape shape{s.heads, rows, s.head_dim};
  if (c.has_input("r")) return c.input("r", shape);
  const std::size_t width = xl.config().d_model;
  const Tensor weight = c.input("w_r", {width, s.heads, s.head_dim});
  std::vector<float> table = c.room({rows, width});
  xl.rows(first, table).or_throw();
  Tensor r{shape, c.room(shape)};
  xl.project(table, weight.values, r.values).or_throw();
  return r;
}

void transformer_xl(Case& c) {
  Scored s = scored_of(c);
  s.scale = scale_of(c, 1.0 / std::sqrt(static_cast<double>(s.head_dim)));
  s.offset = c.whole("mem_len");
  s.causal = c.has("causal") ? c.flag("causal") : c.any("mask") == "causal";
  c.one_of("mask", {"none", "causal"});
  c.describes({"attn_type", "r_form", "segments"});
  std::vector<std::int64_t> order;
  if (c.has("r_positions")) {
    order = c.wholes("r_positions");
  } else {
    for (std::size_t i = s.keys; i-- > 0;) order.push_back(static_cast<std::int64_t>(i));
  }
  if (order.empty()) malformed("there must be a row of r");
  const Tensor u = c.input("r_w_bias", {s.heads, s.head_dim});
  const Tensor v = c.input("r_r_bias", {s.heads, s.head_dim});
  const bool segments = c.has_input("seg_embed");
  const Tensor w = segments ? c.input("r_s_bias", {s.heads, s.head_dim}) : Tensor{};
  const Tensor embedding = segments ? c.input("seg_embed", {2, s.heads, s.head_dim}) : Tensor{};
  const TransformerXl xl({.heads = s.heads,
                          .head_dim = s.head_dim,
                          .d_model = c.has("d_model") ? c.size("d_model") : 0,
                          .base = c.has("base") ? c.number("base") : 10000.0,
                          .clamp_len = c.has("clamp_len") ? c.whole("clamp_len") : -1,
                          .content_bias = u.values,
                          .position_bias = v.values,
                          .segment_bias = w.values,
                          .segment_embedding = embedding.values});
  const Tensor r = xl_rows(c, s, xl, order[0], order.size());
  const Tensor q = c.input("q", {s.heads, s.queries, s.head_dim});
  const Tensor k = c.input("k", {s.heads, s.keys, s.head_dim});
  std::vector<float> workspace = c.room({xl.workspace_size(order.size())});
  std::vector<float> bias = c.room(s.shape());
  xl.scores(q.values, k.values, r.values, order[0], s.query_positions(), s.key_positions(), s.scale,
            workspace, bias)
      .or_throw();
  if (segments) {
    const std::vector<std::int64_t> mine = c.whole_input("segment_q");
    const std::vector<std::int64_t> theirs = c.whole_input("segment_k");
    xl.add_segments(q.values, std::vector<std::int32_t>(mine.begin(), mine.end()),
                    std::vector<std::int32_t>(theirs.begin(), theirs.end()), s.scale, bias)
        .or_throw();
  }
  attend(c, s, bias, q, k);
}

constexpr Family kFamilies[] = {
    {"shaw", shaw},
    {"shaw_cache", shaw},
    {"deberta_bucket", deberta_bucket},
    {"deberta_relpos", deberta_relpos},
    {"deberta", deberta},
    {"deberta_projected", deberta},
    {"deberta_c2p", deberta},
    {"xl_sinusoid", xl_sinusoid},
    {"rel_shift", rel_shift},
    {"transfo_xl", transformer_xl},
    {"xlnet", transformer_xl},
};

}  // namespace

std::span<const Family> relative_families() { return kFamilies; }

}  // namespace posenc::conformance
