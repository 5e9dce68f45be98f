#include "posenc/interpolate/interpolate.hpp"

#include <vector>

#include "bias_helpers.hpp"

namespace posenc {
namespace {

using namespace tests;

std::vector<float> resized(const InterpolateConfig& config, ConstFloats table) {
  const Interpolate interpolate(config);
  const std::size_t cells = config.to_height * config.to_width;
  std::vector<double> workspace(interpolate.workspace_size());
  Guarded out((config.prefix_rows + cells + config.suffix_rows) * config.dim);
  EXPECT_TRUE(succeeded(interpolate.apply(table, workspace, out.span())));
  return {out.span().begin(), out.span().end()};
}

std::vector<float> resized(InterpolateConfig config, const std::vector<float>& values,
                           std::size_t length) {
  config.from_height = values.size();
  config.to_height = length;
  config.dim = 1;
  return resized(config, values);
}

void expect_near(std::span<const float> actual, std::span<const double> exact) {
  ASSERT_EQ(actual.size(), exact.size());
  for (std::size_t i = 0; i < exact.size(); ++i) EXPECT_NEAR(actual[i], exact[i], 2e-7) << i;
}

// Kind vit-scale-offset.
TEST(Interpolate, Dinov2sOffsetMovesEverySamplePoint) {
  const double without[] = {-0.086805555555555556, 0.40625, 1.212962962962962963,
                            1.787037037037037037,  2.59375, 3.0868055555555555556};
  const double with[] = {-0.088479735087958904, 0.390980825487595879, 1.182596781228384755,
                         1.747005255946532970,  2.546706690207550412, 3.063793748153131927};
  expect_near(resized({}, {0, 1, 2, 3}, 6), without);
  expect_near(resized({.size_offset = 0.1}, {0, 1, 2, 3}, 6), with);
}

// Kind vit-resize-exact-size: and no size between misses.
TEST(Interpolate, TheTargetSizeIsExactlyAsGiven) {
  for (const std::size_t side : {14u, 37u}) {
    for (std::size_t to = 1; to <= 256; ++to) {
      const Interpolate grid({.from_height = side, .to_height = to, .dim = 1, .size_offset = 0.1});
      std::vector<double> workspace(grid.workspace_size());
      Guarded out(to);
      ASSERT_TRUE(succeeded(grid.apply(std::vector<float>(side, 1.5f), workspace, out.span())));
      for (const float value : out.span()) ASSERT_EQ(value, 1.5f);
    }
  }
}

// Kind vit-height-width-order.
TEST(Interpolate, RowsAndColumnsKeepTheirAxes) {
  const InterpolateConfig config{.from_height = 2,
                                 .from_width = 3,
                                 .to_height = 4,
                                 .to_width = 6,
                                 .dim = 1,
                                 .mode = InterpolationMode::linear};
  const std::vector<float> rows = resized(config, std::vector<float>{0, 0, 0, 1, 1, 1});
  const std::vector<float> columns = resized(config, std::vector<float>{0, 1, 2, 0, 1, 2});
  const double down[] = {0, 0.25, 0.75, 1}, across[] = {0, 0.25, 0.75, 1.25, 1.75, 2};
  for (std::size_t i = 0; i < 24; ++i) {
    EXPECT_NEAR(rows[i], down[i / 6], 1e-7);
    EXPECT_NEAR(columns[i], across[i % 6], 1e-7);
  }
}

// Kind vit-identity-resize: in every mode, DINOv2's offset included.
TEST(Interpolate, TheSameGridKeepsItsBits) {
  const std::vector<float> table = Random().floats(14 * 14 * 3 + 3);
  for (const bool antialias : {false, true}) {
    for (const double offset : {0.0, 0.1}) {
      const InterpolateConfig config{.from_height = 14,
                                     .from_width = 14,
                                     .to_height = 14,
                                     .to_width = 14,
                                     .dim = 3,
                                     .antialias = antialias,
                                     .size_offset = offset,
                                     .prefix_rows = 1};
      EXPECT_TRUE(Interpolate(config).is_identity());
      EXPECT_TRUE(same_bits(resized(config, table), table));
    }
  }
}

TEST(Interpolate, AsManyCellsInAnotherShapeAreResampled) {
  const InterpolateConfig config{
      .from_height = 4, .from_width = 4, .to_height = 2, .to_width = 8, .dim = 1};
  EXPECT_FALSE(Interpolate(config).is_identity());
}

// Kind vit-align-corners.
TEST(Interpolate, AlignedCornersLieOnEachOther) {
  const double exact[] = {0, 3 / 7.0, 6 / 7.0, 9 / 7.0, 12 / 7.0, 15 / 7.0, 18 / 7.0, 3};
  expect_near(resized({.mode = InterpolationMode::linear, .align_corners = true}, {0, 1, 2, 3}, 8),
              exact);
  const double edges[] = {0, 0.25, 0.75, 1.25, 1.75, 2.25, 2.75, 3};
  expect_near(resized({.mode = InterpolationMode::linear}, {0, 1, 2, 3}, 8), edges);
  EXPECT_EQ(resized({.align_corners = true}, {5, 1, 2}, 1), std::vector<float>{5});
}

// Kind vit-prefix-tokens.
TEST(Interpolate, PrefixAndSuffixRowsAreCopied) {
  for (const std::size_t prefix : {0u, 1u, 5u}) {
    for (const std::size_t suffix : {0u, 3u}) {
      const InterpolateConfig config{.from_height = 2,
                                     .from_width = 2,
                                     .to_height = 3,
                                     .to_width = 5,
                                     .dim = 70,
                                     .prefix_rows = prefix,
                                     .suffix_rows = suffix};
      const std::vector<float> table = Random(prefix).floats((prefix + 4 + suffix) * 70);
      const std::vector<float> out = resized(config, table);
      const std::span<const float> before = table, after = out;
      EXPECT_TRUE(same_bits(after.first(prefix * 70), before.first(prefix * 70)));
      EXPECT_TRUE(same_bits(after.last(suffix * 70), before.last(suffix * 70)));
      InterpolateConfig bare = config;
      bare.prefix_rows = bare.suffix_rows = 0;
      EXPECT_TRUE(same_bits(resized(bare, before.subspan(prefix * 70, 4 * 70)),
                            after.subspan(prefix * 70, 15 * 70)));
    }
  }
}

TEST(Interpolate, ConstantTablesStayConstant) {
  for (const bool antialias : {false, true}) {
    for (const InterpolationMode mode : {InterpolationMode::linear, InterpolationMode::cubic}) {
      for (const std::size_t to : {1u, 2u, 5u, 9u, 40u}) {
        const std::vector<float> out =
            resized({.mode = mode, .antialias = antialias}, std::vector<float>(9, 0.7f), to);
        for (const float value : out) EXPECT_FLOAT_EQ(value, 0.7f);
      }
    }
  }
}

TEST(Interpolate, CubicsContinueStraightLinesInside) {
  std::vector<float> line(12);
  for (std::size_t i = 0; i < 12; ++i) line[i] = static_cast<float>(i);
  // a = -0.75 is exact on lines at rows and half-way; a = -0.5 (antialias) everywhere.
  const std::vector<float> out = resized({.antialias = true}, line, 36);
  for (std::size_t i = 9; i < 27; ++i) {
    EXPECT_NEAR(out[i], (static_cast<double>(i) + 0.5) / 3 - 0.5, 1e-6);
  }
}

TEST(Interpolate, AntialiasAveragesWhatItShrinks) {
  const std::vector<float> out =
      resized({.mode = InterpolationMode::linear, .antialias = true}, {0, 8, 0, 8, 0, 8, 0, 8}, 2);
  // center 2, support 4, triangle of rows 0 .. 5: weights 5 7 7 5 3 1 over 28
  EXPECT_FLOAT_EQ(out[0], 8.0f * (7 + 5 + 1) / 28);
  EXPECT_FLOAT_EQ(out[1], 8.0f - out[0]);
}

TEST(Interpolate, TransposedGridsGiveTransposedTables) {
  const std::vector<float> table = Random(9).floats(3 * 5);
  std::vector<float> turned(15);
  for (std::size_t i = 0; i < 15; ++i) turned[i % 5 * 3 + i / 5] = table[i];
  const InterpolateConfig config{.from_height = 3,
                                 .from_width = 5,
                                 .to_height = 7,
                                 .to_width = 4,
                                 .dim = 1,
                                 .antialias = true};
  const InterpolateConfig transposed{.from_height = 5,
                                     .from_width = 3,
                                     .to_height = 4,
                                     .to_width = 7,
                                     .dim = 1,
                                     .antialias = true};
  const std::vector<float> a = resized(config, table), b = resized(transposed, turned);
  for (std::size_t i = 0; i < 28; ++i) EXPECT_NEAR(a[i], b[i % 4 * 7 + i / 4], 1e-6);
}

TEST(Interpolate, ColumnsDoNotDependOnTheWidthOfARow) {
  const InterpolateConfig wide{
      .from_height = 4, .from_width = 3, .to_height = 6, .to_width = 5, .dim = 131};
  InterpolateConfig narrow = wide;
  narrow.dim = 1;
  const std::vector<float> table = Random(2).floats(12 * 131);
  const std::vector<float> out = resized(wide, table);
  for (const std::size_t column : {0u, 63u, 64u, 130u}) {
    std::vector<float> part(12), expected(30);
    for (std::size_t i = 0; i < 12; ++i) part[i] = table[i * 131 + column];
    for (std::size_t i = 0; i < 30; ++i) expected[i] = out[i * 131 + column];
    EXPECT_TRUE(same_bits(resized(narrow, part), expected));
  }
}

TEST(Interpolate, ShortTypesAreWidenedAndRoundedOnce) {
  const InterpolateConfig config{.from_height = 4,
                                 .from_width = 5,
                                 .to_height = 7,
                                 .to_width = 3,
                                 .dim = 70,
                                 .antialias = true};
  const Interpolate interpolate(config);
  std::vector<double> workspace(interpolate.workspace_size());
  for (const StorageType type : kShortTypes) {
    const ShortFloats table(Random(3).floats(20 * 70), type);
    ShortFloats out(21 * 70, type);
    ASSERT_TRUE(succeeded(interpolate.apply(table, workspace, out)));
    expect_rounded(out, type, resized(config, table.floats()));
  }
}

/// BEiT's rule, value by value, from its published steps.
double beit_value(const std::vector<float>& z, std::size_t to, std::size_t row) {
  const std::size_t half = z.size() / 2;
  const std::size_t reached = to / 2;
  double low = 1.01, high = 1.5, q = 0;
  while (high - low > 1e-6) {
    q = (low + high) / 2;
    const double reach = (1 - std::pow(q, static_cast<double>(half))) / (1 - q);
    (reach > static_cast<double>(reached) ? high : low) = q;
  }
  std::vector<double> x{0};
  for (std::size_t i = 0; i < half; ++i) {
    const double next = x.back() + std::pow(q, static_cast<double>(i));
    x.push_back(next);
    x.insert(x.begin(), -next);
  }
  const double at = static_cast<double>(row) - static_cast<double>(reached);
  if (at <= x.front()) return z.front();
  for (std::size_t i = 1; i < x.size(); ++i) {
    if (at > x[i]) continue;
    const double right = (at - x[i - 1]) / (x[i] - x[i - 1]);
    return double{z[i - 1]} * (1 - right) + double{z[i]} * right;
  }
  return z.back();
}

TEST(Interpolate, BeitsGridGrowsGeometrically) {
  const std::size_t sizes[][2] = {{27, 47}, {27, 27}, {27, 31}, {5, 63}, {47, 27}, {1, 5}};
  for (const auto& [from, to] : sizes) {
    const std::vector<float> values = Random(from).floats(from);
    const InterpolateConfig config{.from_height = from,
                                   .from_width = 3,
                                   .to_height = to,
                                   .to_width = 5,
                                   .dim = 1,
                                   .mode = InterpolationMode::linear,
                                   .spacing = GridSpacing::geometric};
    std::vector<float> table;
    for (const float value : values) table.insert(table.end(), 3, value);
    const std::vector<float> out = resized(config, table);
    for (std::size_t row = 0; row < to; ++row) {
      EXPECT_NEAR(out[row * 5 + 2], beit_value(values, to, row), 1e-6) << from << " to " << to;
    }
  }
}

}  // namespace
}  // namespace posenc
