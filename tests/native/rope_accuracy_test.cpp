// The largest error of the angles of every scaling, printed and held to the documented bound: 1 ulp
// of float32 for positions to 2^24, fractional, negative and near zero crossings too. The rules
// stand here a second time, in twice the digits of double.

#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "helpers.hpp"
#include "posenc/rotary/rope.hpp"
#include "reference.hpp"

namespace posenc {
namespace {

using namespace tests;
using math::DoubleDouble;

const DoubleDouble kPi{0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};

struct Subject {
  const char* name;
  RopeConfig config;
  /// Radians per position of a pair, or quarter turns.
  std::function<DoubleDouble(std::size_t)> frequency;
  bool quarter_turns = false;
};

DoubleDouble ramp_blend(double low, double high, std::size_t pair, double factor, DoubleDouble f) {
  const DoubleDouble at = (DoubleDouble{static_cast<double>(pair)} - low) / (high - low);
  const DoubleDouble share = std::clamp(at, DoubleDouble{0.0}, DoubleDouble{1.0});
  return share * (f / factor) + (1.0 - share) * f;
}

DoubleDouble llama3(double factor, DoubleDouble f) {
  const DoubleDouble turns = 8192.0 * f / (kPi * 2.0);
  if (turns > DoubleDouble{4.0}) return f;
  if (turns < DoubleDouble{1.0}) return f / factor;
  const DoubleDouble share = (turns - DoubleDouble{1.0}) / 3.0;
  return (1.0 - share) * (f / factor) + share * f;
}

DoubleDouble ntk(double base, std::size_t pair, double growth, double d) {
  const DoubleDouble raised =
      DoubleDouble{base} * math::pow(DoubleDouble{growth}, DoubleDouble{d} / (d - 2));
  return math::pow(raised, DoubleDouble{-2.0 * static_cast<double>(pair)} / d);
}

std::vector<Subject> subjects() {
  const auto plain = [](double base, double d) {
    return [=](std::size_t i) { return exact_frequency(base, d, i); };
  };
  std::vector<double> factors(48);
  for (std::size_t i = 0; i < 48; ++i) factors[i] = 1.0 + 0.37 * static_cast<double>(i);
  const LongRope long_rope{.short_factor = factors,
                           .long_factor = factors,
                           .original_max_position_embeddings = 4096,
                           .factor = 32};
  const std::vector<double> learned{0.731, -0.0123, 1e-7, 3.0};
  std::vector<Subject> all;
  all.push_back({"none, base 10000", {.head_dim = 128}, plain(10000, 128)});
  all.push_back({"none, base 160000", {.head_dim = 64, .base = 160000}, plain(160000, 64)});
  all.push_back({"linear",
                 {.head_dim = 80, .base = 500000, .scaling = Linear{3}},
                 [](std::size_t i) { return exact_frequency(500000, 80, i, 3); }});
  all.push_back({"static_ntk", {.head_dim = 64, .scaling = StaticNtk{3}}, [](std::size_t i) {
                   return ntk(10000, i, 3, 64);
                 }});
  all.push_back({"dynamic_ntk",
                 {.head_dim = 64, .scaling = DynamicNtk{4, 2048}, .length = 8192},
                 [](std::size_t i) { return ntk(10000, i, 13, 64); }});
  all.push_back(
      {"yarn",
       {.head_dim = 128,
        .scaling =
            Yarn{.factor = 16, .original_max_position_embeddings = 4096, .attention_factor = 1.0}},
       [](std::size_t i) { return ramp_blend(20, 46, i, 16, exact_frequency(10000, 128, i)); }});
  all.push_back({"longrope", {.head_dim = 96, .scaling = long_rope}, [=](std::size_t i) {
                   return exact_frequency(10000, 96, i) / factors[i];
                 }});
  all.push_back({"llama3",
                 {.head_dim = 128, .base = 500000, .scaling = Llama3{}},
                 [](std::size_t i) { return llama3(8, exact_frequency(500000, 128, i)); }});
  all.push_back(
      {"proportional",
       {.head_dim = 64, .base = 1e6, .scaling = Proportional{0.25, 2}},
       [](std::size_t i) { return i < 8 ? exact_frequency(1e6, 64, i, 2) : DoubleDouble{}; }});
  all.push_back({"custom",
                 {.head_dim = 8, .scaling = CustomFrequencies{.inv_freq = learned}},
                 [=](std::size_t i) { return DoubleDouble{learned[i]}; }});
  all.push_back({"mrope", {.head_dim = 64, .axes = Mrope{{32, 0, 0}}}, plain(10000, 64)});
  all.push_back({"axial turns",
                 {.head_dim = 64, .base = 100, .axes = Axial{AxialBands::turns}},
                 [](std::size_t i) { return exact_frequency(100, 32, i % 16) * 4.0; },
                 true});
  all.push_back({"axial dealt",
                 {.head_dim = 64, .axes = Axial{AxialBands::dealt}},
                 [](std::size_t i) { return exact_frequency(10000, 64, 2 * (i % 16) + i / 16); }});
  all.push_back({"axial pixels",
                 {.head_dim = 64, .axes = Axial{AxialBands::pixel_linear}},
                 [](std::size_t i) {
                   return 2.0 * (1.0 + 111.0 * DoubleDouble{static_cast<double>(i % 16)} / 15.0);
                 },
                 true});
  return all;
}

/// Positions of every kind; every other one as near to a zero crossing of the pair as can be.
double position_of(Random& random, std::size_t index, double frequency) {
  const double any = random.uniform(-0x1p24, 0x1p24);
  const double small = any / std::ldexp(1.0, static_cast<int>(random.integer(0, 40)));
  if (index % 4 == 0) return std::floor(any);
  if (index % 4 == 2 || frequency == 0.0) return small;
  const double quarter = kPi.hi / 2 / frequency;
  const double crossing = std::round(any / quarter) * quarter;
  const double at = index % 8 == 1 ? std::round(crossing) : crossing;
  return std::fabs(at) <= 0x1p24 ? at : small;
}

/// In ulp; nothing within 2^-70, as zeros at fractions of a turn that no double holds are.
double error_of(float actual, double exact) {
  return std::fabs(actual - exact) <= 0x1p-70 ? 0.0 : ulp_error(actual, exact);
}

TEST(RopeAccuracy, AnglesOfEveryScalingAreWithinOneUlp) {
  Random random;
  for (const Subject& subject : subjects()) {
    const Rope rope(subject.config);
    const std::size_t pairs = rope.inv_freq().size(), axes = rope.axis_count();
    std::vector<DoubleDouble> frequencies(pairs);
    for (std::size_t i = 0; i < pairs; ++i) frequencies[i] = subject.frequency(i);
    std::vector<float> cos(pairs), sin(pairs);
    double largest = 0;
    for (std::size_t index = 0; index < 60 * pairs; ++index) {
      const std::size_t near = index % pairs;
      const double position = position_of(random, index / pairs, rope.inv_freq()[near]);
      const std::vector<double> positions(axes, position);
      ASSERT_TRUE(succeeded(rope.angles(Positions::of(positions), cos, sin)));
      for (const std::size_t i : {near, (near + 7) % pairs}) {
        const math::SinCos exact = subject.quarter_turns
                                       ? math::sin_cos_quarter_turns(frequencies[i] * position)
                                       : math::sin_cos(frequencies[i] * position);
        const double factor = rope.attention_factor();
        largest = std::max({largest, error_of(sin[i], factor * exact.sin.hi),
                            error_of(cos[i], factor * exact.cos.hi)});
      }
    }
    std::printf("rope angles, %s: %zu values, largest error %.6f ulp\n", subject.name, 240 * pairs,
                largest);
    EXPECT_LE(largest, 1.0) << subject.name;
  }
}

TEST(RopeAccuracy, SumsOfAxesThatNearlyCancelAreWithinOneUlp) {
  Random random;
  double largest = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const double x = std::floor(random.uniform(1, 0x1p20)),
                 y = std::floor(random.uniform(1, 0x1p20));
    const double first = random.uniform(0, 1);
    const double quarters = std::round(random.uniform(-8, 8));
    // x * first + y * second is all but a whole number of quarter turns
    const double second = (quarters * kPi.hi / 2 - x * first) / y;
    const Rope rope(
        {.head_dim = 2, .scaling = CustomFrequencies{.inv_freq = {first, second}, .axes = 2}});
    const double positions[] = {x, y};
    float cos = 0, sin = 0;
    ASSERT_TRUE(succeeded(rope.angles(Positions::of(positions), {&cos, 1}, {&sin, 1})));
    const DoubleDouble angle = DoubleDouble{first} * x + DoubleDouble{second} * y;
    const math::SinCos exact = math::sin_cos(angle);
    largest = std::max({largest, ulp_error(sin, exact.sin.hi), ulp_error(cos, exact.cos.hi)});
  }
  std::printf("rope angles, sums of two axes: largest error %.6f ulp\n", largest);
  EXPECT_LE(largest, 1.0);
}

}  // namespace
}  // namespace posenc
