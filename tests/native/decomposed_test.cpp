#include "posenc/relative/decomposed.hpp"

#include <string>

#include "bias_helpers.hpp"

namespace posenc {
namespace {

using namespace tests;

std::vector<float> scores_of(const DecomposedConfig& config, ConstFloats q, std::size_t heads = 1) {
  Guarded out(
      heads * config.query_height * config.query_width * config.key_height * config.key_width, 1);
  EXPECT_TRUE(succeeded(Decomposed(config).scores(q, out.span())));
  return copy_of(out);
}

TEST(Decomposed, ValuesOfTheReferenceForUnequalSides) {
  const float q[] = {1.8856763f, 1.3416995f, -0.23017034f, -0.95932996f, 1.7150217f, -0.7582522f};
  const float h[] = {-1.021231f, 0.95148796f, -1.1760316f, 1.8329182f, 0.48399484f,
                     1.6287127f, 1.0744228f,  1.0965159f,  1.154046f,  -0.23822416f};
  const float w[] = {-1.477247f, 1.3850057f};
  const double expected[] = {-0.6857376603279022, -1.5764484206600926, -2.6625331420314033,
                             -2.4763447622417587, -2.572471419481502,  -3.9886076262085055};
  expect_near(scores_of({.query_height = 3,
                         .query_width = 1,
                         .key_height = 2,
                         .key_width = 1,
                         .head_dim = 2,
                         .table_h = h,
                         .table_w = w},
                        q),
              expected, 0x1p-20);
}

/// trunc(y max(K/Q, 1) - ky max(Q/K, 1) + (K - 1) max(Q/K, 1)), in fractions of Q K.
std::size_t row_of(std::size_t y, std::size_t ky, std::size_t q, std::size_t k) {
  const std::size_t most = std::max(q, k);
  return (y * most * k + (k - 1 - ky) * most * q) / (q * k);
}

TEST(Decomposed, ScoresAreTheSumOfARowAndAColumnTerm) {
  Random random;
  const std::size_t sides[][4] = {
      {1, 1, 1, 1}, {2, 3, 2, 3}, {5, 1, 2, 4}, {2, 4, 6, 3}, {3, 7, 9, 1}};
  for (const auto& [qh, qw, kh, kw] : sides) {
    const std::size_t dim = 6, heads = 2;
    const std::vector<float> h = random.floats((2 * std::max(qh, kh) - 1) * dim);
    const std::vector<float> w = random.floats((2 * std::max(qw, kw) - 1) * dim);
    const std::vector<float> q = random.floats(heads * qh * qw * dim);
    const std::vector<float> scores = scores_of({.query_height = qh,
                                                 .query_width = qw,
                                                 .key_height = kh,
                                                 .key_width = kw,
                                                 .head_dim = dim,
                                                 .table_h = h,
                                                 .table_w = w},
                                                q, heads);
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const std::size_t line = i / (kh * kw), cell = line % (qh * qw), key = i % (kh * kw);
      const double exact = dot(q, line * dim, h, row_of(cell / qw, key / kw, qh, kh) * dim, dim) +
                           dot(q, line * dim, w, row_of(cell % qw, key % kw, qw, kw) * dim, dim);
      EXPECT_NEAR(static_cast<double>(scores[i]), exact, (dim + 3) * 0x1p-24 * 8 * dim);
    }
  }
}

TEST(Decomposed, TheLargestSidesHaveTheirRows) {
  std::vector<float> h(4095), w(1, 0.0f);
  for (std::size_t i = 0; i < h.size(); ++i) h[i] = static_cast<float>(i);
  const std::vector<float> q(2048, 1.0f);
  const std::vector<float> scores = scores_of({.query_height = 2048,
                                               .query_width = 1,
                                               .key_height = 2048,
                                               .key_width = 1,
                                               .head_dim = 1,
                                               .table_h = h,
                                               .table_w = w},
                                              q);
  for (std::size_t i : {std::size_t{0}, std::size_t{2047}, std::size_t{2047} * 2048,
                        std::size_t{2048} * 2048 - 1, std::size_t{1500} * 2048 + 9}) {
    EXPECT_EQ(scores[i], static_cast<float>(i / 2048 + 2047 - i % 2048));
  }
}

TEST(Decomposed, TablesOfOtherSizesAreResizedLinearly) {
  // 7 rows to 3: centres at rows 2/3, 3 and 16/3
  const std::vector<float> line{0, 1, 2, 3, 4, 5, 6}, zero(3), q{1, 1};
  const DecomposedConfig config{.query_height = 2,
                                .query_width = 1,
                                .key_height = 2,
                                .key_width = 1,
                                .head_dim = 1,
                                .table_h = line,
                                .table_w = std::span(zero).first(1)};
  const float low = static_cast<float>(2.0 / 3), high = static_cast<float>(16.0 / 3);
  const std::vector<float> scores = scores_of(config, q);
  EXPECT_FLOAT_EQ(scores[0], 3);
  EXPECT_FLOAT_EQ(scores[1], low);
  EXPECT_FLOAT_EQ(scores[2], high);
  EXPECT_FLOAT_EQ(scores[3], 3);
}

TEST(Decomposed, EqualRowsStayEqualWhenResized) {
  const std::vector<float> same(9 * 2, 0.75f), q(2 * 4, 1.0f);
  for (float value : scores_of({.query_height = 2,
                                .query_width = 2,
                                .key_height = 3,
                                .key_width = 3,
                                .head_dim = 2,
                                .table_h = same,
                                .table_w = std::span(same).first(2)},
                               q)) {
    EXPECT_EQ(value, 3);
  }
}

TEST(Decomposed, HeadsAreIndependentAndShortQueriesWidened) {
  Random random;
  const std::vector<float> table = random.floats(3 * 4), q = random.floats(3 * 4 * 4);
  const DecomposedConfig config{.query_height = 2,
                                .query_width = 2,
                                .key_height = 2,
                                .key_width = 2,
                                .head_dim = 4,
                                .table_h = table,
                                .table_w = table};
  const std::vector<float> whole = scores_of(config, q, 3);
  for (std::size_t head = 0; head < 3; ++head) {
    EXPECT_TRUE(same_bits(scores_of(config, std::span(q).subspan(head * 16, 16)),
                          std::span(whole).subspan(head * 16, 16)));
  }
  for (StorageType type : kShortTypes) {
    const ShortFloats stored(q, type);
    EXPECT_TRUE(same_bits(scores_of(config, stored, 3), scores_of(config, stored.floats(), 3)));
  }
}

TEST(DecomposedRejection, ConfigsOutsideTheirRange) {
  const std::vector<float> three(3);
  DecomposedConfig config;
  const auto rejects = [&](Code code, const char* field, const char* message) {
    expect_failure(make(config).status(), code, field, message);
  };
  rejects(Code::value_range, "query_height", "decomposed: query_height must be 1 to 2048, got 0");
  config.query_height = 1;
  config.query_width = 2049;
  rejects(Code::value_range, "query_width", "decomposed: query_width must be 1 to 2048, got 2049");
  config.query_width = 1;
  rejects(Code::value_range, "key_height", "decomposed: key_height must be 1 to 2048, got 0");
  config.key_height = 1;
  rejects(Code::value_range, "key_width", "decomposed: key_width must be 1 to 2048, got 0");
  config.key_width = 1;
  rejects(Code::value_range, "head_dim", "decomposed: head_dim must be 1 to 4096, got 0");
  config.head_dim = 2;
  rejects(Code::value_range, "table_h", "decomposed: table_h must be 1 to 4096, got 0");
  config.table_h = three;
  rejects(Code::shape, "table_h",
          "decomposed: table_h must have rows * head_dim = 1 * 2 = 2 elements, got 3");
  config.table_h = std::span(three).first(2);
  rejects(Code::value_range, "table_w", "decomposed: table_w must be 1 to 4096, got 0");
  EXPECT_THROW(Decomposed{config}, Error);
}

TEST(DecomposedRejection, WrongCallsWriteNothing) {
  const std::vector<float> table(6);
  const Decomposed encoding({.query_height = 2,
                             .query_width = 1,
                             .key_height = 1,
                             .key_width = 2,
                             .head_dim = 2,
                             .table_h = table,
                             .table_w = table});
  Guarded memory(8);
  const std::span<float> q = memory.span().first(4), out = memory.span().last(4);
  expect_failure(encoding.scores(q.first(3), out), Code::shape, "q",
                 "decomposed: q must have heads * queries * head_dim = 1 * 2 * 2 = 4 elements, got "
                 "3");
  expect_failure(encoding.scores(q, out.first(3)), Code::shape, "out",
                 "decomposed: out must have heads * queries * keys = 1 * 2 * 2 = 4 elements, got "
                 "3");
  expect_failure(encoding.scores(q, q), Code::overlap, "out", "decomposed: out must not overlap q");
  EXPECT_TRUE(memory.untouched());
  EXPECT_TRUE(succeeded(encoding.scores({}, {})));
}

}  // namespace
}  // namespace posenc
