// What interpolate refuses.

#include <string>
#include <vector>

#include "bias_helpers.hpp"
#include "posenc/interpolate/interpolate.hpp"

namespace posenc {
namespace {

using namespace tests;

TEST(Interpolate, ConfigsOutsideTheirRangeAreRejected) {
  const auto failure = [](InterpolateConfig config, const char* field, const char* message) {
    config.dim = config.dim == 0 ? 4 : config.dim;
    expect_failure(check(config), Code::value_range, field, message);
  };
  failure({.from_height = 0}, "from_height",
          "interpolate: from_height must be 1 to 16777216, got 0");
  failure({.to_width = 16777217}, "to_width",
          "interpolate: to_width must be 1 to 16777216, got 16777217");
  failure({.antialias = true, .align_corners = true}, "antialias",
          "interpolate: antialias must not be given with align_corners");
  failure({.align_corners = true, .size_offset = 0.1}, "size_offset",
          "interpolate: size_offset must not be given with align_corners");
  failure({.size_offset = -0.1}, "size_offset",
          "interpolate: size_offset must be 0 to 0.9, got -0.1");
  failure({.spacing = GridSpacing::geometric}, "mode",
          "interpolate: mode must not be given with geometric spacing");
  failure({.to_height = 4, .mode = InterpolationMode::linear, .spacing = GridSpacing::geometric},
          "to_height", "interpolate: to_height must be odd with geometric spacing, got 4");
  failure({.suffix_rows = 16777217}, "suffix_rows",
          "interpolate: suffix_rows must be 0 to 16777216, got 16777217");
  EXPECT_EQ(check(InterpolateConfig{.from_height = 1 << 24, .from_width = 1 << 24, .dim = 1 << 24})
                .code(),
            Code::size_limit);
  EXPECT_FALSE(make(InterpolateConfig{}).ok());
}

TEST(Interpolate, WrongCallsWriteNothing) {
  const Interpolate interpolate({.from_height = 3, .to_height = 4, .dim = 2});
  ASSERT_EQ(interpolate.workspace_size(), 2u);
  std::vector<float> table(6);
  std::vector<double> workspace(2);
  Guarded out(8);
  expect_failure(interpolate.apply(std::span(table).first(5), workspace, out.span()), Code::shape,
                 "table", "interpolate: table must have rows * dim = 3 * 2 = 6 elements, got 5");
  expect_failure(interpolate.apply(table, workspace, out.span().first(7)), Code::shape, "out",
                 "interpolate: out must have rows * dim = 4 * 2 = 8 elements, got 7");
  expect_failure(interpolate.apply(table, std::span(workspace).first(1), out.span()), Code::shape,
                 "workspace", "interpolate: workspace must have at least 2 elements, got 1");
  expect_failure(interpolate.apply(out.span().first(6), workspace, out.span()), Code::overlap,
                 "out", "interpolate: out must not overlap table");
  EXPECT_TRUE(out.untouched());
}

}  // namespace
}  // namespace posenc
