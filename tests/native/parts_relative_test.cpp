// Parts of what relative encodings write are the bits of the whole: any heads, queries and keys.

#include "helpers.hpp"
#include "parts.hpp"
#include "posenc/relative/cope.hpp"
#include "posenc/relative/deberta.hpp"
#include "posenc/relative/decomposed.hpp"
#include "posenc/relative/forgetting_bias.hpp"
#include "posenc/relative/gated_position_bias.hpp"
#include "posenc/relative/pope.hpp"
#include "posenc/relative/shaw.hpp"
#include "posenc/relative/transformer_xl.hpp"
#include "storage_types.hpp"

namespace posenc {
namespace {

using namespace tests;

constexpr std::size_t kHeads = 4, kQueries = 7, kKeys = 90, kDim = 24;
const std::vector<std::size_t> kScores{kHeads, kQueries, kKeys};
const Positions kQueryPositions = Positions::from(70, kQueries),
                kKeyPositions = Positions::from(0, kKeys);

Positions queries_of(Slice s) { return kQueryPositions.slice(s.first, s.count); }
Positions keys_of(Slice s) { return kKeyPositions.slice(s.first, s.count); }

/// Random content of the whole, and parts of it.
struct Content {
  Random random;
  std::vector<float> q = random.floats(kHeads * kQueries * kDim),
                     k = random.floats(kHeads * kKeys * kDim);

  std::vector<float> queries(Slices s) const {
    return taken(q, {kHeads, kQueries}, {s[0], s[1]}, kDim);
  }
  std::vector<float> keys(Slices s) const { return taken(k, {kHeads, kKeys}, {s[0], s[2]}, kDim); }
  /// Some heads of a parameter [heads, width].
  static std::vector<float> heads(const std::vector<float>& parameter, Slice s) {
    return taken(parameter, {kHeads}, {s}, parameter.size() / kHeads);
  }
};

/// Scores of content in `type`, which are float32 themselves.
template <class Call>
std::vector<float> scores_of(Slices s, const Call& call) {
  Guarded out(size_of(s), 1);
  EXPECT_TRUE(succeeded(call(out.span())));
  return {out.span().begin(), out.span().end()};
}

TEST(PartsRelative, Shaw) {
  Content content;
  const std::vector<float> keys = content.random.floats(33 * kDim),
                           values = content.random.floats(33 * 20),
                           probabilities = content.random.floats(kHeads * kQueries * kKeys),
                           out = content.random.floats(kHeads * kQueries * 20);
  const Shaw shaw({.head_dim = kDim,
                   .max_relative_position = 16,
                   .keys = keys,
                   .values = values,
                   .value_dim = 20});
  expect_parts_equal_whole({"shaw scores", kScores, 1, [&](Slices s, StorageType type) {
                              return scores_of(s, [&](std::span<float> to) {
                                const ShortFloats q(content.queries(s), type);
                                const std::vector<float> plain = content.queries(s);
                                const ConstFloats from = type == StorageType::float32
                                                             ? ConstFloats(plain)
                                                             : ConstFloats(q);
                                return shaw.scores(from, queries_of(s[1]), keys_of(s[2]), 0.2, to);
                              });
                            }});
  expect_parts_equal_whole(
      {"shaw values", {kHeads, kQueries}, 20, [&](Slices s, StorageType type) {
         const std::vector<float> weights =
             taken(probabilities, {kHeads, kQueries}, {s[0], s[1]}, kKeys);
         return written_over(taken(out, {kHeads, kQueries}, {s[0], s[1]}, 20), type,
                             [&](Floats to) {
                               return shaw.add_values(weights, queries_of(s[1]), kKeyPositions, to);
                             });
       }});
}

TEST(PartsRelative, Deberta) {
  Content content;
  const std::vector<float> table = content.random.floats(2 * 8 * kHeads * kDim);
  for (const std::size_t buckets : {0u, 8u}) {
    expect_parts_equal_whole(
        {"deberta", kScores, 1, [&](Slices s, StorageType) {
           const std::vector<float> columns = taken(table, {16, kHeads}, {{0, 16}, s[0]}, kDim);
           const Deberta deberta({.heads = s[0].count,
                                  .head_dim = kDim,
                                  .position_buckets = buckets,
                                  .max_relative_positions = buckets == 0 ? 8u : 64u,
                                  .rel_embeddings = columns});
           return scores_of(s, [&](std::span<float> to) {
             return deberta.scores(content.queries(s), content.keys(s), queries_of(s[1]),
                                   keys_of(s[2]), to);
           });
         }});
  }
}

TEST(PartsRelative, TransformerXl) {
  Content content;
  const std::vector<float> u = content.random.floats(kHeads * kDim),
                           v = content.random.floats(kHeads * kDim),
                           segment = content.random.floats(kHeads * kDim),
                           embedding = content.random.floats(2 * kHeads * kDim),
                           r = content.random.floats(kHeads * 120 * kDim),
                           before = content.random.floats(kHeads * kQueries * kKeys);
  std::vector<std::int32_t> query_ids(kQueries), key_ids(kKeys);
  for (std::int32_t& id : query_ids) id = static_cast<std::int32_t>(content.random.integer(0, 2));
  for (std::int32_t& id : key_ids) id = static_cast<std::int32_t>(content.random.integer(0, 2));
  const auto with = [&](Slice s, const auto& call) {
    const std::vector<float> a = Content::heads(u, s), b = Content::heads(v, s),
                             c = Content::heads(segment, s),
                             d = taken(embedding, {2, kHeads}, {{0, 2}, s}, kDim);
    return call(TransformerXl({.heads = s.count,
                               .head_dim = kDim,
                               .d_model = 32,
                               .content_bias = a,
                               .position_bias = b,
                               .segment_bias = c,
                               .segment_embedding = d}));
  };
  expect_parts_equal_whole({"transformer_xl", kScores, 1, [&](Slices s, StorageType) {
                              return with(s[0], [&](const TransformerXl& encoding) {
                                std::vector<float> workspace(encoding.workspace_size(120));
                                return scores_of(s, [&](std::span<float> to) {
                                  return encoding.scores(
                                      content.queries(s), content.keys(s), Content::heads(r, s[0]),
                                      100, queries_of(s[1]), keys_of(s[2]), 0.3, workspace, to);
                                });
                              });
                            }});
  expect_parts_equal_whole({"transformer_xl segments", kScores, 1, [&](Slices s, StorageType) {
                              return with(s[0], [&](const TransformerXl& encoding) {
                                std::vector<float> out = taken(before, kScores, {s[0], s[1], s[2]});
                                EXPECT_TRUE(succeeded(encoding.add_segments(
                                    content.queries(s), taken(query_ids, {kQueries}, {s[1]}),
                                    taken(key_ids, {kKeys}, {s[2]}), 0.3, out)));
                                return out;
                              });
                            }});
  expect_parts_equal_whole({"transformer_xl rows", {40}, 32, [&](Slices s, StorageType type) {
                              return with({0, kHeads}, [&](const TransformerXl& encoding) {
                                return written(size_of(s, 32), type, [&](Floats out) {
                                  return encoding.rows(30 - static_cast<std::int64_t>(s[0].first),
                                                       out);
                                });
                              });
                            }});
  const std::vector<float> rows = content.random.floats(40 * 32),
                           weight = content.random.floats(32 * kHeads * kDim);
  expect_parts_equal_whole(
      {"transformer_xl project", {kHeads, 40}, kDim, [&](Slices s, StorageType type) {
         return with(s[0], [&](const TransformerXl& encoding) {
           const std::vector<float> from = taken(rows, {40}, {s[1]}, 32),
                                    by = taken(weight, {32, kHeads}, {{0, 32}, s[0]}, kDim);
           return written(size_of(s, kDim), type,
                          [&](Floats out) { return encoding.project(from, by, out); });
         });
       }});
}

TEST(PartsRelative, DecomposedAndPope) {
  Content content;
  const std::vector<float> table_h = content.random.floats(7 * kDim),
                           table_w = content.random.floats(11 * kDim),
                           delta = content.random.floats(kHeads * kDim, -6, 0);
  const Decomposed decomposed({.query_height = 1,
                               .query_width = kQueries,
                               .key_height = 4,
                               .key_width = 5,
                               .head_dim = kDim,
                               .table_h = table_h,
                               .table_w = table_w});
  expect_parts_equal_whole({"decomposed", {kHeads}, kQueries * 20, [&](Slices s, StorageType) {
                              const std::vector<float> q = Content::heads(content.q, s[0]);
                              Guarded out(size_of(s, kQueries * 20), 1);
                              EXPECT_TRUE(succeeded(decomposed.scores(q, out.span())));
                              return std::vector<float>(out.span().begin(), out.span().end());
                            }});
  for (const bool keys : {false, true}) {
    expect_parts_equal_whole(
        {"pope", {kHeads, kQueries}, 2 * kDim, [&](Slices s, StorageType type) {
           const std::vector<float> phases = Content::heads(delta, s[0]), x = content.queries(s);
           const Pope pope({.heads = s[0].count, .head_dim = kDim, .delta = phases});
           return written(2 * x.size(), type, [&](Floats out) {
             return keys ? pope.embed_keys(x, queries_of(s[1]), out)
                         : pope.embed_queries(x, queries_of(s[1]), out);
           });
         }});
  }
}

// Their keys have no parts: each position counts, or multiplies, all keys up to another.
TEST(PartsRelative, GatesOfContent) {
  Content content;
  const std::vector<float> table = content.random.floats(9 * kDim),
                           logits = content.random.floats(kHeads * kQueries * kKeys, -4, 4),
                           weight = content.random.floats(8 * kDim),
                           bias = content.random.floats(8),
                           constant = content.random.floats(kHeads),
                           hidden = content.random.floats(3 * kQueries * kHeads * kDim);
  const Cope cope({.head_dim = kDim, .max_pos = 9, .table = table});
  const auto some = [&](Slices s) {
    return taken(logits, {kHeads, kQueries}, {s[0], s[1]}, kKeys);
  };
  expect_parts_equal_whole(
      {"cope positions", {kHeads, kQueries}, kKeys, [&](Slices s, StorageType type) {
         return written(size_of(s, kKeys), type, [&](Floats out) {
           return cope.positions(some(s), queries_of(s[1]), kKeyPositions, out);
         });
       }});
  expect_parts_equal_whole(
      {"cope scores", {kHeads, kQueries}, kKeys, [&](Slices s, StorageType) {
         std::vector<float> out(size_of(s, kKeys));
         EXPECT_TRUE(succeeded(
             cope.scores(content.queries(s), some(s), queries_of(s[1]), kKeyPositions, out)));
         return out;
       }});
  for (const bool causal : {false, true}) {
    const std::size_t sides = causal ? 1 : 2;
    expect_parts_equal_whole({"forgetting_bias", {kHeads}, 400, [&](Slices s, StorageType type) {
                                const std::vector<float> gates =
                                    taken(logits, {sides, kHeads}, {{0, sides}, s[0]}, 20);
                                std::vector<double> workspace(20);
                                return written(size_of(s, 400), type, [&](Floats out) {
                                  return ForgettingBias({.heads = s[0].count, .causal = causal})
                                      .bias(gates, workspace, out);
                                });
                              }});
  }
  expect_parts_equal_whole(
      {"gated_position_bias", {3, kHeads, kQueries}, 1, [&](Slices s, StorageType type) {
         const std::vector<float> some_constants = taken(constant, {kHeads}, {s[1]}),
                                  states = taken(hidden, {3, kQueries, kHeads}, {s[0], s[2], s[1]},
                                                 kDim);
         const GatedPositionBias gated({.heads = s[1].count,
                                        .head_dim = kDim,
                                        .gate_weight = weight,
                                        .gate_bias = bias,
                                        .gate_const = some_constants});
         return written(size_of(s), type,
                        [&](Floats out) { return gated.gate(states, s[2].count, out); });
       }});
}

}  // namespace
}  // namespace posenc
