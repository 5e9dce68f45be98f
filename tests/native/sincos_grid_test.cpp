#include "posenc/additive/sincos_grid.hpp"

#include <vector>

#include "exact.hpp"
#include "helpers.hpp"
#include "posenc/additive/sinusoidal.hpp"
#include "storage_types.hpp"

namespace posenc {
namespace {

using namespace tests;

std::vector<float> table_of(const SincosGridConfig& config, const Grid& grid) {
  std::vector<float> out((config.prefix_rows + grid.depth * grid.height * grid.width) * config.dim);
  EXPECT_TRUE(succeeded(SincosGrid(config).table(grid, out)));
  return out;
}

std::vector<float> row_of(std::span<const float> table, std::size_t row, std::size_t dim) {
  const std::span<const float> part = table.subspan(row * dim, dim);
  return {part.begin(), part.end()};
}

/// The encoding of one coordinate, which an axis' columns are.
std::vector<float> axis_row(std::size_t dim, double position, SinusoidalLayout layout,
                            double denominator = 0) {
  std::vector<float> out(dim);
  const Sinusoidal axis({.dim = dim, .layout = layout, .frequency_denominator = denominator});
  EXPECT_TRUE(succeeded(axis.table(Positions::of(std::span(&position, 1)), out)));
  return out;
}

void append(std::vector<float>& row, std::span<const float> values) {
  row.insert(row.end(), values.begin(), values.end());
}

TEST(SincosGrid, MaePutsTheColumnFirstAndTheClassRowIsZero) {
  const SincosGridConfig config{.dim = 16, .axis_order = AxisOrder::xy, .prefix_rows = 1};
  const std::vector<float> table = table_of(config, {.height = 3, .width = 4});
  EXPECT_EQ(row_of(table, 0, 16), std::vector<float>(16, 0.0f));
  std::vector<float> expected = axis_row(8, 3, SinusoidalLayout::half);
  append(expected, axis_row(8, 1, SinusoidalLayout::half));
  EXPECT_TRUE(same_bits(row_of(table, 1 + 1 * 4 + 3, 16), expected));
}

TEST(SincosGrid, TimmPutsAllSinesBeforeAllCosines) {
  const SincosGridConfig timm{.dim = 16, .layout = SincosGridLayout::function_blocks};
  const SincosGridConfig blocks{.dim = 16};
  const std::vector<float> actual = row_of(table_of(timm, {.height = 3, .width = 4}), 7, 16);
  const std::vector<float> by_axis = row_of(table_of(blocks, {.height = 3, .width = 4}), 7, 16);
  const std::size_t order[] = {0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 6, 7, 12, 13, 14, 15};
  for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(actual[i], by_axis[order[i]]) << i;
}

TEST(SincosGrid, InterleavedAxesAreCutAtTheWidth) {
  for (const std::size_t dim : {6u, 7u, 8u, 5u, 1u, 2u, 130u}) {
    const SincosGridConfig config{.dim = dim, .layout = SincosGridLayout::interleaved};
    const std::vector<float> row = row_of(table_of(config, {.height = 3, .width = 4}), 11, dim);
    const std::size_t columns = 2 * ((dim + 3) / 4);
    std::vector<float> expected = axis_row(columns, 2, SinusoidalLayout::interleaved);
    append(expected, axis_row(columns, 3, SinusoidalLayout::interleaved));
    expected.resize(dim);
    EXPECT_TRUE(same_bits(row, expected)) << dim;
  }
}

TEST(SincosGrid, ThreeAxesShareTheRow) {
  const SincosGridConfig config{.dim = 24, .axes = 3};
  const std::vector<float> table = table_of(config, {.height = 3, .width = 4, .depth = 2});
  std::vector<float> expected = axis_row(8, 1, SinusoidalLayout::half);
  append(expected, axis_row(8, 2, SinusoidalLayout::half));
  append(expected, axis_row(8, 3, SinusoidalLayout::half));
  EXPECT_TRUE(same_bits(row_of(table, 1 * 12 + 2 * 4 + 3, 24), expected));
}

TEST(SincosGrid, ColumnMajorGridsGoDownTheColumns) {
  const SincosGridConfig config{.dim = 12};
  const std::vector<float> rows = table_of(config, {.height = 3, .width = 4});
  const std::vector<float> columns =
      table_of(config, {.height = 3, .width = 4, .order = CellOrder::column_major});
  for (std::size_t y = 0; y < 3; ++y) {
    for (std::size_t x = 0; x < 4; ++x) {
      EXPECT_EQ(row_of(columns, x * 3 + y, 12), row_of(rows, y * 4 + x, 12));
    }
  }
}

TEST(SincosGrid, SimpleVitHasOneDenominatorLess) {
  const SincosGridConfig config{
      .dim = 32, .axis_order = AxisOrder::xy, .frequency_denominator = 14};
  std::vector<float> expected = axis_row(16, 2, SinusoidalLayout::half, 14);
  append(expected, axis_row(16, 1, SinusoidalLayout::half, 14));
  EXPECT_TRUE(same_bits(row_of(table_of(config, {.height = 2, .width = 3}), 5, 32), expected));
}

TEST(SincosGrid, ExplicitCoordinatesAndShardsGiveTheBitsOfTheGrid) {
  const SincosGrid encoding({.dim = 40, .prefix_rows = 2});
  const Grid grid{.height = 3, .width = 5, .step_y = 0.375, .step_x = 0.7, .first_x = -1.5};
  std::vector<float> whole(17 * 40), part(15 * 40);
  ASSERT_TRUE(succeeded(encoding.table(grid, whole)));
  std::vector<double> coordinates;
  for (std::size_t i = 0; i < 15; ++i) {
    coordinates.push_back(static_cast<double>(i / 5) * 0.375);
    coordinates.push_back(-1.5 + static_cast<double>(i % 5) * 0.7);
  }
  ASSERT_TRUE(succeeded(encoding.table(coordinates, part)));
  EXPECT_TRUE(same_bits(part, std::span(whole).subspan(2 * 40)));
  std::vector<float> shard(4 * 40);
  ASSERT_TRUE(succeeded(encoding.table(std::span(coordinates).subspan(2 * 6, 2 * 4), shard)));
  EXPECT_TRUE(same_bits(shard, std::span(whole).subspan(8 * 40, 4 * 40)));
}

TEST(SincosGrid, AddIsTheTableThenOneAdditionAndLeavesThePrefix) {
  for (const StorageType type : {StorageType::float16, StorageType::bfloat16}) {
    const SincosGrid encoding({.dim = 24, .prefix_rows = 1});
    const Grid grid{.height = 2, .width = 3};
    std::vector<float> table(7 * 24);
    ASSERT_TRUE(succeeded(encoding.table(grid, table)));
    const std::vector<float> before = Random().floats(7 * 24);
    Guarded x(before);
    ASSERT_TRUE(succeeded(encoding.add(grid, x.span())));
    std::vector<float> expected = before;
    for (std::size_t i = 24; i < expected.size(); ++i) expected[i] += table[i];
    EXPECT_TRUE(same_bits(x.span(), expected));

    ShortFloats rounded(before, type);
    expected = rounded.floats();
    for (std::size_t i = 24; i < expected.size(); ++i) expected[i] += table[i];
    ASSERT_TRUE(succeeded(encoding.add(grid, rounded)));
    EXPECT_TRUE(same_bits(rounded.floats(), ShortFloats(expected, type).floats()));
  }
}

TEST(SincosGrid, ShortTypesGetTheNearestOfTheirs) {
  std::vector<double> exact;
  const double coordinates[] = {5.5, -70.25};
  for (const double at : coordinates) {
    for (const bool cosine : {false, true}) {
      for (std::size_t pair = 0; pair < 5; ++pair) {
        const ExactSinCos value = exact_sin_cos(at, exact_frequency(10000, 10, pair));
        exact.push_back(cosine ? value.cos : value.sin);
      }
    }
  }
  for (const StorageType type : kShortTypes) {
    ShortFloats out(20, type);
    ASSERT_TRUE(succeeded(SincosGrid({.dim = 20}).table(coordinates, out)));
    expect_nearest(out, type, exact);
  }
}

TEST(SincosGrid, EmptyGridsHaveTheirPrefixAlone) {
  const SincosGrid encoding({.dim = 4, .prefix_rows = 3});
  Guarded out(12);
  EXPECT_TRUE(succeeded(encoding.table({.height = 0, .width = 5}, out.span())));
  for (const float value : out.span()) EXPECT_EQ(value, 0.0f);
  EXPECT_TRUE(succeeded(encoding.table(std::span<const double>(), Floats())));
}

TEST(SincosGrid, VastGridsWithASideOfZeroEndAtOnce) {
  constexpr std::size_t kVast = std::numeric_limits<std::size_t>::max() / 2;
  for (const std::size_t axes : {std::size_t{2}, std::size_t{3}}) {
    const SincosGrid encoding({.dim = 12, .axes = axes});
    for (const CellOrder order : {CellOrder::row_major, CellOrder::column_major}) {
      const std::size_t depth = axes == 2 ? 1 : kVast;
      const Grid empty[] = {{.height = 0, .width = kVast, .depth = depth, .order = order},
                            {.height = kVast, .width = 0, .depth = depth, .order = order},
                            {.height = 0, .width = 0, .depth = depth, .order = order}};
      for (Grid grid : empty) {
        // so that the last coordinate is in range however many there are
        grid.step_x = grid.step_y = grid.step_z = 0.0;
        EXPECT_TRUE(succeeded(encoding.table(grid, Floats())));
        EXPECT_TRUE(succeeded(encoding.add(grid, Floats())));
      }
    }
  }
  const SincosGrid volume({.dim = 12, .axes = 3});
  const Grid flat{.height = kVast, .width = kVast, .depth = 0, .step_y = 0, .step_x = 0};
  EXPECT_TRUE(succeeded(volume.table(flat, Floats())));
}

TEST(SincosGrid, ConfigsOutsideTheirRangeAreRejected) {
  expect_failure(check(SincosGridConfig{.dim = 4, .axes = 1}), Code::value_range, "axes",
                 "sincos_grid: axes must be 2 or 3, got 1");
  expect_failure(check(SincosGridConfig{.dim = 10}), Code::value_range, "dim",
                 "sincos_grid: dim must be a multiple of 2 * axes = 4 unless the layout is "
                 "interleaved, got 10");
  expect_failure(check(SincosGridConfig{.dim = 8, .axes = 3}), Code::value_range, "dim",
                 "sincos_grid: dim must be a multiple of 2 * axes = 6 unless the layout is "
                 "interleaved, got 8");
  expect_failure(check(SincosGridConfig{.dim = 0}), Code::value_range, "dim",
                 "sincos_grid: dim must be 1 to 16777216, got 0");
  expect_failure(check(SincosGridConfig{.dim = 4, .base = 0}), Code::value_range, "base",
                 "sincos_grid: base must be 1 to 1e+30, got 0");
  expect_failure(check(SincosGridConfig{.dim = 4, .frequency_denominator = -1}), Code::value_range,
                 "frequency_denominator",
                 "sincos_grid: frequency_denominator must be 1 to 33554432, got -1");
  expect_failure(check(SincosGridConfig{.dim = 4, .prefix_rows = 16777217}), Code::value_range,
                 "prefix_rows", "sincos_grid: prefix_rows must be 0 to 16777216, got 16777217");
  EXPECT_FALSE(make(SincosGridConfig{}).ok());
}

TEST(SincosGrid, WrongCallsWriteNothing) {
  const SincosGrid encoding({.dim = 4});
  Guarded out(24);
  expect_failure(encoding.table({.height = 2, .width = 3, .depth = 2}, out.span()),
                 Code::value_range, "depth",
                 "sincos_grid: depth must be 1 for an encoding of 2 axes, got 2");
  expect_failure(encoding.table({.height = 2, .width = 2}, out.span()), Code::shape, "out",
                 "sincos_grid: out must have (prefix_rows + cells) * dim = 4 * 4 = 16 elements, "
                 "got 24");
  expect_failure(encoding.add({.height = 2, .width = 3, .step_x = kNaN}, out.span()),
                 Code::position_range, "first_x",
                 "sincos_grid: first_x must be finite and at most 1125899906842624 in magnitude, "
                 "got nan");
  const std::vector<double> odd(11), far(12, 1e300);
  expect_failure(encoding.table(odd, out.span()), Code::shape, "coordinates",
                 "sincos_grid: coordinates must have cells * axes = 5 * 2 = 10 elements, got 11");
  EXPECT_EQ(encoding.add(far, out.span()).code(), Code::position_range);
  const std::size_t huge = std::size_t{1} << (sizeof(void*) * 4);
  EXPECT_EQ(encoding.table({.height = huge, .width = huge}, out.span()).code(), Code::size_limit);
  EXPECT_TRUE(out.untouched());
}

}  // namespace
}  // namespace posenc
