#include "posenc/relative/transformer_xl.hpp"

#include "cases.hpp"
#include "sizes.hpp"

namespace posenc::parity {
namespace {

TransformerXl encoding_of(Case& one, std::size_t heads, std::size_t head_dim, std::size_t d_model,
                          std::int64_t clamp_len = -1, bool segments = false) {
  const auto input = [&](const char* name, Case::Shape shape) {
    return one.input(name, shape, Values::tiny);
  };
  TransformerXlConfig config{.heads = heads,
                             .head_dim = head_dim,
                             .d_model = d_model,
                             .clamp_len = clamp_len,
                             .content_bias = input("content_bias", {heads, head_dim}),
                             .position_bias = input("position_bias", {heads, head_dim})};
  if (segments) {
    config.segment_bias = input("segment_bias", {heads, head_dim});
    config.segment_embedding = input("segment_embedding", {std::size_t{2}, heads, head_dim});
  }
  return TransformerXl(config);
}

void rows(Cases& cases) {
  constexpr std::int64_t kFirst[] = {5, 0, 511, 16777216, -3};
  std::size_t index = 0;
  for (const std::size_t pairs : sizes_to(34, {64, 65, 130})) {
    for (std::size_t step = 0; step < 3; ++step, ++index) {
      const std::int64_t first = turn(kFirst, index), clamp_len = index % 4 == 0 ? 3 : -1;
      const std::size_t count = 1 + index % 5;
      Label label;
      label("d_model", 2 * pairs)("first", first)("clamp_len", clamp_len)("rows", count);
      cases.add_stored(label, [&](Case& one) {
        const TransformerXl encoding = encoding_of(one, 1, 1, 2 * pairs, clamp_len);
        one.succeed(encoding.rows(first, one.output("out", {count, 2 * pairs})));
      });
    }
  }
}

void project(Cases& cases) {
  std::size_t index = 0;
  for (const std::size_t head_dim : sizes_to(35, {64})) {
    const std::size_t heads = 1 + index % 3, d_model = 2 * (1 + index % 20), count = 1 + index % 4;
    ++index;
    Label label;
    label("heads", heads)("head_dim", head_dim)("d_model", d_model)("rows", count);
    cases.add_stored(label, [&](Case& one) {
      const TransformerXl encoding = encoding_of(one, heads, head_dim, d_model);
      const auto table = one.input("rows", {count, d_model}, Values::rare);
      const auto weight = one.input("weight", {d_model, heads, head_dim}, Values::rare);
      one.succeed(encoding.project(table, weight, one.output("out", {heads, count, head_dim})));
    });
  }
}

void scores(Cases& cases) {
  std::size_t index = 0;
  for (const std::size_t size : sizes_to(36, {64, 65})) {
    for (std::size_t step = 0; step < 6; ++step, ++index) {
      const std::size_t head_dim = step % 2 == 0 ? size : 1 + index % 8;
      const std::size_t keys = step % 2 == 0 ? 1 + index % 9 : size;
      const std::size_t queries = 1 + index % 4, heads = 1 + index % 3;
      const bool causal = step < 3;
      Label label;
      label("heads", heads)("head_dim", head_dim)("queries", queries)("keys", keys);
      cases.add_stored(label("rows", causal ? "causal" : "all"), [&](Case& one) {
        const TransformerXl encoding = encoding_of(one, heads, head_dim, 0);
        const std::size_t count = causal ? keys : queries + keys;
        const auto q = one.input("q", {heads, queries, head_dim}, Values::rare);
        const auto k = one.input("k", {heads, keys, head_dim}, Values::rare);
        const auto r = one.input("r", {heads, count, head_dim}, Values::rare);
        const auto offset = static_cast<std::int64_t>(keys) - static_cast<std::int64_t>(queries);
        std::vector<float> workspace(encoding.workspace_size(count));
        const auto out = one.output_floats("out", {heads, queries, keys});
        one.succeed(encoding.scores(q, k, r, static_cast<std::int64_t>(keys) - 1,
                                    Positions::from(offset, queries), Positions::from(0, keys),
                                    0.25, workspace, out));
      });
    }
  }
}

void add_segments(Cases& cases) {
  std::size_t index = 0;
  for (const std::size_t head_dim : sizes_to(35, {64})) {
    const std::size_t heads = 1 + index % 3, queries = 1 + index % 4, keys = 1 + index % 9;
    ++index;
    Label label;
    label("heads", heads)("head_dim", head_dim)("queries", queries)("keys", keys);
    cases.add_stored(label, [&](Case& one) {
      const TransformerXl encoding = encoding_of(one, heads, head_dim, 0, -1, true);
      const auto q = one.input("q", {heads, queries, head_dim}, Values::rare);
      std::vector<std::int32_t> rows(queries), columns(keys);
      for (auto& id : rows) id = one.generator().one_in(2) ? 1 : 0;
      for (auto& id : columns) id = one.generator().one_in(2) ? 1 : 0;
      const auto out = one.in_place_floats("out", {heads, queries, keys}, Values::tiny);
      one.succeed(encoding.add_segments(q, rows, columns, 0.25, out));
    });
  }
}

void shift(Cases& cases) {
  for (const std::size_t keys : sizes_to(35)) {
    const std::size_t queries = 1 + keys % 5;
    cases.add_stored(Label()("queries", queries)("keys", keys), [&](Case& one) {
      const auto x = one.input("x", {queries, keys});
      one.succeed(relative_shift(x, queries, keys, one.output("out", {queries, keys})));
    });
  }
}

void index(Cases& cases) {
  constexpr std::int64_t kFirst[] = {5, 0, 20, 511, -3};
  for (std::size_t index = 0; index < 60; ++index) {
    const std::int64_t first_distance = turn(kFirst, index);
    const std::size_t rows = 1 + index % 30, queries = 1 + index % 5, keys = 1 + index % 20;
    const Place& place = turn(kWholePlaces, index);
    Label label;
    label("first_distance", first_distance)("rows", rows)("queries", queries)("keys", keys);
    cases.add(label("at", place.name), [&](Case& one) {
      const auto lines = one.positions("queries", place, queries);
      const auto columns = one.positions("keys", place, keys);
      std::vector<std::int32_t> out(queries * keys);
      one.succeed(TransformerXl::index(first_distance, rows, lines, columns, out));
      one.result("rows", out);
    });
  }
}

}  // namespace

std::span<const Verb> transformer_xl_verbs() {
  static constexpr Verb kVerbs[] = {
      {"transformer_xl.rows", rows},     {"transformer_xl.project", project},
      {"transformer_xl.scores", scores}, {"transformer_xl.add_segments", add_segments},
      {"transformer_xl.index", index},   {"relative_shift", shift}};
  return kVerbs;
}

}  // namespace posenc::parity
