// What attention refuses: the code, the field, the whole message, and that nothing is written.

#include <string>
#include <vector>

#include "attention_reference.hpp"
#include "posenc/core/positions.hpp"

namespace posenc {
namespace {

using namespace tests;

/// A call that works, and what it would write to.
struct Attempt {
  Random random;
  AttentionCase call{{.heads = 2, .query_count = 3, .key_count = 5, .head_dim = 4, .value_dim = 6},
                     random};
  // queries, scores and outputs of 3, packed keys: in lines of 16, whose first may begin 15 later
  Guarded out{36}, probabilities{30}, workspace{15 + 16 + 3 * 16 + 32 + 16 * 4};
  AttentionArgs args = call.args;
  std::span<const float> q = call.q, k = call.k, v = call.v;
  std::span<float> to = out.span(), weights = probabilities.span(), scratch = workspace.span();

  void fails(Code code, std::string_view field, std::string_view message,
             std::source_location where = std::source_location::current()) {
    expect_failure(attention(q, k, v, to, args, scratch, weights), code, field, message, where);
    EXPECT_TRUE(out.untouched() && probabilities.untouched() && workspace.untouched());
  }
};

TEST(AttentionRejection, TheAttemptsWorkAsTheyAre) {
  Attempt attempt;
  EXPECT_TRUE(succeeded(attention(attempt.q, attempt.k, attempt.v, attempt.to, attempt.args,
                                  attempt.scratch, attempt.weights)));
  EXPECT_FALSE(attempt.out.untouched());
}

TEST(AttentionRejection, ArgumentsOutsideTheirRange) {
  const auto rejected = [](auto change, std::string_view field, const std::string& message) {
    Attempt attempt;
    change(attempt.args);
    attempt.fails(Code::value_range, field, message);
    EXPECT_EQ(attention_workspace_size(attempt.args), 0u);
  };
  rejected([](AttentionArgs& args) { args.heads = 0; }, "heads",
           "attention: heads must be 1 to 16777216, got 0");
  rejected([](AttentionArgs& args) { args.head_dim = 0; }, "head_dim",
           "attention: head_dim must be 1 to 16777216, got 0");
  rejected([](AttentionArgs& args) { args.value_dim = 16777217; }, "value_dim",
           "attention: value_dim must be 1 to 16777216, got 16777217");
  rejected([](AttentionArgs& args) { args.kv_heads = 3; }, "kv_heads",
           "attention: kv_heads must divide heads = 2, got 3");
  const std::string scale = "attention: scale must be -1e+30 to 1e+30, got ";
  rejected([](AttentionArgs& args) { args.scale = -kNaN; }, "scale", scale + "nan");
  rejected([](AttentionArgs& args) { args.scale = double{kInfinity}; }, "scale", scale + "inf");
}

TEST(AttentionRejection, PositionsOutsideTheirRange) {
  Attempt attempt;
  attempt.args.query_offset = kMaxPosition - 1;
  attempt.fails(Code::position_range, "query_offset",
                "attention: query_offset must be finite and at most 1125899906842624 in magnitude, "
                "got 1125899906842625");
}

TEST(AttentionRejection, InputsOfWrongShape) {
  Attempt attempt;
  attempt.q = std::span(attempt.call.q).first(23);
  attempt.fails(Code::shape, "q",
                "attention: q must have heads * query_count * head_dim = 2 * 3 * 4 = 24 elements, "
                "got 23");
  attempt.q = attempt.call.q;
  attempt.k = std::span(attempt.call.k).first(20);
  attempt.fails(Code::shape, "k",
                "attention: k must have kv_heads * key_count * head_dim = 2 * 5 * 4 = 40 elements, "
                "got 20");
  attempt.k = attempt.call.k;
  attempt.v = {};
  attempt.fails(Code::shape, "v",
                "attention: v must have kv_heads * key_count * value_dim = 2 * 5 * 6 = 60 "
                "elements, got 0");
}

TEST(AttentionRejection, TermsOfWrongShape) {
  Attempt attempt;
  const std::vector<float> memory(100);
  const std::span<const float> values = memory;
  attempt.args.terms.bias = values.first(29);
  attempt.fails(Code::shape, "bias",
                "attention: bias must have heads * query_count * key_count = 2 * 3 * 5 = 30 "
                "elements, got 29");
  attempt.args.terms = {.key_bias = values.first(5)};
  attempt.fails(Code::shape, "key_bias",
                "attention: key_bias must have heads * key_count = 2 * 5 = 10 elements, got 5");
  attempt.args.terms = {.distances = values.first(15)};
  attempt.fails(Code::shape, "distances",
                "attention: distances must have heads * count = 2 * 7 = 14 elements, got 15");
}

TEST(AttentionRejection, DistancesThatDoNotCoverTheCall) {
  Attempt attempt;  // queries at 2, 3, 4 and keys 0 to 4: distances -4 to 2
  const std::vector<float> memory(100);
  const auto give = [&](std::size_t count, std::int64_t first) {
    attempt.args.terms.distances = std::span(memory).first(2 * count);
    attempt.args.terms.first_distance = first;
  };
  const std::string message = "attention: distances must cover -4 to 2, got ";
  give(6, -4);
  attempt.fails(Code::shape, "distances", message + "-4 to 1");
  give(6, -3);
  attempt.fails(Code::shape, "distances", message + "-3 to 2");
  attempt.args.causal = true;
  give(4, -4);
  attempt.fails(Code::shape, "distances", "attention: distances must cover -4 to 0, got -4 to -1");
  give(5, std::numeric_limits<std::int64_t>::min());
  attempt.fails(Code::position_range, "first_distance",
                "attention: first_distance must be finite and at most 2251799813685248 in "
                "magnitude, got -9.223372036854776e+18");
  give(5, -4);
  EXPECT_TRUE(succeeded(attention(attempt.q, attempt.k, attempt.v, attempt.to, attempt.args,
                                  attempt.scratch, attempt.weights)));
}

TEST(AttentionRejection, OutputsOfWrongShape) {
  Attempt attempt;
  attempt.to = attempt.out.span().first(35);
  attempt.fails(Code::shape, "out",
                "attention: out must have heads * query_count * value_dim = 2 * 3 * 6 = 36 "
                "elements, got 35");
  attempt.to = attempt.out.span();
  attempt.weights = attempt.probabilities.span().first(29);
  attempt.fails(Code::shape, "probabilities",
                "attention: probabilities must have heads * query_count * key_count = 2 * 3 * 5 = "
                "30 elements, got 29");
  attempt.weights = attempt.probabilities.span();
  attempt.scratch = attempt.workspace.span().first(174);
  attempt.fails(Code::shape, "workspace",
                "attention: workspace must have at least 175 elements, got 174");
}

TEST(AttentionRejection, BuffersThatOverlap) {
  Attempt attempt;
  std::vector<float> memory(250);
  const std::span<float> values = memory;
  attempt.q = values.subspan(30, 24);
  attempt.to = values.first(36);
  attempt.fails(Code::overlap, "out", "attention: out must not overlap q");
  attempt.q = attempt.call.q;
  attempt.args.terms.bias = values.subspan(6, 30);
  attempt.fails(Code::overlap, "out", "attention: out must not overlap bias");
  attempt.args.terms = {.key_bias = values.first(10)};
  attempt.fails(Code::overlap, "out", "attention: out must not overlap key_bias");
  attempt.args.terms = {.distances = values.subspan(20, 14), .first_distance = -4};
  attempt.fails(Code::overlap, "out", "attention: out must not overlap distances");
  attempt.args.terms = {};
  attempt.weights = values.subspan(35, 30);
  attempt.fails(Code::overlap, "probabilities", "attention: probabilities must not overlap out");
  attempt.weights = attempt.probabilities.span();
  attempt.scratch = values.subspan(35, 175);
  attempt.fails(Code::overlap, "workspace", "attention: workspace must not overlap out");
  attempt.to = attempt.out.span();
  attempt.v = values.subspan(60, 60);
  attempt.fails(Code::overlap, "workspace", "attention: workspace must not overlap v");
  attempt.v = attempt.call.v;
  attempt.weights = values.subspan(120, 30);
  attempt.fails(Code::overlap, "workspace", "attention: workspace must not overlap probabilities");
  attempt.weights = attempt.probabilities.span();
  attempt.k = values.subspan(100, 40);
  attempt.fails(Code::overlap, "workspace", "attention: workspace must not overlap k");
}

TEST(AttentionRejection, SizesBeyondMemory) {
  Attempt attempt;
  attempt.args.heads = attempt.args.kv_heads = std::size_t{1} << 24;
  attempt.args.head_dim = std::size_t{1} << 24;
  attempt.args.query_count = std::size_t{1} << 20;
  attempt.fails(Code::size_limit, "q", too_many("attention: q"));
  attempt.args = attempt.call.args;
  attempt.args.key_count = std::size_t{1} << (sizeof(void*) * 4 + 14);
  attempt.args.head_dim = std::size_t{1} << 24;
  EXPECT_EQ(attention_workspace_size(attempt.args), 0u);
}

TEST(AttentionRejection, WorkspaceGrowsWithKeysNotWithTheirSquare) {
  const auto size_of = [](std::size_t keys) {
    return attention_workspace_size(
        {.heads = 32, .query_count = keys, .key_count = keys, .head_dim = 64});
  };
  EXPECT_EQ(size_of(0), 0u);
  EXPECT_EQ(size_of(1), 15u + 128 + 16 * 65);
  // rows of scores are an odd number of blocks apart
  EXPECT_EQ(size_of(4096), 15u + 24 * (128 + 4096 + 16) + 4096 * 64);
  AttentionArgs args{.query_count = 1, .key_count = 16, .head_dim = 64};
  EXPECT_EQ(attention_workspace_size(args, StorageType::bfloat16), 15u + 128 + 16 * (65 + 64));
  // the values of keys that are seen, and the mask
  const std::vector<std::uint8_t> mask(16, 1);
  args.key_mask = mask;
  EXPECT_EQ(attention_workspace_size(args), 15u + 128 + 16 * (65 + 64 + 1));
}

TEST(AttentionRejection, OptionsOutsideTheirRange) {
  Attempt attempt;
  const std::vector<float> memory(100);
  const std::vector<std::uint8_t> mask(6, 1);
  const auto rejected = [&](auto change, Code code, std::string_view field,
                            const std::string& message) {
    attempt.args = attempt.call.args;
    change(attempt.args);
    attempt.fails(code, field, message);
  };
  for (const auto& [softcap, text] : {std::pair{-1.0, "-1"}, {1e-31, "1e-31"}, {-kNaN, "nan"}}) {
    rejected([&](AttentionArgs& args) { args.softcap = softcap; }, Code::value_range, "softcap",
             std::string("attention: softcap must be 1e-30 to 1e+30, got ").append(text));
  }
  rejected([&](AttentionArgs& args) { args.key_mask = mask; }, Code::shape, "key_mask",
           "attention: key_mask must have key_count = 5 = 5 elements, got 6");
  const auto rotary = [&](std::size_t start, std::size_t dim, std::size_t queries,
                          std::size_t keys) {
    return [&memory, start, dim, queries, keys](AttentionArgs& args) {
      const std::span<const float> q = std::span(memory).first(queries);
      const std::span<const float> k = std::span(memory).first(keys);
      args.rotary = {.query_cos = q,
                     .query_sin = q,
                     .key_cos = k,
                     .key_sin = k,
                     .rotary_dim = dim,
                     .rotary_start = start};
    };
  };
  rejected(rotary(4, 2, 3, 5), Code::value_range, "rotary_start",
           "attention: rotary_start must be 0 to 3, got 4");
  rejected(rotary(1, 4, 6, 10), Code::value_range, "rotary_dim",
           "attention: rotary_dim must be 2 to 3, got 4");
  rejected(rotary(0, 3, 3, 5), Code::value_range, "rotary_dim",
           "attention: rotary_dim must be even, got 3");
  rejected(rotary(0, 4, 5, 10), Code::shape, "query_cos",
           "attention: query_cos must have query_count * rotary_dim / 2 = 3 * 2 = 6 elements, got "
           "5");
  rejected(rotary(0, 4, 6, 9), Code::shape, "key_cos",
           "attention: key_cos must have key_count * rotary_dim / 2 = 5 * 2 = 10 elements, got 9");
}

TEST(AttentionRejection, RelativeTermsOfWrongShape) {
  Attempt attempt;  // distances -4 to 2
  const std::vector<float> memory(100);
  const std::span<const float> values = memory;
  std::vector<std::int32_t> index(7, 1);
  RelativeTerms& relative = attempt.args.terms.relative;
  relative = {.index = index, .first_distance = -4, .row_count = 2, .keys = values.first(9)};
  attempt.fails(Code::shape, "relative_keys",
                "attention: relative_keys must have heads * row_count * head_dim = 2 * 2 * 4 = 16 "
                "elements, got 9");
  relative.keys = values.first(8);
  relative.values = values.first(8);
  attempt.fails(Code::shape, "relative_values",
                "attention: relative_values must have heads * row_count * value_dim = 2 * 2 * 6 = "
                "24 elements, got 8");
  relative.values = {};
  relative.row_count = 0;
  attempt.fails(Code::value_range, "row_count",
                "attention: row_count must be 1 to 16777216, got 0");
  relative.row_count = 2;
  index[3] = 2;
  attempt.fails(Code::value_range, "relative_index",
                "attention: relative_index must be below row_count = 2, got 2");
  index[3] = -1;
  relative.first_distance = -3;
  attempt.fails(Code::shape, "relative_index",
                "attention: relative_index must cover -4 to 2, got -3 to 3");
  relative.first_distance = -4;
  relative.position_bias = values.first(4);
  attempt.fails(Code::shape, "position_bias",
                "attention: position_bias must have heads * head_dim = 2 * 4 = 8 elements, got 4");
  relative.position_bias = {};
  relative.content_bias = values.first(9);
  attempt.fails(Code::shape, "content_bias",
                "attention: content_bias must have heads * head_dim = 2 * 4 = 8 elements, got 9");
  relative.content_bias = {};
  relative.keys = {};
  relative.queries = attempt.to.first(8);
  Guarded more(attention_workspace_size(attempt.args));
  attempt.scratch = more.span();
  attempt.fails(Code::overlap, "out", "attention: out must not overlap relative_queries");
}

}  // namespace
}  // namespace posenc
