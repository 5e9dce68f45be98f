// What transformer_xl refuses.

#include <string>
#include <vector>

#include "bias_helpers.hpp"
#include "posenc/relative/transformer_xl.hpp"

namespace posenc {
namespace {

using namespace tests;

TEST(TransformerXlRejection, ConfigsOutsideTheirRange) {
  const std::vector<float> two(2), four(4);
  const auto rejects = [](const TransformerXlConfig& config, Code code, const char* field,
                          const char* message) {
    expect_failure(make(config).status(), code, field, message);
  };
  rejects({}, Code::value_range, "heads", "transformer_xl: heads must be 1 to 4096, got 0");
  rejects({.heads = 1}, Code::value_range, "head_dim",
          "transformer_xl: head_dim must be 1 to 4096, got 0");
  rejects({.heads = 1, .head_dim = 2, .d_model = 5}, Code::value_range, "d_model",
          "transformer_xl: d_model must be even and at most 4096, got 5");
  rejects({.heads = 1, .head_dim = 2, .base = 0.5}, Code::value_range, "base",
          "transformer_xl: base must be 1 to 1e+30, got 0.5");
  rejects({.heads = 1, .head_dim = 2}, Code::shape, "content_bias",
          "transformer_xl: content_bias must have rows * heads * head_dim = 1 * 1 * 2 = 2 "
          "elements, got 0");
  rejects({.heads = 1, .head_dim = 2, .content_bias = two, .position_bias = four}, Code::shape,
          "position_bias",
          "transformer_xl: position_bias must have rows * heads * head_dim = 1 * 1 * 2 = 2 "
          "elements, got 4");
  rejects({.heads = 1,
           .head_dim = 2,
           .content_bias = two,
           .position_bias = two,
           .segment_embedding = four},
          Code::shape, "segment_bias",
          "transformer_xl: segment_bias must have rows * heads * head_dim = 1 * 1 * 2 = 2 "
          "elements, got 0");
  rejects(
      {.heads = 1, .head_dim = 2, .content_bias = two, .position_bias = two, .segment_bias = two},
      Code::shape, "segment_embedding",
      "transformer_xl: segment_embedding must have rows * heads * head_dim = 2 * 1 * 2 = 4 "
      "elements, got 0");
  EXPECT_THROW(TransformerXl(TransformerXlConfig{}), Error);
}

TEST(TransformerXlRejection, WrongCallsWriteNothing) {
  const std::vector<float> zero(2);
  const TransformerXl xl({.heads = 1, .head_dim = 2, .content_bias = zero, .position_bias = zero});
  const TransformerXl wide(
      {.heads = 1, .head_dim = 2, .d_model = 4, .content_bias = zero, .position_bias = zero});
  const Positions two = Positions::from(0, 2), three = Positions::from(0, 3);
  const double half[] = {0, 0.5};
  const std::size_t needed = xl.workspace_size(5);
  Guarded memory(4 + 6 + 10 + 6 + needed);
  const std::span<float> all = memory.span(), q = all.first(4), k = all.subspan(4, 6);
  const std::span<float> r = all.subspan(10, 10), out = all.subspan(20, 6);
  const std::span<float> workspace = all.last(needed);
  const auto scores = [&](ConstFloats q_part, ConstFloats k_part, ConstFloats r_part,
                          const Positions& queries, double scale, std::span<float> work,
                          std::span<float> to) {
    return xl.scores(q_part, k_part, r_part, 2, queries, three, scale, work, to);
  };
  expect_failure(scores(q.first(3), k, r, two, 1, workspace, out), Code::shape, "q",
                 "transformer_xl: q must have heads * queries * head_dim = 1 * 2 * 2 = 4 elements, "
                 "got 3");
  expect_failure(scores(q, k.first(5), r, two, 1, workspace, out), Code::shape, "k",
                 "transformer_xl: k must have heads * keys * head_dim = 1 * 3 * 2 = 6 elements, "
                 "got 5");
  expect_failure(scores(q, k, r.first(9), two, 1, workspace, out), Code::shape, "r",
                 "transformer_xl: r must have heads * rows * head_dim = 1 * 4 * 2 = 8 elements, "
                 "got 9");
  expect_failure(scores(q, k, r, two, 1, workspace, out.first(5)), Code::shape, "out",
                 "transformer_xl: out must have heads * queries * keys = 1 * 2 * 3 = 6 elements, "
                 "got 5");
  expect_failure(scores(q, k, r, Positions::of(half), 1, workspace, out), Code::position_range,
                 "queries", "transformer_xl: queries must be whole numbers, got 0.5");
  expect_failure(scores(q, k, r, two, kNaN, workspace, out), Code::value_range, "scale",
                 "transformer_xl: scale must be -1e+30 to 1e+30, got nan");
  expect_failure(scores(q, k, r, two, 1, workspace.first(needed - 1), out), Code::shape,
                 "workspace",
                 "transformer_xl: workspace must have at least " + std::to_string(needed) +
                     " elements, got " + std::to_string(needed - 1));
  expect_failure(scores(q, k, r, two, 1, workspace, k), Code::overlap, "out",
                 "transformer_xl: out must not overlap k");
  expect_failure(scores(q, k, r, two, 1, all.last(needed + 1), out), Code::overlap, "out",
                 "transformer_xl: out must not overlap workspace");
  expect_failure(scores(q, k, workspace.first(10), two, 1, workspace, out), Code::overlap,
                 "workspace", "transformer_xl: workspace must not overlap r");
  expect_failure(xl.scores(q, k, r, kMaxPosition + 1, two, three, 1, workspace, out),
                 Code::position_range, "first_distance",
                 "transformer_xl: first_distance must be finite and at most 1125899906842624 in "
                 "magnitude, got 1125899906842625");
  const std::int32_t ids[] = {0, 1};
  expect_failure(xl.add_segments(q, ids, ids, 1, out.first(4)), Code::shape, "segment_embedding",
                 "transformer_xl: segment_embedding must have rows * heads * head_dim = 2 * 1 * 2 "
                 "= 4 elements, got 0");
  expect_failure(xl.rows(0, out), Code::value_range, "d_model",
                 "transformer_xl: d_model must be given for sinusoid rows, got 0");
  expect_failure(wide.rows(0, out), Code::shape, "out",
                 "transformer_xl: out must have rows * d_model = 1 * 4 = 4 elements, got 6");
  expect_failure(wide.rows(std::numeric_limits<std::int64_t>::min(), out.first(4)),
                 Code::position_range, "first",
                 "transformer_xl: first must be finite and at most 1125899906842624 in magnitude, "
                 "got -9.223372036854776e+18");
  expect_failure(wide.project(q, r.first(7), out.first(2)), Code::shape, "weight",
                 "transformer_xl: weight must have d_model * heads * head_dim = 4 * 1 * 2 = 8 "
                 "elements, got 7");
  expect_failure(wide.project(q, r.first(8), q.first(2)), Code::overlap, "out",
                 "transformer_xl: out must not overlap rows");
  expect_failure(relative_shift(k, 2, 2, out.first(4)), Code::shape, "x",
                 "transformer_xl: x must have queries * keys = 2 * 2 = 4 elements, got 6");
  expect_failure(relative_shift(q, 2, 2, q), Code::overlap, "out",
                 "transformer_xl: out must not overlap x");
  EXPECT_TRUE(memory.untouched());
}

TEST(TransformerXlRejection, OutputsOverItsParameters) {
  const Positions two = Positions::from(0, 2), three = Positions::from(0, 3);
  const std::int32_t query_segments[] = {0, 1}, key_segments[] = {0, 1, 1};
  const float zero[2] = {};
  TransformerXlConfig config{
      .heads = 1, .head_dim = 2, .content_bias = zero, .position_bias = zero};
  const std::size_t needed = TransformerXl(config).workspace_size(4);
  // a workspace, then the biases of content, position and segments [2] each, the segments' rows
  // [2, 2], q [2, 2], k [3, 2], r [4, 2] and an output [2, 3], with nothing between some
  std::vector<float> memory(needed + 46, 0.25f);
  const std::vector<float> before = memory;
  const std::span<float> all(memory), workspace = all.first(needed), rest = all.subspan(needed);
  const std::span<float> q = rest.subspan(22, 4), k = rest.subspan(26, 6), r = rest.subspan(32, 8);
  const std::span<float> out = rest.last(6);
  config.content_bias = rest.first(2);
  config.position_bias = rest.subspan(2, 2);
  config.segment_bias = rest.subspan(4, 2);
  config.segment_embedding = rest.subspan(12, 4);
  const TransformerXl xl(config);
  std::swap(config.content_bias, config.position_bias);
  const TransformerXl swapped(config);
  const auto scores = [&](const TransformerXl& encoding, std::span<float> work,
                          std::span<float> to) {
    return encoding.scores(q, k, r, 2, two, three, 1, work, to);
  };
  const auto segments = [&](std::size_t first) {
    return xl.add_segments(q, query_segments, key_segments, 1, rest.subspan(first, 6));
  };
  const auto refuses = [](const Status& status, const std::string& field, const char* over) {
    expect_failure(status, Code::overlap, field,
                   "transformer_xl: " + field + " must not overlap " + over);
  };
  refuses(scores(xl, workspace, rest.subspan(1, 6)), "out", "content_bias");
  refuses(scores(xl, workspace, rest.subspan(3, 6)), "out", "position_bias");
  refuses(scores(xl, all.subspan(1, needed), out), "workspace", "content_bias");
  refuses(scores(swapped, all.subspan(1, needed), out), "workspace", "position_bias");
  refuses(segments(5), "out", "segment_bias");
  refuses(segments(7), "out", "segment_embedding");
  refuses(segments(15), "out", "segment_embedding");
  EXPECT_TRUE(same_bits(memory, before));
  EXPECT_TRUE(succeeded(scores(xl, workspace, out)));
  EXPECT_TRUE(succeeded(segments(40)));
  EXPECT_TRUE(same_bits(rest.first(40), std::span(before).subspan(needed, 40)));
}

}  // namespace
}  // namespace posenc
