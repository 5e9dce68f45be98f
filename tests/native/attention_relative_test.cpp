// Attention's terms of content and distance, and rotation inside: the values of the encodings.

#include <vector>

#include "attention_reference.hpp"
#include "posenc/relative/deberta.hpp"
#include "posenc/relative/shaw.hpp"
#include "posenc/relative/transformer_xl.hpp"
#include "posenc/rotary/rope.hpp"
#include "storage_types.hpp"

namespace posenc {
namespace {

using namespace tests;

/// Random tables and an index with gaps for a shape; `which` says which of the terms.
struct RandomRelative {
  std::vector<std::int32_t> index;
  std::vector<float> keys, queries, values, position_bias, content_bias;

  RandomRelative(AttentionArgs& args, unsigned which, bool shared, std::size_t rows,
                 Random& random) {
    RelativeTerms& relative = args.terms.relative;
    const std::size_t dim = args.head_dim, value_dim = args.value_dim ? args.value_dim : dim;
    const std::size_t tables = shared ? rows : rows * args.heads;
    for (std::size_t i = 0; i < args.query_count + args.key_count; ++i) {
      index.push_back(static_cast<std::int32_t>(random.integer(-1, static_cast<int>(rows) - 1)));
      if (random.integer(0, 1) != 0) index.back() = index[i / 2];
    }
    relative.index = index;
    relative.first_distance =
        -args.query_offset.value_or(static_cast<std::int64_t>(args.key_count) -
                                    static_cast<std::int64_t>(args.query_count)) -
        static_cast<std::int64_t>(args.query_count);
    relative.row_count = rows;
    if (which % 2 != 0) relative.keys = keys = random.floats(tables * dim);
    if (which / 2 % 2 != 0) relative.queries = queries = random.floats(tables * dim);
    if (which / 4 % 2 != 0) relative.values = values = random.floats(tables * value_dim);
    if (which % 3 == 0) {
      relative.position_bias = position_bias = random.floats(args.heads * dim);
      relative.content_bias = content_bias = random.floats(args.heads * dim);
    }
  }
};

TEST(AttentionRelative, StaysWithinItsBoundsForEveryTerm) {
  Random random;
  AttentionErrors errors;
  for (unsigned which = 1; which < 8; ++which) {
    for (std::size_t keys : {1u, 15u, 33u, 50u}) {
      AttentionArgs args{.heads = 2, .kv_heads = 1 + which % 2, .query_count = 29};
      args.key_count = keys;
      args.head_dim = static_cast<std::size_t>(random.integer(1, 20));
      args.value_dim = static_cast<std::size_t>(random.integer(1, 20));
      args.causal = which % 2 == 0;
      if (which % 4 == 1) args.window = 11;
      if (random.integer(0, 1) != 0) args.numerics = Numerics::fast;
      if (which % 4 == 2) args.softcap = 2;
      if (which % 3 == 1) args.query_offset = random.integer(-9, 9);
      const RandomRelative memory(args, which, random.integer(0, 1) != 0, keys % 7 + 1, random);
      const AttentionCase call(args, random);
      errors.see(call, run(call, keys % 4));
    }
  }
  EXPECT_LE(errors.probability, 1.0);
  EXPECT_LE(errors.out, 1.0);
}

TEST(AttentionRelative, ShawsRowsGiveTheBitsOfItsScores) {
  Random random;
  const std::size_t reach = 3, dim = 6;
  const std::vector<float> keys = random.floats(7 * dim), values = random.floats(7 * dim);
  const Shaw shaw(
      {.head_dim = dim, .max_relative_position = reach, .keys = keys, .values = values});
  AttentionCase call({.heads = 2, .query_count = 20, .key_count = 40, .head_dim = dim}, random);
  const Positions queries = Positions::from(20, 20), all = Positions::from(0, 40);
  std::vector<float> bias(call.score_count());
  const double scale = 1 / std::sqrt(6.0);
  ASSERT_TRUE(succeeded(shaw.scores(call.q, queries, all, scale, bias)));
  call.args.terms.bias = bias;
  const AttentionOutput by_bias = run(call);
  std::vector<float> expected = by_bias.out;
  ASSERT_TRUE(succeeded(shaw.add_values(by_bias.probabilities, queries, all, expected)));

  std::vector<std::int32_t> index(59);
  ASSERT_TRUE(succeeded(shaw.index(Positions::from(0, 1), Positions::from(-39, 59), index)));
  call.args.terms = {
      .relative = {.index = index, .first_distance = -39, .row_count = 7, .keys = keys}};
  EXPECT_TRUE(same_bits(run(call).probabilities, by_bias.probabilities));
  EXPECT_TRUE(same_bits(run(call).out, by_bias.out));
  call.args.terms.relative.values = values;
  const AttentionOutput output = run(call);
  EXPECT_TRUE(same_bits(output.probabilities, by_bias.probabilities));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(output.out[i], expected[i], 47 * 0x1p-23);
  }
}

TEST(AttentionRelative, DebertasTablesGiveItsScores) {
  Random random;
  const std::size_t heads = 2, dim = 4;
  const std::vector<float> table = random.floats(2 * 8 * heads * dim);
  const std::vector<float> weight = random.floats(heads * dim * heads * dim);
  const DebertaConfig config{.heads = heads,
                             .head_dim = dim,
                             .position_buckets = 8,
                             .max_relative_positions = 32,
                             .rel_embeddings = table,
                             .pos_key = {.weight = weight}};
  const Deberta deberta(config);
  AttentionCase call({.heads = heads,
                      .query_count = 30,
                      .key_count = 30,
                      .head_dim = dim,
                      .scale = deberta.scale()},
                     random);
  std::vector<float> bias(call.score_count()), keys(heads * 16 * dim), queries(heads * 16 * dim);
  const Positions all = Positions::from(0, 30);
  ASSERT_TRUE(succeeded(deberta.scores(call.q, call.k, all, all, bias)));
  call.args.terms.bias = bias;
  const AttentionOutput by_bias = run(call);
  std::vector<std::int32_t> index(59);
  ASSERT_TRUE(succeeded(deberta.index(Positions::from(0, 1), Positions::from(-29, 59), index)));
  ASSERT_TRUE(succeeded(deberta.tables(keys, queries)));
  call.args.terms = {.relative = {.index = index,
                                  .first_distance = -29,
                                  .row_count = 16,
                                  .keys = keys,
                                  .queries = queries}};
  const AttentionOutput output = run(call);
  for (std::size_t i = 0; i < output.out.size(); ++i) {
    EXPECT_NEAR(output.out[i], by_bias.out[i], 0x1p-19) << i;
  }
}

TEST(AttentionRelative, TransformerXlsRowsAndBiasesGiveItsScores) {
  Random random;
  const std::size_t heads = 2, dim = 5, rows = 30;
  const std::vector<float> u = random.floats(heads * dim), v = random.floats(heads * dim);
  const std::vector<float> r = random.floats(heads * rows * dim);
  const TransformerXl xl({.heads = heads, .head_dim = dim, .content_bias = u, .position_bias = v});
  AttentionCase call({.heads = heads,
                      .query_count = 12,
                      .key_count = 30,
                      .head_dim = dim,
                      .scale = 0.25,
                      .causal = true},
                     random);
  const Positions queries = Positions::from(18, 12), all = Positions::from(0, 30);
  std::vector<float> bias(call.score_count()), workspace(xl.workspace_size(rows));
  ASSERT_TRUE(succeeded(xl.scores(call.q, call.k, r, 29, queries, all, 0.25, workspace, bias)));
  call.args.terms.bias = bias;
  const AttentionOutput by_bias = run(call);
  std::vector<std::int32_t> index(41);
  ASSERT_TRUE(succeeded(
      TransformerXl::index(29, rows, Positions::from(0, 1), Positions::from(-29, 41), index)));
  EXPECT_EQ(index[0], 0);
  EXPECT_EQ(index[29], 29);
  EXPECT_EQ(index[30], -1);
  call.args.terms = {.relative = {.index = index,
                                  .first_distance = -29,
                                  .row_count = rows,
                                  .keys = r,
                                  .position_bias = v,
                                  .content_bias = u}};
  const AttentionOutput output = run(call);
  for (std::size_t i = 0; i < output.out.size(); ++i) {
    EXPECT_NEAR(output.out[i], by_bias.out[i], 0x1p-20) << i;
  }
}

TEST(AttentionRelative, ShortTablesAreTheRoundedFloats) {
  Random random;
  for (StorageType type : kShortTypes) {
    AttentionArgs args{.heads = 3, .query_count = 7, .key_count = 20, .head_dim = 5};
    const RandomRelative memory(args, 7, type == StorageType::float16, 4, random);
    const AttentionCase call(args, random);
    const ShortFloats keys(memory.keys, type), queries(memory.queries, type);
    const ShortFloats values(memory.values, type);
    AttentionCase wide = call, narrow = call;
    const std::vector<float> wide_keys = keys.floats(), wide_queries = queries.floats();
    const std::vector<float> wide_values = values.floats();
    wide.args.terms.relative.keys = wide_keys;
    wide.args.terms.relative.queries = wide_queries;
    wide.args.terms.relative.values = wide_values;
    narrow.args.terms.relative.keys = keys;
    narrow.args.terms.relative.queries = queries;
    narrow.args.terms.relative.values = values;
    EXPECT_TRUE(same_bits(run(wide).out, run(narrow).out));
  }
}

TEST(AttentionRelative, RowsByDistanceRefuseWhatTheyCannotWrite) {
  const std::vector<float> ones(64, 1.0f);
  const Deberta deberta({.heads = 1,
                         .head_dim = 2,
                         .p2c = false,
                         .max_relative_positions = 4,
                         .rel_embeddings = std::span(ones).first(16)});
  std::vector<std::int32_t> index(3);
  std::vector<float> table(16);
  const Positions one = Positions::from(0, 1), three = Positions::from(-1, 3);
  const double half[] = {0.5};
  ASSERT_TRUE(succeeded(deberta.index(one, three, index)));
  EXPECT_EQ(index, (std::vector<std::int32_t>{5, 4, 3}));  // query - key of 1, 0, -1, and 4
  expect_failure(deberta.index(one, three, std::span(index).first(2)), Code::shape, "out",
                 "deberta: out must have queries * keys = 1 * 3 = 3 elements, got 2");
  expect_failure(deberta.index(Positions::of(half), three, index), Code::position_range, "queries",
                 "deberta: queries must be whole numbers, got 0.5");
  EXPECT_TRUE(succeeded(deberta.tables(table, {})));
  EXPECT_EQ(table, std::vector<float>(16, 1.0f));
  expect_failure(deberta.tables(std::span(table).first(15), {}), Code::shape, "keys",
                 "deberta: keys must have heads * 2 att_span * head_dim = 1 * 8 * 2 = 16 elements, "
                 "got 15");
  expect_failure(deberta.tables(table, table), Code::shape, "queries",
                 "deberta: queries must be empty without that term");
  expect_failure(TransformerXl::index(2, 3, one, three, std::span(index).first(2)), Code::shape,
                 "out", "transformer_xl: out must have queries * keys = 1 * 3 = 3 elements, got 2");
  expect_failure(TransformerXl::index(2, 3, Positions::of(half), three, index),
                 Code::position_range, "queries",
                 "transformer_xl: queries must be whole numbers, got 0.5");
}

/// Tables for both sides of a call, at positions of its own.
struct RandomRotary {
  std::vector<float> query_cos, query_sin, key_cos, key_sin;

  RandomRotary(AttentionArgs& args, const RopeConfig& config) {
    const Rope rope(config);
    const std::size_t pairs = rope.config().rotary_dim / 2;
    const auto fill = [&](std::vector<float>& cos, std::vector<float>& sin, std::int64_t first,
                          std::size_t count) {
      cos.resize(count * pairs);
      sin.resize(count * pairs);
      EXPECT_TRUE(succeeded(rope.angles(Positions::from(first, count), cos, sin)));
    };
    fill(query_cos, query_sin, 1000, args.query_count);
    fill(key_cos, key_sin, 970, args.key_count);
    args.rotary = {.query_cos = query_cos,
                   .query_sin = query_sin,
                   .key_cos = key_cos,
                   .key_sin = key_sin,
                   .rotary_dim = rope.config().rotary_dim,
                   .rotary_start = rope.config().rotary_start,
                   .layout = config.layout};
  }
};

TEST(AttentionRotary, RotatingInsideGivesTheBitsOfRotatingBefore) {
  Random random;
  for (const RopeConfig& config :
       {RopeConfig{.head_dim = 12}, RopeConfig{.head_dim = 12, .layout = RopeLayout::interleaved},
        RopeConfig{.head_dim = 12, .rotary_dim = 6},
        RopeConfig{.head_dim = 12, .rotary_start = 8, .layout = RopeLayout::interleaved}}) {
    AttentionArgs args{
        .heads = 4, .kv_heads = 2, .query_count = 30, .key_count = 37, .head_dim = 12};
    const RandomRotary memory(args, config);
    const AttentionCase inside(args, random);
    AttentionCase before = inside;
    before.args.rotary = {};
    const Rope rope(config);
    ASSERT_TRUE(
        succeeded(rope.apply(before.q, {.heads = 4, .positions = Positions::from(1000, 30)})));
    ASSERT_TRUE(
        succeeded(rope.apply(before.k, {.heads = 2, .positions = Positions::from(970, 37)})));
    EXPECT_TRUE(same_bits(run(inside).out, run(before).out));
    AttentionErrors errors;
    errors.see(inside, run(inside));
    EXPECT_LE(errors.out, 1.0);
  }
}

}  // namespace
}  // namespace posenc
