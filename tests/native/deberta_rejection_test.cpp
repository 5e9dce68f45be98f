// What deberta refuses.

#include <string>
#include <vector>

#include "bias_helpers.hpp"
#include "posenc/relative/deberta.hpp"

namespace posenc {
namespace {

using namespace tests;

TEST(DebertaRejection, ConfigsOutsideTheirRange) {
  const std::vector<float> four(4), eight(8);
  const auto rejects = [](const DebertaConfig& config, Code code, const char* field,
                          const char* message) {
    expect_failure(make(config).status(), code, field, message);
  };
  rejects({}, Code::value_range, "heads", "deberta: heads must be 1 to 4096, got 0");
  rejects({.heads = 1}, Code::value_range, "head_dim",
          "deberta: head_dim must be 1 to 4096, got 0");
  rejects({.heads = 1, .head_dim = 1}, Code::value_range, "max_relative_positions",
          "deberta: max_relative_positions must be 1 to 16777216, got 0");
  rejects({.heads = 1, .head_dim = 1, .position_buckets = 8, .max_relative_positions = 5},
          Code::value_range, "max_relative_positions",
          "deberta: max_relative_positions must be 6 to 16777216, got 5");
  for (const std::size_t buckets : {2u, 7u}) {
    rejects({.heads = 1, .head_dim = 1, .position_buckets = buckets, .max_relative_positions = 9},
            Code::value_range, "position_buckets",
            ("deberta: position_buckets must be even and 4 to 65536, or 0 for none, got " +
             std::to_string(buckets))
                .c_str());
  }
  rejects({.heads = 1, .head_dim = 1, .max_relative_positions = 2049}, Code::value_range,
          "att_span", "deberta: att_span must be 1 to 2048, got 2049");
  rejects({.heads = 1, .head_dim = 1, .c2p = false, .p2c = false, .max_relative_positions = 2},
          Code::value_range, "c2p", "deberta: c2p or p2c must be true, got false for both");
  rejects({.heads = 1, .head_dim = 2, .max_relative_positions = 2, .rel_embeddings = four},
          Code::shape, "rel_embeddings",
          "deberta: rel_embeddings must have 2 att_span * heads * head_dim = 4 * 1 * 2 = 8 "
          "elements, got 4");
  DebertaConfig config{
      .heads = 1, .head_dim = 2, .max_relative_positions = 2, .rel_embeddings = eight};
  config.pos_key = {four, four};
  rejects(config, Code::shape, "pos_key",
          "deberta: pos_key must have heads * head_dim = 2 = 2 elements, got 4");
  config.pos_key = {};
  config.pos_query = {eight, {}};
  rejects(config, Code::shape, "pos_query",
          "deberta: pos_query must have (heads * head_dim)^2 = 2 * 2 = 4 elements, got 8");
  config.pos_query = {};
  config.norm_bias = std::span(four).first(2);
  rejects(config, Code::shape, "norm_weight",
          "deberta: norm_weight must have heads * head_dim = 2 = 2 elements, got 0");
  config.norm_weight = config.norm_bias;
  config.norm_eps = 0;
  rejects(config, Code::value_range, "norm_eps", "deberta: norm_eps must be 1e-30 to 1, got 0");
  EXPECT_THROW(Deberta{config}, Error);
}

TEST(DebertaRejection, WrongCallsWriteNothing) {
  const std::vector<float> table(8);
  const Deberta deberta(
      {.heads = 1, .head_dim = 2, .max_relative_positions = 2, .rel_embeddings = table});
  const Deberta without({.heads = 1, .head_dim = 2, .max_relative_positions = 2});
  const Positions two = Positions::from(0, 2), three = Positions::from(0, 3);
  const double half[] = {0, 0.5};
  Guarded memory(16);
  const std::span<float> q = memory.span().first(4), k = memory.span().subspan(4, 6);
  const std::span<float> out = memory.span().last(6);
  std::vector<std::int32_t> buckets(5, 7);
  expect_failure(deberta.relative_positions(two, three, buckets), Code::shape, "out",
                 "deberta: out must have queries * keys = 2 * 3 = 6 elements, got 5");
  EXPECT_EQ(buckets, std::vector<std::int32_t>(5, 7));
  expect_failure(deberta.scores(q.first(3), k, two, three, out), Code::shape, "q",
                 "deberta: q must have heads * queries * head_dim = 1 * 2 * 2 = 4 elements, got 3");
  expect_failure(deberta.scores(q, k.first(5), two, three, out), Code::shape, "k",
                 "deberta: k must have heads * keys * head_dim = 1 * 3 * 2 = 6 elements, got 5");
  expect_failure(deberta.scores(q, k, two, three, out.first(5)), Code::shape, "out",
                 "deberta: out must have heads * queries * keys = 1 * 2 * 3 = 6 elements, got 5");
  expect_failure(deberta.scores(q, k, Positions::of(half), three, out), Code::position_range,
                 "queries", "deberta: queries must be whole numbers, got 0.5");
  expect_failure(without.scores(q, k, two, three, out), Code::shape, "rel_embeddings",
                 "deberta: rel_embeddings must be given for scores, got none");
  expect_failure(deberta.scores(q, k, two, three, k), Code::overlap, "out",
                 "deberta: out must not overlap k");
  expect_failure(deberta.scores(q, k, two, three, memory.span().first(6)), Code::overlap, "out",
                 "deberta: out must not overlap q");
  EXPECT_TRUE(memory.untouched());
  EXPECT_TRUE(succeeded(deberta.scores({}, k, Positions(), three, {})));
}

}  // namespace
}  // namespace posenc
