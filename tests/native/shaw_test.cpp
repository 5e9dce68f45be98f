#include "posenc/relative/shaw.hpp"

#include <string>

#include "bias_helpers.hpp"

namespace posenc {
namespace {

using namespace tests;

std::size_t row_of(double distance, std::size_t reach) {
  const auto limit = static_cast<double>(reach);
  return static_cast<std::size_t>(std::min(std::max(distance, -limit), limit) + limit);
}

std::vector<std::int32_t> index_of(std::size_t reach, const Positions& queries,
                                   const Positions& keys) {
  const std::vector<float> table(2 * reach + 1);
  std::vector<std::int32_t> index(queries.size() * keys.size());
  EXPECT_TRUE(succeeded(Shaw({.head_dim = 1, .max_relative_position = reach, .keys = table})
                            .index(queries, keys, index)));
  return index;
}

std::vector<float> scores_of(const Shaw& shaw, ConstFloats q, const Positions& queries,
                             const Positions& keys, double scale) {
  const std::size_t row = queries.size() * shaw.config().head_dim;
  Guarded out((row == 0 ? 0 : q.size() / row) * queries.size() * keys.size(), 3);
  EXPECT_TRUE(succeeded(shaw.scores(q, queries, keys, scale, out.span())));
  return copy_of(out);
}

// Kind shaw-clip-index.
TEST(Shaw, IndexIsClippedAndShifted) {
  EXPECT_EQ(index_of(2, Positions::from(0, 4), Positions::from(0, 4)),
            (std::vector<std::int32_t>{2, 3, 4, 4, 1, 2, 3, 4, 0, 1, 2, 3, 0, 0, 1, 2}));
  EXPECT_EQ(index_of(0, Positions::from(0, 2), Positions::from(0, 3)),
            std::vector<std::int32_t>(6, 0));
  EXPECT_EQ(index_of(2, Positions::from(kMaxPosition, 1), Positions::from(-kMaxPosition, 1)),
            std::vector<std::int32_t>{0});
}

TEST(Shaw, ScoresAreProductsWithTheRowOfEachDistance) {
  Random random;
  for (std::size_t dim : {1u, 3u, 16u, 33u}) {
    for (std::size_t reach : {0u, 1u, 4u, 40u}) {
      const std::vector<float> table = random.floats((2 * reach + 1) * dim);
      const Shaw shaw({.head_dim = dim, .max_relative_position = reach, .keys = table});
      const std::vector<std::int64_t> queries{4, 9, -3}, keys{0, 1, 2, 30, 8, 8, -40};
      const std::vector<float> q = random.floats(2 * 3 * dim);
      const double scale = 0.375;
      const std::vector<float> scores = scores_of(shaw, q, Positions::of(std::span(queries)),
                                                  Positions::of(std::span(keys)), scale);
      for (std::size_t i = 0; i < scores.size(); ++i) {
        const double distance =
            static_cast<double>(keys[i % 7]) - static_cast<double>(queries[i / 7 % 3]);
        const std::size_t row = row_of(distance, reach);
        const double exact = scale * dot(q, i / 7 * dim, table, row * dim, dim);
        EXPECT_NEAR(static_cast<double>(scores[i]), exact,
                    static_cast<double>(dim + 2) * 0x1p-24 * 4 * static_cast<double>(dim) * scale);
      }
    }
  }
}

TEST(Shaw, DecodingIsTheLastRowOfTheWhole) {
  Random random;
  const std::vector<float> table = random.floats(9 * 5), q = random.floats(6 * 5);
  const Shaw shaw({.head_dim = 5, .max_relative_position = 4, .keys = table});
  const Positions keys = Positions::from(0, 6);
  const std::vector<float> whole = scores_of(shaw, q, keys, keys, 1);
  const std::vector<float> last =
      scores_of(shaw, std::span(q).last(5), Positions::from(5, 1), keys, 1);
  EXPECT_TRUE(same_bits(last, std::span(whole).last(6)));
}

TEST(Shaw, TableIsCopiedAndShortQueriesAreWidened) {
  Random random;
  std::vector<float> table = random.floats(3 * 4);
  const Shaw shaw({.head_dim = 4, .max_relative_position = 1, .keys = table});
  const std::vector<float> q = random.floats(2 * 4);
  const Positions two = Positions::from(0, 2);
  const std::vector<float> before = scores_of(shaw, q, two, two, 1);
  std::ranges::fill(table, 99.0f);
  EXPECT_TRUE(same_bits(scores_of(shaw, q, two, two, 1), before));
  for (StorageType type : kShortTypes) {
    const ShortFloats stored(q, type);
    EXPECT_TRUE(same_bits(scores_of(shaw, stored, two, two, 1),
                          scores_of(shaw, stored.floats(), two, two, 1)));
  }
}

TEST(Shaw, ValuesAreAddedByTheirProbabilities) {
  Random random;
  const std::size_t heads = 2, queries = 3, keys = 6, width = 5;
  const std::vector<float> table(5), values = random.floats(5 * width);
  const Shaw shaw({.head_dim = 1,
                   .max_relative_position = 2,
                   .keys = table,
                   .values = values,
                   .value_dim = width});
  const std::vector<float> probabilities = random.floats(heads * queries * keys, 0, 1);
  const std::vector<float> before = random.floats(heads * queries * width);
  const Positions rows = Positions::from(3, queries), columns = Positions::from(0, keys);
  Guarded out{std::span(before)};
  ASSERT_TRUE(succeeded(shaw.add_values(probabilities, rows, columns, out.span())));
  for (std::size_t i = 0; i < before.size(); ++i) {
    double exact = static_cast<double>(before[i]);
    for (std::size_t key = 0; key < keys; ++key) {
      const std::size_t line = i / width;
      const std::size_t row = row_of(columns[key] - rows[line % queries], 2);
      exact += static_cast<double>(probabilities[line * keys + key]) *
               static_cast<double>(values[row * width + i % width]);
    }
    EXPECT_NEAR(static_cast<double>(out.span()[i]), exact, (keys + 1) * 0x1p-24 * 14);
  }
  for (StorageType type : kShortTypes) {
    ShortFloats rounded(before, type);
    const std::vector<float> start = rounded.floats();
    Guarded whole{std::span(start)};
    ASSERT_TRUE(succeeded(shaw.add_values(probabilities, rows, columns, rounded)));
    ASSERT_TRUE(succeeded(shaw.add_values(probabilities, rows, columns, whole.span())));
    EXPECT_TRUE(same_bits(rounded.floats(), ShortFloats(whole.span(), type).floats()));
  }
}

TEST(Shaw, ValueWidthIsHeadDimUnlessGiven) {
  const std::vector<float> rows(3 * 4);
  EXPECT_EQ(Shaw({.head_dim = 4, .max_relative_position = 1, .keys = rows, .values = rows})
                .config()
                .value_dim,
            4u);
}

TEST(ShawRejection, ConfigsOutsideTheirRange) {
  const std::vector<float> six(6);
  const auto rejects = [](const ShawConfig& config, Code code, const char* field,
                          const char* message) {
    expect_failure(make(config).status(), code, field, message);
  };
  rejects({}, Code::value_range, "head_dim", "shaw: head_dim must be 1 to 4096, got 0");
  rejects({.head_dim = 1, .max_relative_position = 2048}, Code::value_range,
          "max_relative_position", "shaw: max_relative_position must be 0 to 2047, got 2048");
  rejects({.head_dim = 2, .max_relative_position = 2, .keys = six}, Code::shape, "keys",
          "shaw: keys must have (2m+1) * head_dim = 5 * 2 = 10 elements, got 6");
  rejects({.head_dim = 2, .max_relative_position = 1, .keys = six, .values = six, .value_dim = 3},
          Code::shape, "values",
          "shaw: values must have (2m+1) * value_dim = 3 * 3 = 9 elements, got 6");
  rejects(
      {.head_dim = 2, .max_relative_position = 1, .keys = six, .values = six, .value_dim = 4097},
      Code::value_range, "value_dim", "shaw: value_dim must be 1 to 4096, got 4097");
  EXPECT_THROW(Shaw(ShawConfig{}), Error);
}

TEST(ShawRejection, WrongCallsWriteNothing) {
  Guarded memory(40);
  const std::span<float> rows = memory.span().first(6), q = memory.span().subspan(6, 4);
  const std::span<float> out = memory.span().subspan(10, 6);
  const Shaw shaw({.head_dim = 2, .max_relative_position = 1, .keys = rows, .values = rows});
  const Shaw keys_only({.head_dim = 2, .max_relative_position = 1, .keys = rows});
  const Positions two = Positions::from(0, 2), three = Positions::from(0, 3);
  const double half[] = {0, 1.5};
  std::vector<std::int32_t> index(6, 7);
  expect_failure(shaw.index(two, two, index), Code::shape, "out",
                 "shaw: out must have queries * keys = 2 * 2 = 4 elements, got 6");
  expect_failure(shaw.index(Positions::of(half), three, index), Code::position_range, "queries",
                 "shaw: queries must be whole numbers, got 1.5");
  EXPECT_EQ(index, std::vector<std::int32_t>(6, 7));
  expect_failure(shaw.scores(q.first(3), two, three, 1, out), Code::shape, "q",
                 "shaw: q must have heads * queries * head_dim = 1 * 2 * 2 = 4 elements, got 3");
  expect_failure(shaw.scores(q, two, three, 1, out.first(5)), Code::shape, "out",
                 "shaw: out must have heads * queries * keys = 1 * 2 * 3 = 6 elements, got 5");
  expect_failure(shaw.scores(q, two, Positions::of(half), 1, out.first(4)), Code::position_range,
                 "keys", "shaw: keys must be whole numbers, got 1.5");
  expect_failure(shaw.scores(q, two, three, kNaN, out), Code::value_range, "scale",
                 "shaw: scale must be -1e+30 to 1e+30, got nan");
  expect_failure(shaw.scores(q, two, three, 1, memory.span().subspan(9, 6)), Code::overlap, "out",
                 "shaw: out must not overlap q");
  expect_failure(keys_only.add_values(out, two, three, q), Code::shape, "values",
                 "shaw: values must have (2m+1) * value_dim = 3 * 2 = 6 elements, got 0");
  expect_failure(shaw.add_values(out.first(5), two, three, q), Code::shape, "probabilities",
                 "shaw: probabilities must have heads * queries * keys = 1 * 2 * 3 = 6 elements, "
                 "got 5");
  expect_failure(shaw.add_values(out, two, three, out.first(4)), Code::overlap, "out",
                 "shaw: out must not overlap probabilities");
  expect_failure(shaw.add_values(out, two, three, rows.first(4)), Code::overlap, "out",
                 "shaw: out must not overlap values");
  EXPECT_TRUE(memory.untouched());
  EXPECT_TRUE(succeeded(shaw.scores(ConstFloats(), Positions(), three, 1, {})));
  EXPECT_TRUE(succeeded(shaw.scores(q, two, Positions(), 1, {})));
}

TEST(Shaw, VastSequencesWithoutKeysEndAtOnce) {
  const std::vector<float> rows(6);
  const Shaw shaw({.head_dim = 2, .max_relative_position = 1, .keys = rows});
  EXPECT_TRUE(succeeded(shaw.index(vast_positions(), Positions(), {})));
  EXPECT_TRUE(succeeded(shaw.index(Positions(), vast_positions(), {})));
  EXPECT_TRUE(succeeded(shaw.scores({}, Positions(), vast_positions(), 1, {})));
}

}  // namespace
}  // namespace posenc
