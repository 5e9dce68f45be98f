#include "posenc/bias/kerple.hpp"

#include <string>

#include "bias_helpers.hpp"

namespace posenc {
namespace {

using namespace tests;

double formula(const KerpleConfig& config, double p, double a, double distance) {
  if (config.causal && distance > 0) return -static_cast<double>(kInfinity);
  const double size = std::fabs(distance);
  if (config.kind == KerpleKind::log) return -p * std::log1p(a * size);
  return size == 0 ? 0 : -a * std::pow(size, p);
}

std::vector<double> exact_bias(const KerpleConfig& config, const Positions& queries,
                               const Positions& keys) {
  std::vector<double> exact;
  for (std::size_t head = 0; head < config.heads; ++head) {
    const double p = std::min(std::max(config.p[head], config.minimum), config.p_maximum);
    const double a = std::max(config.a[head], config.minimum);
    for (std::size_t i = 0; i < queries.size(); ++i) {
      for (std::size_t j = 0; j < keys.size(); ++j) {
        exact.push_back(formula(config, p, a, keys[j] - queries[i]));
      }
    }
  }
  return exact;
}

KerpleConfig config_of(KerpleKind kind, bool causal) {
  return {.heads = 3, .kind = kind, .causal = causal, .p = {0.5, 1.5, 0}, .a = {0.25, 1e-3, 2}};
}

TEST(Kerple, LogKernelOfTheReference) {
  const Kerple kerple({.heads = 1, .p = {0.875}, .a = {0.3125}});
  const double expected[] = {-1.096167597433447,  -1.0143322966739765,  -0.9240460899681495,
                             -0.8233604264064608, -0.7095639391892876,  -0.5787236719646944,
                             -0.4248193388089882, -0.23794200104818655, 0};
  expect_ulps(whole_bias(kerple, Positions::from(8, 1), Positions::from(0, 9)), expected, 1);
}

TEST(Kerple, PowerKernelWithClampedParameters) {
  const Kerple kerple({.heads = 2,
                       .kind = KerpleKind::power,
                       .causal = false,
                       .p = {0, 2.75},
                       .a = {0.0010000000474974513, 0.5},
                       .minimum = 0.01,
                       .p_maximum = 2});
  const double expected[] = {-0.010069555500567188,
                             -0.01,
                             0,
                             -0.01,
                             -0.010069555500567188,
                             -0.010110466919378535,
                             -0.010069555500567188,
                             -0.01,
                             0,
                             -0.01,
                             -0.010139594797900291,
                             -0.010110466919378535,
                             -0.010069555500567188,
                             -0.01,
                             0,
                             -2,
                             -0.5,
                             0,
                             -0.5,
                             -2,
                             -4.5,
                             -2,
                             -0.5,
                             0,
                             -0.5,
                             -8,
                             -4.5,
                             -2,
                             -0.5,
                             0};
  expect_ulps(whole_bias(kerple, Positions::from(2, 3), Positions::from(0, 5)), expected, 1);
}

TEST(Kerple, EveryValueIsWithinOneUlpOfTheFormula) {
  Random random;
  for (int trial = 0; trial < 40; ++trial) {
    const bool causal = trial % 2 == 0;
    KerpleConfig config = config_of(trial % 4 < 2 ? KerpleKind::log : KerpleKind::power, causal);
    for (double& p : config.p) p = random.uniform(0, 3);
    for (double& a : config.a) a = std::exp(random.uniform(-12, 3));
    const Positions keys = Positions::from(random.integer(-1000, 1000), 17);
    const double queries[] = {-3, 0.5, 2.0001, 12, 1e6};
    expect_ulps(whole_bias(Kerple(config), Positions::of(queries), keys),
                exact_bias(config, Positions::of(queries), keys), 1);
  }
}

TEST(Kerple, TinyAndHugeProductsKeepTheirDigits) {
  const double keys[] = {0, -1e-9, -1, -1e15};
  const double queries[] = {0};
  for (double a : {1e-300, 1e-30, 1e-9, 1e30}) {
    const KerpleConfig config{.heads = 1, .p = {1e20}, .a = {a}};
    expect_ulps(whole_bias(Kerple(config), Positions::of(queries), Positions::of(keys)),
                exact_bias(config, Positions::of(queries), Positions::of(keys)), 1);
  }
}

TEST(Kerple, ASlopeOfZeroGivesNoBiasWhateverThePower) {
  const Kerple kerple(
      {.heads = 1, .kind = KerpleKind::power, .causal = false, .p = {1e30}, .a = {0}});
  for (float value : whole_bias(kerple, Positions::from(0, 2), Positions::from(0, 5))) {
    EXPECT_EQ(value, 0);
  }
  float p = 1, a = 1;
  const std::vector<float> gradient(10, 0.0f);
  EXPECT_TRUE(succeeded(
      kerple.gradient(Positions::from(0, 2), Positions::from(0, 5), gradient, {&p, 1}, {&a, 1})));
  EXPECT_EQ(p, 0);
}

TEST(Kerple, CausalIsSymmetricOnThePast) {
  const Positions queries = Positions::from(1, 4), keys = Positions::from(0, 7);
  for (KerpleKind kind : {KerpleKind::log, KerpleKind::power}) {
    expect_causal(whole_bias(Kerple(config_of(kind, true)), queries, keys),
                  whole_bias(Kerple(config_of(kind, false)), queries, keys), queries, keys);
  }
}

TEST(Kerple, ShortOutputsAreRoundedOnce) {
  expect_short_biases_are_rounded(Kerple(config_of(KerpleKind::power, true)));
}

TEST(Kerple, GradientOfTheReference) {
  const Kerple kerple(
      {.heads = 2, .kind = KerpleKind::power, .p = {1.25, 0.125}, .a = {0.5, 0.0625}});
  const float gradient[] = {-0.3227808f, 0.96322614f,  0.16366456f,  1.5695857f,
                            -1.8888093f, 1.2925678f,   -1.7581786f,  -1.1425605f,
                            0.77405876f, 1.6362697f,   -0.08742907f, 0.55982983f,
                            -1.3517591f, -0.18716921f, 0.42674237f,  0.66861373f};
  const double expected_p[] = {-8.6357517679236, -0.2809082092366888};
  const double expected_a[] = {-9.331228660047962, -2.264974478798298};
  Guarded p(2), a(2);
  ASSERT_TRUE(succeeded(
      kerple.gradient(Positions::from(7, 1), Positions::from(0, 8), gradient, p.span(), a.span())));
  expect_ulps(p.span(), expected_p, 1);
  expect_ulps(a.span(), expected_a, 1);
}

/// The sum of gradient * bias over what is not hidden.
double objective(const KerpleConfig& config, std::span<const float> gradient) {
  const std::vector<double> bias =
      exact_bias(config, Positions::from(-1, 5), Positions::from(0, 6));
  double sum = 0;
  for (std::size_t i = 0; i < bias.size(); ++i) {
    if (!std::isinf(bias[i])) sum += bias[i] * static_cast<double>(gradient[i]);
  }
  return sum;
}

TEST(Kerple, GradientIsThatOfCentralDifferences) {
  Random random;
  for (KerpleKind kind : {KerpleKind::log, KerpleKind::power}) {
    for (bool causal : {true, false}) {
      KerpleConfig config = config_of(kind, causal);
      config.p[2] = 0.75;
      const std::vector<float> gradient = random.floats(3 * 5 * 6);
      Guarded p(3), a(3);
      ASSERT_TRUE(succeeded(Kerple(config).gradient(Positions::from(-1, 5), Positions::from(0, 6),
                                                    gradient, p.span(), a.span())));
      const auto difference = [&](double& parameter) {
        const double value = parameter, step = value * 1e-5;
        parameter = value + step;
        const double above = objective(config, gradient);
        parameter = value - step;
        const double below = objective(config, gradient);
        parameter = value;
        return (above - below) / (2 * step);
      };
      for (std::size_t head = 0; head < 3; ++head) {
        EXPECT_NEAR(static_cast<double>(p.span()[head]), difference(config.p[head]), 1e-5);
        EXPECT_NEAR(static_cast<double>(a.span()[head]), difference(config.a[head]), 2e-5);
      }
    }
  }
}

TEST(Kerple, OneHeadOneKeyAndNone) {
  const Kerple kerple({.heads = 1, .p = {0.5}, .a = {0.5}});
  EXPECT_EQ(whole_bias(kerple, Positions::from(7, 1), Positions::from(7, 1)),
            std::vector<float>{0});
  EXPECT_TRUE(whole_bias(kerple, Positions(), Positions::from(0, 3)).empty());
  EXPECT_TRUE(whole_bias(kerple, Positions::from(0, 3), Positions()).empty());
}

TEST(Kerple, VastSequencesWithoutKeysEndAtOnce) {
  const Kerple kerple({.heads = 1, .p = {1}, .a = {1}});
  Guarded p(1), a(1);
  EXPECT_TRUE(succeeded(kerple.gradient(vast_positions(), Positions(), {}, p.span(), a.span())));
  EXPECT_EQ(p.span()[0], 0);
  EXPECT_EQ(a.span()[0], 0);
  EXPECT_TRUE(succeeded(kerple.bias(vast_positions(), Positions(), {})));
}

TEST(KerpleRejection, ConfigsOutsideTheirRange) {
  const auto rejects = [](const KerpleConfig& config, Code code, const char* field,
                          const char* message) {
    expect_failure(make(config).status(), code, field, message);
  };
  rejects({}, Code::value_range, "heads", "kerple: heads must be 1 to 16777216, got 0");
  rejects({.heads = 2, .p = {1}, .a = {1, 1}}, Code::shape, "p",
          "kerple: p must have heads = 2 = 2 elements, got 1");
  rejects({.heads = 2, .p = {1, 1}}, Code::shape, "a",
          "kerple: a must have heads = 2 = 2 elements, got 0");
  rejects({.heads = 1, .p = {-1}, .a = {1}}, Code::value_range, "p",
          "kerple: p must be 0 to 1e+30, got -1");
  rejects({.heads = 1, .p = {1}, .a = {kNaN}}, Code::value_range, "a",
          "kerple: a must be 0 to 1e+30, got nan");
  rejects({.heads = 1, .p = {1}, .a = {-2e30}, .minimum = 0.01}, Code::value_range, "a",
          "kerple: a must be -1e+30 to 1e+30, got -2e+30");
  rejects({.heads = 1, .p = {1}, .a = {1}, .minimum = -1}, Code::value_range, "minimum",
          "kerple: minimum must be 0 to 1e+30, got -1");
  rejects({.heads = 1, .p = {1}, .a = {1}, .minimum = 1, .p_maximum = 0.5}, Code::value_range,
          "p_maximum", "kerple: p_maximum must be 1 to inf, got 0.5");
  EXPECT_THROW(Kerple(KerpleConfig{}), Error);
}

TEST(KerpleRejection, WrongCallsWriteNothing) {
  const Kerple kerple({.heads = 2, .p = {1, 1}, .a = {1, 1}});
  const Positions two = Positions::from(0, 2), three = Positions::from(0, 3);
  Guarded out(12), p(2), a(2);
  const std::vector<float> gradient(12);
  const double nan[] = {0, kNaN};
  expect_failure(kerple.distances(0, out.span().first(5)), Code::shape, "out",
                 "kerple: out must have heads * count = 2 * 2 = 4 elements, got 5");
  expect_failure(kerple.distances(std::int64_t{1} << 51, out.span()), Code::position_range, "first",
                 "kerple: first must be finite and at most 2251799813685248 in magnitude, got "
                 "2251799813685253");
  expect_failure(kerple.bias(two, three, out.span().first(11)), Code::shape, "out",
                 "kerple: out must have heads * queries * keys = 2 * 2 * 3 = 12 elements, got 11");
  expect_failure(kerple.bias(Positions::of(nan), three, out.span()), Code::position_range,
                 "queries",
                 "kerple: queries must be finite and at most 1125899906842624 in magnitude, got "
                 "nan");
  expect_failure(kerple.gradient(two, three, std::span(gradient).first(7), p.span(), a.span()),
                 Code::shape, "gradient",
                 "kerple: gradient must have heads * queries * keys = 2 * 2 * 3 = 12 elements, got "
                 "7");
  expect_failure(kerple.gradient(two, three, gradient, p.span().first(1), a.span()), Code::shape,
                 "p", "kerple: p must have heads = 2 = 2 elements, got 1");
  expect_failure(kerple.gradient(two, three, gradient, p.span(), a.span().first(1)), Code::shape,
                 "a", "kerple: a must have heads = 2 = 2 elements, got 1");
  expect_failure(kerple.gradient(two, three, gradient, p.span(), p.span()), Code::overlap, "p",
                 "kerple: p must not overlap a");
  expect_failure(kerple.gradient(two, three, out.span(), out.span().first(2), a.span()),
                 Code::overlap, "p", "kerple: p must not overlap gradient");
  expect_failure(kerple.gradient(two, three, out.span(), p.span(), out.span().last(2)),
                 Code::overlap, "a", "kerple: a must not overlap gradient");
  EXPECT_TRUE(out.untouched() && p.untouched() && a.untouched());
}

}  // namespace
}  // namespace posenc
