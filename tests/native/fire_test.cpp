#include "posenc/bias/fire.hpp"

#include <string>

#include "bias_helpers.hpp"

namespace posenc {
namespace {

using namespace tests;

std::vector<double> exact_bias(const FireConfig& config, const Network& network,
                               const Positions& queries, const Positions& keys) {
  const auto psi = [&](double x) { return std::log1p(std::fabs(config.c * x)); };
  const std::size_t plane = queries.size() * keys.size();
  std::vector<double> exact(config.heads * plane);
  for (std::size_t i = 0; i < plane; ++i) {
    const double query = queries[i / keys.size()], distance = query - keys[i % keys.size()];
    const double ratio =
        distance == 0 ? 0 : psi(distance) / (psi(std::max(config.threshold, query)) + config.eps);
    const std::vector<double> values = network.run({ratio}, relu);
    for (std::size_t head = 0; head < config.heads; ++head) {
      exact[head * plane + i] =
          config.causal && distance < 0 ? -static_cast<double>(kInfinity) : values[head];
    }
  }
  return exact;
}

/// Two heads.
Network network_of(Random& random) {
  const std::size_t widths[] = {1, 5, 4, 2};
  return Network::of(widths, random);
}

TEST(Fire, ValuesOfTheReference) {
  const Network network{
      .tensors = {{{-1.3013998f, -1.2665987f, -1.6026666f, -0.036234017f},
                   {-0.2889654f, 1.7964162f, -0.38362908f, -0.42018378f}},
                  {{-1.7757639f, 0.8336827f, -1.6102027f, 0.42901844f}, {0.5065888f}}}};
  const Fire fire({.heads = 1, .c = 0.5, .threshold = 4, .eps = 0, .layers = network.layers()});
  const double expected[] = {0.9482884772632261, 1.0174148066056778, 1.0946914681985171,
                             1.1823005214238878, 1.2834377510166926, 1.403057704492416,
                             1.5494606954277073, 1.7382069782458824, 2.004229922656897};
  expect_ulps(whole_bias(fire, Positions::from(8, 1), Positions::from(0, 9)), expected, 1);
}

TEST(Fire, FollowsTheFormulaForAnyParameters) {
  Random random;
  for (int trial = 0; trial < 30; ++trial) {
    const Network network = network_of(random);
    const FireConfig config{.heads = 2,
                            .causal = trial % 2 == 0,
                            .c = random.uniform(-2, 2),
                            .threshold = random.uniform(0.5, 20),
                            .eps = trial % 3 == 0 ? 0 : 1e-6,
                            .layers = network.layers()};
    const Positions queries = Positions::from(random.integer(0, 90), 5);
    const Positions keys = Positions::from(0, 33);
    // the terms of the sums are at most 2 * (2 + 2 * (2 + 2 ratio) * ...), far below 2^10
    expect_near(whole_bias(Fire(config), queries, keys), exact_bias(config, network, queries, keys),
                0x1p-15);
  }
}

TEST(Fire, DependsOnTheQueryToo) {
  Random random;
  const Network network = network_of(random);
  const Fire fire({.heads = 2, .threshold = 1, .layers = network.layers()});
  const std::vector<float> near = whole_bias(fire, Positions::from(5, 1), Positions::from(2, 1));
  const std::vector<float> far = whole_bias(fire, Positions::from(50, 1), Positions::from(47, 1));
  EXPECT_FALSE(same_bits(near, far));
}

TEST(Fire, BelowTheThresholdItDependsOnTheDistanceAlone) {
  Random random;
  const Network network = network_of(random);
  const Fire fire({.heads = 2, .threshold = 100, .layers = network.layers()});
  EXPECT_TRUE(same_bits(whole_bias(fire, Positions::from(5, 1), Positions::from(2, 1)),
                        whole_bias(fire, Positions::from(50, 1), Positions::from(47, 1))));
}

TEST(Fire, CausalIsBidirectionalOnThePast) {
  Random random;
  const Network network = network_of(random);
  FireConfig config{.heads = 2, .threshold = 3, .layers = network.layers()};
  const Positions queries = Positions::from(1, 4), keys = Positions::from(0, 7);
  const std::vector<float> causal = whole_bias(Fire(config), queries, keys);
  config.causal = false;
  expect_causal(causal, whole_bias(Fire(config), queries, keys), queries, keys);
}

TEST(Fire, AtTheStartWithoutThresholdTheRatioIsZero) {
  const Network network{.tensors = {{{1, -1}, {0.5f, 0.25f}}}};
  const Fire fire({.heads = 2, .causal = false, .c = 1, .eps = 0, .layers = network.layers()});
  EXPECT_EQ(whole_bias(fire, Positions::from(0, 1), Positions::from(0, 2)),
            (std::vector<float>{0.5f, 0.5f, 0.25f, 0.25f}));
}

TEST(Fire, LayersMayHaveNoBiasAndShortWeights) {
  Random random;
  const Network full = network_of(random);
  std::vector<ShortFloats> weights;
  std::vector<MlpLayer> layers, widened;
  std::vector<std::vector<float>> copies;
  for (const Network::Layer& layer : full.tensors) {
    weights.emplace_back(layer.weight, StorageType::bfloat16);
    copies.push_back(weights.back().floats());
  }
  for (std::size_t i = 0; i < weights.size(); ++i) {
    layers.push_back({weights[i], {}});
    widened.push_back({copies[i], {}});
  }
  const Positions queries = Positions::from(3, 3), keys = Positions::from(0, 6);
  EXPECT_TRUE(same_bits(whole_bias(Fire({.heads = 2, .layers = layers}), queries, keys),
                        whole_bias(Fire({.heads = 2, .layers = widened}), queries, keys)));
}

TEST(Fire, ShortOutputsAreRoundedOnce) {
  Random random;
  const Network network = network_of(random);
  expect_short_biases_are_rounded(Fire({.heads = 2, .threshold = 3, .layers = network.layers()}));
}

TEST(FireRejection, ConfigsOutsideTheirRange) {
  const float one[] = {1}, four[] = {1, 2, 3, 4};
  const std::vector<MlpLayer> line{{one, one}};
  const auto rejects = [](const FireConfig& config, Code code, const char* field,
                          const char* message) {
    expect_failure(make(config).status(), code, field, message);
  };
  rejects({}, Code::value_range, "heads", "fire: heads must be 1 to 1024, got 0");
  rejects({.heads = 1025}, Code::value_range, "heads", "fire: heads must be 1 to 1024, got 1025");
  rejects({.heads = 1, .c = kNaN, .layers = line}, Code::value_range, "c",
          "fire: c must be -1e+30 to 1e+30, got nan");
  rejects({.heads = 1, .threshold = -1, .layers = line}, Code::value_range, "threshold",
          "fire: threshold must be 0 to 1e+30, got -1");
  rejects({.heads = 1, .eps = 2, .layers = line}, Code::value_range, "eps",
          "fire: eps must be 0 to 1, got 2");
  rejects({.heads = 2}, Code::shape, "layers",
          "fire: layers must end with 2 outputs, got 1 in 0 layers");
  rejects({.heads = 2, .layers = line}, Code::shape, "layers",
          "fire: layers must end with 2 outputs, got 1 in 1 layers");
  rejects({.heads = 1, .layers = {{four, {}}, {std::span(four).first(3), {}}}}, Code::shape,
          "layers",
          "fire: layers must have weights [out, in] of at most 1024 rows, got 3 elements for in = "
          "4");
  rejects({.heads = 1, .layers = {{one, four}}}, Code::shape, "layers",
          "fire: layers must have out = 1 = 1 elements, got 4");
  EXPECT_THROW(Fire(FireConfig{}), Error);
}

TEST(FireRejection, WrongCallsWriteNothing) {
  const float one[] = {1};
  const Fire fire({.heads = 1, .layers = {{one, one}}});
  Guarded out(6);
  const double infinite[] = {0, HUGE_VAL};
  expect_failure(fire.bias(Positions::from(0, 2), Positions::from(0, 2), out.span()), Code::shape,
                 "out",
                 "fire: out must have heads * queries * keys = 1 * 2 * 2 = 4 elements, got 6");
  expect_failure(fire.bias(Positions::from(0, 3), Positions::of(infinite), out.span()),
                 Code::position_range, "keys",
                 "fire: keys must be finite and at most 1125899906842624 in magnitude, got inf");
  EXPECT_TRUE(out.untouched());
  EXPECT_TRUE(succeeded(fire.bias(Positions(), Positions::from(0, 2), Floats())));
}

TEST(FireRejection, OutputsOverItsLayers) {
  expect_layers_are_kept_apart(
      "fire", 1, 2, 12, [](const std::vector<MlpLayer>& layers, std::span<float> out) {
        const Fire fire({.heads = 2, .layers = layers});
        return fire.bias(Positions::from(3, 2), Positions::from(0, 3), out);
      });
}

TEST(Fire, VastSequencesWithoutKeysEndAtOnce) {
  const float one[] = {1};
  const Fire fire({.heads = 1, .layers = {{one, one}}});
  EXPECT_TRUE(succeeded(fire.bias(vast_positions(), Positions(), Floats())));
  EXPECT_TRUE(succeeded(fire.bias(Positions(), vast_positions(), Floats())));
}

}  // namespace
}  // namespace posenc
