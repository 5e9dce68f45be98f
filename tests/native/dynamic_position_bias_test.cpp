#include "posenc/bias/dynamic_position_bias.hpp"

#include <string>

#include "bias_helpers.hpp"

namespace posenc {
namespace {

using namespace tests;

/// Two heads.
Network network_of(Random& random) {
  const std::size_t widths[] = {1, 6, 3, 2};
  return Network::of(widths, random);
}

TEST(DynamicPositionBias, ValuesOfTheReference) {
  const Network network{.tensors = {{{1.8271775f, 0.64750487f, 0.18740076f, 1.8340181f},
                                     {-1.5961363f, 0.73588413f, 0.22369662f, -0.44023767f}},
                                    {{-0.8115219f, 0.3613823f, -1.996285f, -0.09369718f,
                                      -1.7397498f, -0.28814176f, -1.2183826f, -0.71391606f},
                                     {-0.7519471f, -1.2390935f}}}};
  const DynamicPositionBias encoding(
      {.heads = 2, .log_distance = true, .layers = network.layers()});
  const double expected[] = {
      -0.5858570117707506, -0.6406446233340831, -0.6697002745703219, -0.6768785079588668,
      -0.7811123771168283, -0.5858570117707506, -0.6406446233340831, -0.6697002745703219,
      -1.1709388970567183, -0.7811123771168283, -0.5858570117707506, -0.6406446233340831,
      -1.5768583738365016, -1.1709388970567183, -0.7811123771168283, -0.5858570117707506,
      -0.9428354499751939, -0.8901663794559861, -0.9488640193129289, -0.9796126538411118,
      -1.9269508395173118, -0.9428354499751939, -0.8901663794559861, -0.9488640193129289,
      -3.2552951621537063, -1.9269508395173118, -0.9428354499751939, -0.8901663794559861,
      -4.505742613191318,  -3.2552951621537063, -1.9269508395173118, -0.9428354499751939};
  expect_ulps(whole_bias(encoding, Positions::from(0, 4), Positions::from(0, 4)), expected, 1);
}

TEST(DynamicPositionBias, FollowsTheFormula) {
  Random random;
  for (bool log_distance : {false, true}) {
    for (int trial = 0; trial < 10; ++trial) {
      const Network network = network_of(random);
      const DynamicPositionBias encoding(
          {.heads = 2, .log_distance = log_distance, .layers = network.layers()});
      Guarded out(2 * 31);
      ASSERT_TRUE(succeeded(encoding.distances(-15, out.span())));
      for (std::size_t column = 0; column < 31; ++column) {
        const double x = 15.0 - static_cast<double>(column);
        const double input = log_distance ? std::copysign(std::log1p(std::fabs(x)), x) : x;
        const std::vector<double> exact = network.run({input}, silu);
        for (std::size_t head = 0; head < 2; ++head) {
          EXPECT_NEAR(static_cast<double>(out.span()[head * 31 + column]), exact[head], 0x1p-15);
        }
      }
    }
  }
}

TEST(DynamicPositionBias, SeesTheSignOfTheDistance) {
  const Network network{.tensors = {{{2}, {}}}};
  const DynamicPositionBias encoding({.heads = 1, .layers = network.layers()});
  EXPECT_EQ(whole_bias(encoding, Positions::from(1, 1), Positions::from(0, 3)),
            (std::vector<float>{2, 0, -2}));
}

TEST(DynamicPositionBias, ShortOutputsAreRoundedOnce) {
  Random random;
  const Network network = network_of(random);
  expect_short_biases_are_rounded(
      DynamicPositionBias({.heads = 2, .log_distance = true, .layers = network.layers()}));
}

TEST(DynamicPositionBias, NetworksMayBeAsWideAsPromised) {
  Random random;
  const std::size_t widths[] = {1, kMaxMlpWidth, kMaxMlpWidth};
  const Network network = Network::of(widths, random);
  const DynamicPositionBias encoding({.heads = kMaxMlpWidth, .layers = network.layers()});
  Guarded out(kMaxMlpWidth);
  ASSERT_TRUE(succeeded(encoding.distances(-2, out.span())));
  const std::vector<double> exact = network.run({2}, silu);
  expect_near(out.span(), exact, 0x1p-10);
}

TEST(DynamicPositionBiasRejection, ConfigsOutsideTheirRange) {
  const std::vector<float> wide(kMaxMlpWidth + 1);
  const auto rejects = [](const DynamicPositionBiasConfig& config, Code code, const char* field,
                          const char* message) {
    expect_failure(make(config).status(), code, field, message);
  };
  rejects({}, Code::value_range, "heads", "dynamic_position_bias: heads must be 1 to 1024, got 0");
  rejects({.heads = 1}, Code::shape, "layers",
          "dynamic_position_bias: layers must end with 1 outputs, got 1 in 0 layers");
  rejects({.heads = 1, .layers = {{wide, {}}}}, Code::shape, "layers",
          "dynamic_position_bias: layers must have weights [out, in] of at most 1024 rows, got "
          "1025 elements for in = 1");
  rejects({.heads = 1, .layers = {{{}, {}}}}, Code::shape, "layers",
          "dynamic_position_bias: layers must have weights [out, in] of at most 1024 rows, got 0 "
          "elements for in = 1");
  EXPECT_THROW(DynamicPositionBias(DynamicPositionBiasConfig{}), Error);
}

TEST(DynamicPositionBiasRejection, WrongCallsWriteNothing) {
  const float weights[] = {1, 2};
  const DynamicPositionBias encoding({.heads = 2, .layers = {{weights, {}}}});
  Guarded out(8);
  expect_failure(encoding.distances(0, out.span().first(3)), Code::shape, "out",
                 "dynamic_position_bias: out must have heads * count = 2 * 1 = 2 elements, got 3");
  expect_failure(encoding.distances(-(std::int64_t{1} << 51) - 1, out.span()), Code::position_range,
                 "first",
                 "dynamic_position_bias: first must be finite and at most 2251799813685248 in "
                 "magnitude, got -2251799813685249");
  expect_failure(encoding.bias(Positions::from(0, 2), Positions::from(0, 3), out.span()),
                 Code::shape, "out",
                 "dynamic_position_bias: out must have heads * queries * keys = 2 * 2 * 3 = 12 "
                 "elements, got 8");
  expect_failure(encoding.bias(Positions::from(kMaxPosition, 2), Positions::from(0, 2), out.span()),
                 Code::position_range, "queries",
                 "dynamic_position_bias: queries must be finite and at most 1125899906842624 in "
                 "magnitude, got 1125899906842625");
  EXPECT_TRUE(out.untouched());
  EXPECT_TRUE(succeeded(encoding.distances(0, Floats())));
}

TEST(DynamicPositionBiasRejection, OutputsOverItsLayers) {
  const char name[] = "dynamic_position_bias";
  const auto distances = [](const std::vector<MlpLayer>& layers, std::span<float> out) {
    return DynamicPositionBias({.heads = 2, .layers = layers}).distances(-3, out);
  };
  const auto bias = [](const std::vector<MlpLayer>& layers, std::span<float> out) {
    const DynamicPositionBias encoding({.heads = 2, .layers = layers});
    return encoding.bias(Positions::from(3, 2), Positions::from(0, 3), out);
  };
  expect_layers_are_kept_apart(name, 1, 2, 10, distances);
  expect_layers_are_kept_apart(name, 1, 2, 12, bias);
}

}  // namespace
}  // namespace posenc
