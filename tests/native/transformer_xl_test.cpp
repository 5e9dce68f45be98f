#include "posenc/relative/transformer_xl.hpp"

#include <string>

#include "bias_helpers.hpp"

namespace posenc {
namespace {

using namespace tests;

/// Trained vectors of some heads, and an encoding that views them.
struct Model {
  std::size_t heads, dim;
  std::vector<float> u, v, w, segments;
  TransformerXl xl;

  Model(std::size_t head_count, std::size_t width, Random& random)
      : heads(head_count),
        dim(width),
        u(random.floats(heads * dim)),
        v(random.floats(heads * dim)),
        w(random.floats(heads * dim)),
        segments(random.floats(2 * heads * dim)),
        xl({.heads = heads,
            .head_dim = dim,
            .content_bias = u,
            .position_bias = v,
            .segment_bias = w,
            .segment_embedding = segments}) {}
};

std::vector<float> scores_of(const TransformerXl& xl, ConstFloats q, ConstFloats k, ConstFloats r,
                             std::int64_t first, const Positions& queries, const Positions& keys,
                             double scale) {
  const std::size_t heads = xl.config().heads;
  Guarded out(heads * queries.size() * keys.size(), 1);
  Guarded workspace(xl.workspace_size(r.size() / heads / xl.config().head_dim), 5);
  EXPECT_TRUE(
      succeeded(xl.scores(q, k, r, first, queries, keys, scale, workspace.span(), out.span())));
  return copy_of(out);
}

/// One head of width 1 whose biases are 0.
TransformerXl plain(const std::vector<float>& zero) {
  return TransformerXl({.heads = 1, .head_dim = 1, .content_bias = zero, .position_bias = zero});
}

// Kind relative-shift-bidirectional.
TEST(TransformerXl, RowsAreLookedUpByDistanceInBothDirections) {
  const std::vector<float> zero(1), one(3, 1.0f), r{10, 20, 30, 40, 50};
  const Positions three = Positions::from(0, 3);
  EXPECT_EQ(scores_of(plain(zero), one, std::vector<float>(3), r, 2, three, three, 1),
            (std::vector<float>{30, 40, 50, 20, 30, 40, 10, 20, 30}));
}

TEST(TransformerXl, KeysWithoutARowHaveTheContentTermAlone) {
  const std::vector<float> u{2}, v{0}, r{10, 20}, k{1, 3, 5}, q{1};
  const TransformerXl xl({.heads = 1, .head_dim = 1, .content_bias = u, .position_bias = v});
  EXPECT_EQ(scores_of(xl, q, k, r, 1, Positions::from(1, 1), Positions::from(0, 3), 0.5),
            (std::vector<float>{6, 13, 5}));
}

TEST(TransformerXl, ScoresFollowTheDefinition) {
  Random random;
  const std::size_t queries = 5, keys = 8, rows = 19;
  for (std::size_t dim : {1u, 4u, 17u}) {
    const Model model(2, dim, random);
    const std::vector<float> q = random.floats(2 * queries * dim),
                             k = random.floats(2 * keys * dim);
    const std::vector<float> r = random.floats(2 * rows * dim);
    const std::int64_t first = 10;
    const double scale = 0.25;
    const std::vector<float> scores = scores_of(
        model.xl, q, k, r, first, Positions::from(3, queries), Positions::from(0, keys), scale);
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const std::size_t head = i / keys / queries, query = i / keys % queries, key = i % keys;
      const std::size_t row = 10 - (3 + query - key);
      const std::size_t r_at = (head * rows + row) * dim;
      const double exact = dot(model.u, head * dim, k, (head * keys + key) * dim, dim) +
                           dot(q, i / keys * dim, r, r_at, dim) +
                           dot(model.v, head * dim, r, r_at, dim);
      const double terms = 12 * static_cast<double>(dim) * scale;
      EXPECT_NEAR(static_cast<double>(scores[i]), exact * scale,
                  static_cast<double>(dim + 4) * 0x1p-24 * terms);
    }
  }
}

// The bound of the declaration, at widths where every rounding counts.
TEST(TransformerXl, ScoresAreWithinTheirBound) {
  Random random;
  double largest = 0;
  for (const std::size_t dim : std::vector<std::size_t>{1, 2, 7, 64, 300, 4096}) {
    for (int trial = 0; trial < 6; ++trial) {
      const Model model(1, dim, random);
      const double low = trial % 2 == 0 ? -2 : 0.5;  // without cancellation too
      const std::vector<float> q = random.floats(3 * dim, low, 2);
      const std::vector<float> k = random.floats(4 * dim, low, 2);
      const std::vector<float> r = random.floats(6 * dim, low, 2);
      const double scale = random.uniform(-1, 1);
      const std::vector<float> scores =
          scores_of(model.xl, q, k, r, 2, Positions::from(0, 3), Positions::from(0, 4), scale);
      for (std::size_t i = 0; i < scores.size(); ++i) {
        const std::size_t query = i / 4, key = i % 4, row = 2 + key - query;
        double exact = 0, size = 0;
        for (std::size_t n = 0; n < dim; ++n) {
          const double content =
              static_cast<double>(model.u[n]) * static_cast<double>(k[key * dim + n]);
          const double position =
              (static_cast<double>(q[query * dim + n]) + static_cast<double>(model.v[n])) *
              static_cast<double>(r[row * dim + n]);
          exact += content + position;
          size += std::fabs(content) + std::fabs(position);
        }
        const double error = std::fabs(static_cast<double>(scores[i]) - exact * scale);
        const double bound = (static_cast<double>(dim) + 6) * 0x1p-24 * std::fabs(scale) * size;
        EXPECT_LE(error, bound) << "head_dim " << dim;
        largest = std::max(largest, error / bound);
      }
    }
  }
  std::printf("transformer_xl: largest error %.3f of the bound\n", largest);
}

TEST(TransformerXl, EqualsTheRelativeShiftWhereThatIsRight) {
  Random random;
  const std::size_t queries = 4, keys = 7, dim = 6;
  Model model(1, dim, random);
  std::ranges::fill(model.u, 0.0f);
  const std::vector<float> q = random.floats(queries * dim), k(keys * dim);
  const std::vector<float> r = random.floats(keys * dim);
  const auto first = static_cast<std::int64_t>(keys - 1);
  // with all queries at the last position row x of r meets key x: the matrix that is shifted
  const std::vector<std::int64_t> last(queries, first);
  const std::vector<float> products = scores_of(
      model.xl, q, k, r, first, Positions::of(std::span(last)), Positions::from(0, keys), 1);
  Guarded shifted(queries * keys);
  ASSERT_TRUE(succeeded(relative_shift(products, queries, keys, shifted.span())));
  const std::vector<float> scores = scores_of(
      model.xl, q, k, r, first, Positions::from(static_cast<int>(keys - queries), queries),
      Positions::from(0, keys), 1);
  for (std::size_t i = 0; i < queries; ++i) {
    const std::size_t valid = i + keys - queries + 1;
    EXPECT_TRUE(same_bits(std::span(scores).subspan(i * keys, valid),
                          shifted.span().subspan(i * keys, valid)))
        << "query " << i;
  }
}

TEST(TransformerXl, RelativeShiftIsPadAndReshape) {
  const float x[] = {0.0f, 1.0f, 2.0f,   3.0f,  4.0f,  5.0f,  6.0f, 7.0f,
                     8.0f, 9.0f, 1e+01f, 11.0f, 12.0f, 13.0f, 14.0f};
  const float expected[] = {2.0f, 3.0f, 4.0f,   0.0f,  5.0f,  6.0f,  7.0f, 8.0f,
                            9.0f, 0.0f, 1e+01f, 11.0f, 12.0f, 13.0f, 14.0f};
  Guarded out(15);
  ASSERT_TRUE(succeeded(relative_shift(x, 3, 5, out.span())));
  EXPECT_TRUE(same_bits(out.span(), expected));
  const float one[] = {7};
  ASSERT_TRUE(succeeded(relative_shift(one, 1, 1, out.span().first(1))));
  EXPECT_EQ(out.span()[0], 7);
  EXPECT_TRUE(succeeded(relative_shift({}, 0, 4, {})));
}

TEST(TransformerXl, DecodingIsTheLastRowOfTheWhole) {
  Random random;
  const std::size_t length = 6, dim = 5;
  const Model model(1, dim, random);
  const std::vector<float> q = random.floats(length * dim), k = random.floats(length * dim);
  const std::vector<float> r = random.floats(length * dim);
  const Positions all = Positions::from(0, length);
  const std::vector<float> whole = scores_of(model.xl, q, k, r, 5, all, all, 0.5);
  const std::vector<float> last =
      scores_of(model.xl, std::span(q).last(dim), k, r, 5, Positions::from(5, 1), all, 0.5);
  EXPECT_TRUE(same_bits(last, std::span(whole).last(length)));
}

TEST(TransformerXl, SegmentsAddTheTermOfSameOrOther) {
  Random random;
  const Model model(2, 3, random);
  const std::vector<float> q = random.floats(2 * 2 * 3);
  const std::int32_t mine[] = {4, 9}, theirs[] = {4, 9, 9};
  const std::vector<float> before = random.floats(12);
  Guarded out{std::span(before)};
  ASSERT_TRUE(succeeded(model.xl.add_segments(q, mine, theirs, 0.5, out.span())));
  for (std::size_t i = 0; i < 12; ++i) {
    const std::size_t head = i / 6, other = mine[i / 3 % 2] != theirs[i % 3] ? 1 : 0;
    const std::size_t row = (other * 2 + head) * 3;
    const double term =
        dot(q, i / 3 * 3, model.segments, row, 3) + dot(model.w, head * 3, model.segments, row, 3);
    EXPECT_NEAR(static_cast<double>(out.span()[i]), static_cast<double>(before[i]) + 0.5 * term,
                0x1p-19);
  }
}

std::vector<float> rows_of(const TransformerXlConfig& config, std::int64_t first,
                           std::size_t count) {
  Guarded out(count * config.d_model);
  EXPECT_TRUE(succeeded(TransformerXl(config).rows(first, out.span())));
  return copy_of(out);
}

TEST(TransformerXl, SinusoidRowsOfTheReference) {
  const std::vector<float> zero(1);
  TransformerXlConfig config{
      .heads = 1, .head_dim = 1, .d_model = 8, .content_bias = zero, .position_bias = zero};
  const double expected[] = {
      -0.27941549819892586, 0.5646424733950354,  0.0599640064794446,  0.0059999640000648,
      0.960170286650366,    0.8253356149096783,  0.9982005399352042,  0.999982000054,
      -0.9589242746631385,  0.479425538604203,   0.04997916927067833, 0.004999979166692708,
      0.28366218546322625,  0.8775825618903728,  0.9987502603949663,  0.9999875000260416,
      -0.7568024953079282,  0.38941834230865047, 0.03998933418663416, 0.003999989333341867,
      -0.6536436208636119,  0.9210609940028851,  0.9992001066609779,  0.9999920000106667};
  const std::vector<float> rows = rows_of(config, 6, 7);
  expect_ulps(std::span(rows).first(24), expected, 1);
  config.clamp_len = 2;
  const std::vector<float> clamped = rows_of(config, 6, 13);
  for (std::size_t row = 0; row < 13; ++row) {
    const std::size_t same = row < 4 ? 4 : row > 8 ? 8 : row;
    EXPECT_TRUE(
        same_bits(std::span(clamped).subspan(row * 8, 8), std::span(clamped).subspan(same * 8, 8)));
  }
  EXPECT_TRUE(same_bits(std::span(clamped).subspan(4 * 8, 8), std::span(rows).subspan(4 * 8, 8)));
}

TEST(TransformerXl, ShortRowsAreRoundedOnce) {
  const std::vector<float> zero(1);
  const TransformerXlConfig config{
      .heads = 1, .head_dim = 1, .d_model = 6, .content_bias = zero, .position_bias = zero};
  const std::vector<float> floats = rows_of(config, 1000, 30);
  for (StorageType type : kShortTypes) {
    ShortFloats out(floats.size(), type);
    ASSERT_TRUE(succeeded(TransformerXl(config).rows(1000, out)));
    expect_rounded(out, type, floats);
  }
}

TEST(TransformerXl, ProjectionIsSummedInDoubleAndRoundedOnce) {
  Random random;
  const std::size_t heads = 2, dim = 3, width = 4, count = 5;
  const std::vector<float> zero(heads * dim), rows = random.floats(count * width);
  const std::vector<float> weight = random.floats(width * heads * dim);
  const TransformerXl xl({.heads = heads,
                          .head_dim = dim,
                          .d_model = width,
                          .content_bias = zero,
                          .position_bias = zero});
  Guarded out(heads * count * dim);
  ASSERT_TRUE(succeeded(xl.project(rows, weight, out.span())));
  std::vector<float> expected;
  for (std::size_t i = 0; i < heads * count * dim; ++i) {
    const std::size_t head = i / dim / count, row = i / dim % count, column = i % dim;
    double sum = 0;
    for (std::size_t n = 0; n < width; ++n) {
      sum += static_cast<double>(rows[row * width + n]) *
             static_cast<double>(weight[(n * heads + head) * dim + column]);
    }
    expected.push_back(static_cast<float>(sum));
  }
  EXPECT_TRUE(same_bits(out.span(), expected));
  for (StorageType type : kShortTypes) {
    ShortFloats rounded(expected.size(), type);
    ASSERT_TRUE(succeeded(xl.project(rows, weight, rounded)));
    expect_rounded(rounded, type, expected);
  }
}

}  // namespace
}  // namespace posenc
