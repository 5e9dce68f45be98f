#include "posenc/bias/swin.hpp"

#include <string>

#include "bias_helpers.hpp"
#include "posenc/bias/swin_cpb.hpp"

namespace posenc {
namespace {

using namespace tests;

template <class Encoding>
std::vector<float> window_bias(const Encoding& encoding) {
  const auto& config = encoding.config();
  const std::size_t cells = config.window_height * config.window_width;
  Guarded out(config.heads * cells * cells);
  EXPECT_TRUE(succeeded(encoding.bias(out.span())));
  return copy_of(out);
}

std::vector<std::int32_t> index_of(std::size_t height, std::size_t width) {
  std::vector<std::int32_t> index(height * width * height * width);
  EXPECT_TRUE(succeeded(Swin({height, width, 1, {}}).index(index)));
  return index;
}

// Kind window-index.
TEST(Swin, IndexOfAWindow) {
  EXPECT_EQ(index_of(2, 2),
            (std::vector<std::int32_t>{4, 3, 1, 0, 5, 4, 2, 1, 7, 6, 4, 3, 8, 7, 5, 4}));
  EXPECT_EQ(index_of(1, 1), std::vector<std::int32_t>{0});
  EXPECT_EQ(index_of(1, 3), (std::vector<std::int32_t>{2, 1, 0, 3, 2, 1, 4, 3, 2}));
}

TEST(Swin, OppositeOffsetsMirrorTheTable) {
  const std::size_t cells = 15;
  const std::vector<std::int32_t> index = index_of(3, 5);
  for (std::size_t query = 0; query < cells; ++query) {
    for (std::size_t key = 0; key < cells; ++key) {
      EXPECT_EQ(index[query * cells + key] + index[key * cells + query], 5 * 9 - 1);
    }
  }
}

TEST(Swin, BiasIsTheIndexedTableBitForBit) {
  Random random;
  const std::vector<float> table = random.floats(5 * 7 * 3);
  const std::vector<std::int32_t> index = index_of(3, 4);
  const auto expect = [&](ConstFloats stored, std::span<const float> values) {
    const std::vector<float> bias = window_bias(Swin({3, 4, 3, stored}));
    for (std::size_t i = 0; i < bias.size(); ++i) {
      const auto row = static_cast<std::size_t>(index[i % index.size()]);
      EXPECT_TRUE(same_bits({&bias[i], 1}, values.subspan(row * 3 + i / index.size(), 1)));
    }
  };
  expect(table, table);
  for (StorageType type : kShortTypes) {
    const ShortFloats stored(table, type);
    expect(stored, stored.floats());
    ShortFloats out(3 * index.size(), type);
    ASSERT_TRUE(succeeded(Swin({3, 4, 3, table}).bias(out)));
    EXPECT_TRUE(
        same_bits(out.floats(), ShortFloats(window_bias(Swin({3, 4, 3, table})), type).floats()));
  }
}

TEST(Swin, AWindowOfOneCellHasOneRow) {
  const float table[] = {-0.5f, 0.25f, 3};
  EXPECT_EQ(window_bias(Swin({1, 1, 3, table})), (std::vector<float>{-0.5f, 0.25f, 3}));
}

TEST(SwinRejection, ConfigsOutsideTheirRange) {
  const float table[9] = {};
  expect_failure(check(SwinConfig{}), Code::value_range, "window_height",
                 "swin: window_height must be 1 to 4096, got 0");
  expect_failure(check(SwinConfig{1, 4097, 1, {}}), Code::value_range, "window_width",
                 "swin: window_width must be 1 to 4096, got 4097");
  expect_failure(make(SwinConfig{1, 1, 0, {}}).status(), Code::value_range, "heads",
                 "swin: heads must be 1 to 16777216, got 0");
  expect_failure(check(SwinConfig{2, 2, 2, table}), Code::shape, "table",
                 "swin: table must have (2H-1)(2W-1) * heads = 9 * 2 = 18 elements, got 9");
  EXPECT_THROW(Swin(SwinConfig{}), Error);
}

TEST(SwinRejection, WrongCallsWriteNothing) {
  Guarded memory(9 + 32);
  const std::span<float> table = memory.span().first(9), out = memory.span().subspan(9, 16);
  const Swin swin({2, 2, 1, table}), without({2, 2, 1, {}});
  std::vector<std::int32_t> index(15, 7);
  expect_failure(swin.index(index), Code::shape, "out",
                 "swin: out must have HW * HW = 4 * 4 = 16 elements, got 15");
  EXPECT_EQ(index, std::vector<std::int32_t>(15, 7));
  expect_failure(swin.bias(out.first(15)), Code::shape, "out",
                 "swin: out must have heads * HW * HW = 1 * 4 * 4 = 16 elements, got 15");
  expect_failure(without.bias(out), Code::shape, "table",
                 "swin: table must have (2H-1)(2W-1) * heads = 9 * 1 = 9 elements, got 0");
  expect_failure(swin.bias(memory.span().subspan(8, 16)), Code::overlap, "out",
                 "swin: out must not overlap table");
  EXPECT_TRUE(memory.untouched());
}

std::vector<float> coordinates_of(const SwinCpb& encoding, std::size_t offsets) {
  Guarded out(2 * offsets);
  EXPECT_TRUE(succeeded(encoding.coordinates(out.span())));
  return copy_of(out);
}

/// log2(1 + |c|) / log2(8) with the sign of c.
double normalised(double offset, double reach) {
  return std::copysign(std::log1p(std::fabs(8 * offset / reach)) / std::log(8.0), offset);
}

TEST(SwinCpb, CoordinatesOfBothForms) {
  for (SwinCoordinates form : {SwinCoordinates::normalised, SwinCoordinates::logarithmic}) {
    const SwinCpb encoding({.window_height = 4,
                            .window_width = 7,
                            .pretrained_height = 6,
                            .pretrained_width = 5,
                            .heads = 1,
                            .coordinates = form});
    std::vector<double> exact;
    for (int row = 0; row < 7 * 13; ++row) {
      const double y = row / 13 - 3, x = row % 13 - 6;
      const bool log = form == SwinCoordinates::logarithmic;
      exact.push_back(log ? std::copysign(std::log1p(std::fabs(y)), y) : normalised(y, 5));
      exact.push_back(log ? std::copysign(std::log1p(std::fabs(x)), x) : normalised(x, 4));
    }
    expect_ulps(coordinates_of(encoding, 7 * 13), exact, 1);
  }
}

TEST(SwinCpb, TheEdgesOfTheWindowHaveOneCoordinate) {
  const std::vector<float> small =
      coordinates_of(SwinCpb({.window_height = 3, .window_width = 9, .heads = 1}), 5 * 17);
  const float edge = small[1];
  EXPECT_LE(ulp_error(edge, -std::log2(9.0) / 3), 1);
  EXPECT_EQ(small[0], edge);
  EXPECT_EQ(small[2 * 16 + 1], -edge);
  EXPECT_EQ(small[2 * (2 * 17 + 8)], 0);
  EXPECT_EQ(small[2 * (2 * 17 + 8) + 1], 0);
}

TEST(SwinCpb, ValuesOfTheReference) {
  const Network network{.tensors = {{{1.1311195f, 1.0232711f, 0.10781123f, 0.08438863f, 0.54856724f,
                                      1.2770246f, 0.25345248f, -0.9983283f},
                                     {-1.0730506f, -1.52078f, 0.23861176f, -0.98269284f}},
                                    {{-0.8323548f, 0.38858062f, 1.4060328f, -1.5161809f, 0.8779954f,
                                      1.0596683f, -0.2275973f, 0.8654859f},
                                     {}}}};
  const double expected[] = {9.329536385764502,
                             7.562669693257627,
                             8,
                             8,
                             14.440860840466293,
                             9.329536385764502,
                             12.879755368775545,
                             8,
                             11.84878965342039,
                             5.98252730413831,
                             9.329536385764502,
                             7.562669693257627,
                             14.168845457377099,
                             11.84878965342039,
                             14.440860840466293,
                             9.329536385764502,
                             7.782823810059848,
                             8.249810403665403,
                             8,
                             8,
                             6.597692094292106,
                             7.782823810059848,
                             7.086034910692594,
                             8,
                             7.684181742948813,
                             9.168609313842007,
                             7.782823810059848,
                             8.249810403665403,
                             10.195119045132465,
                             7.684181742948813,
                             6.597692094292106,
                             7.782823810059848};
  expect_ulps(window_bias(SwinCpb(
                  {.window_height = 2, .window_width = 2, .heads = 2, .layers = network.layers()})),
              expected, 1);
}

TEST(SwinCpb, BiasIsTheNetworkAtTheIndexedCoordinates) {
  Random random;
  const std::size_t widths[] = {2, 8, 3};
  const Network network = Network::of(widths, random);
  const std::vector<std::int32_t> index = index_of(3, 2);
  for (SwinCoordinates form : {SwinCoordinates::normalised, SwinCoordinates::logarithmic}) {
    const SwinCpb encoding({.window_height = 3,
                            .window_width = 2,
                            .heads = 3,
                            .coordinates = form,
                            .layers = network.layers()});
    const std::vector<float> coordinates = coordinates_of(encoding, 5 * 3);
    const std::vector<float> bias = window_bias(encoding);
    for (std::size_t i = 0; i < bias.size(); ++i) {
      const auto row = static_cast<std::size_t>(index[i % index.size()]);
      const std::vector<double> output =
          network.run({static_cast<double>(coordinates[2 * row]),
                       static_cast<double>(coordinates[2 * row + 1])},
                      relu);
      const double value = output[i / index.size()];
      EXPECT_NEAR(static_cast<double>(bias[i]),
                  form == SwinCoordinates::normalised ? 16 * sigmoid_of(value) : value, 0x1p-16);
    }
  }
}

TEST(SwinCpb, OutputComputedElsewhereGoesWhereItBelongs) {
  Random random;
  const std::vector<float> output = random.floats(5 * 3 * 2);
  const std::vector<std::int32_t> index = index_of(3, 2);
  SwinCpbConfig config{.window_height = 3, .window_width = 2, .heads = 2};
  for (SwinCoordinates form : {SwinCoordinates::normalised, SwinCoordinates::logarithmic}) {
    config.coordinates = form;
    Guarded out(2 * index.size());
    ASSERT_TRUE(succeeded(SwinCpb(config).bias_from_output(output, out.span())));
    std::vector<double> exact;
    for (std::size_t i = 0; i < out.span().size(); ++i) {
      const auto row = static_cast<std::size_t>(index[i % index.size()]);
      const auto value = static_cast<double>(output[row * 2 + i / index.size()]);
      exact.push_back(form == SwinCoordinates::normalised ? 16 * sigmoid_of(value) : value);
    }
    expect_ulps(out.span(), exact, 1);
    for (StorageType type : kShortTypes) {
      ShortFloats rounded(out.span().size(), type);
      ASSERT_TRUE(succeeded(SwinCpb(config).bias_from_output(output, rounded)));
      expect_rounded(rounded, type, out.span());
    }
  }
}

TEST(SwinCpb, AWindowOfOneCellHasCoordinateZero) {
  const SwinCpb encoding({.window_height = 1, .window_width = 1, .heads = 1});
  EXPECT_EQ(coordinates_of(encoding, 1), (std::vector<float>{0, 0}));
  const float output[] = {0};
  Guarded out(1);
  EXPECT_TRUE(succeeded(encoding.bias_from_output(output, out.span())));
  EXPECT_EQ(out.span()[0], 8);
}

TEST(SwinCpbRejection, ConfigsOutsideTheirRange) {
  const float weights[3] = {};
  SwinCpbConfig config{.window_height = 2, .window_width = 2, .heads = 1};
  expect_failure(check(SwinCpbConfig{}), Code::value_range, "window_height",
                 "swin_cpb: window_height must be 1 to 4096, got 0");
  config.pretrained_height = 3;
  expect_failure(check(config), Code::value_range, "pretrained_width",
                 "swin_cpb: pretrained_width must be 1 to 4096, got 0");
  config.pretrained_height = 0;
  config.heads = 1025;
  expect_failure(check(config), Code::value_range, "heads",
                 "swin_cpb: heads must be 1 to 1024, got 1025");
  config.heads = 1;
  config.layers = {{weights, {}}};
  expect_failure(make(config).status(), Code::shape, "layers",
                 "swin_cpb: layers must have weights [out, in] of at most 1024 rows, got 3 "
                 "elements for in = 2");
  EXPECT_THROW(SwinCpb{config}, Error);
}

TEST(SwinCpbRejection, WrongCallsWriteNothing) {
  const SwinCpb encoding({.window_height = 2, .window_width = 1, .heads = 1});
  Guarded out(7);
  expect_failure(encoding.coordinates(out.span()), Code::shape, "out",
                 "swin_cpb: out must have (2H-1)(2W-1) * 2 = 3 * 2 = 6 elements, got 7");
  expect_failure(encoding.bias(out.span()), Code::shape, "out",
                 "swin_cpb: out must have heads * HW * HW = 1 * 2 * 2 = 4 elements, got 7");
  expect_failure(encoding.bias(out.span().first(4)), Code::shape, "layers",
                 "swin_cpb: layers must end with 1 outputs, got 2 in 0 layers");
  expect_failure(encoding.bias_from_output(out.span().first(2), out.span().last(4)), Code::shape,
                 "output",
                 "swin_cpb: output must have (2H-1)(2W-1) * heads = 3 * 1 = 3 elements, got 2");
  expect_failure(encoding.bias_from_output(out.span().subspan(1, 3), out.span().last(4)),
                 Code::overlap, "out", "swin_cpb: out must not overlap output");
  EXPECT_TRUE(out.untouched());
}

TEST(SwinCpbRejection, OutputsOverItsLayers) {
  expect_layers_are_kept_apart(
      "swin_cpb", 2, 3, 12, [](const std::vector<MlpLayer>& layers, std::span<float> out) {
        const SwinCpb encoding(
            {.window_height = 2, .window_width = 1, .heads = 3, .layers = layers});
        return encoding.bias(out);
      });
}

}  // namespace
}  // namespace posenc
