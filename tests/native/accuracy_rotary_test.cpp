// How far the angles of every scaling are from exact values: at most 1 ulp of float32 for positions
// to 2^24, fractional, negative and near zero crossings too.

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "accuracy.hpp"
#include "posenc/rotary/rope.hpp"

namespace posenc {
namespace {

using namespace tests;

const Exact kOne = 1.0;

struct Subject {
  const char* name;
  RopeConfig config;
  /// Radians per position of a pair, or quarter turns.
  std::function<Exact(std::size_t)> frequency;
  /// What cosines and sines are multiplied by.
  Exact factor = kOne;
  bool quarter_turns = false;
};

Exact number(std::size_t value) { return static_cast<double>(value); }

Exact ramp_blend(double low, double high, std::size_t pair, double factor, const Exact& f) {
  const Exact at = (number(pair) - low) / (high - low);
  const Exact share = at < 0.0 ? Exact() : at < kOne ? at : kOne;
  return share * (f / factor) + (kOne - share) * f;
}

Exact llama3(double factor, const Exact& f) {
  const Exact turns = Exact(8192.0) * f / (exact_pi() * 2.0);
  if (Exact(4.0) < turns) return f;
  if (turns < kOne) return f / factor;
  const Exact share = (turns - kOne) / 3.0;
  return (kOne - share) * (f / factor) + share * f;
}

Exact ntk(double base, std::size_t pair, double growth, double d) {
  const Exact raised = Exact(base) * pow(growth, Exact(d) / (d - 2));
  return pow(raised, Exact(-2.0 * static_cast<double>(pair)) / d);
}

std::function<Exact(std::size_t)> plain(double base, double d, double factor = 1) {
  return [=](std::size_t i) { return exact_frequency(base, d, i, factor); };
}

std::vector<Subject> scaled_subjects() {
  std::vector<double> factors(48), shorter(48);
  for (std::size_t i = 0; i < 48; ++i) factors[i] = 1.0 + 0.37 * static_cast<double>(i);
  for (std::size_t i = 0; i < 48; ++i) shorter[i] = 1.0 + 0.01 * static_cast<double>(i);
  const LongRope long_rope{.short_factor = shorter,
                           .long_factor = factors,
                           .original_max_position_embeddings = 4096,
                           .factor = 32};
  const auto divided = [](const std::vector<double>& by) -> std::function<Exact(std::size_t)> {
    return [=](std::size_t i) { return exact_frequency(10000, 96, i) / by[i]; };
  };
  // sqrt(1 + ln 32 / ln 4096)
  const Exact attention = pow(kOne + log(Exact(32.0)) / log(Exact(4096.0)), 0.5);
  const Yarn yarn{.factor = 16, .original_max_position_embeddings = 4096};
  const std::vector<double> learned{0.731, -0.0123, 1e-7, 3.0};
  return {
      {"none, base 10000", {.head_dim = 128}, plain(10000, 128)},
      {"none, base 160000", {.head_dim = 64, .base = 160000}, plain(160000, 64)},
      {"none, base 1e30", {.head_dim = 256, .base = 1e30}, plain(1e30, 256)},
      {"linear", {.head_dim = 80, .base = 500000, .scaling = Linear{3}}, plain(500000, 80, 3)},
      {"static_ntk",
       {.head_dim = 64, .scaling = StaticNtk{3}},
       [](std::size_t i) { return ntk(10000, i, 3, 64); }},
      {"dynamic_ntk",
       {.head_dim = 64, .scaling = DynamicNtk{4, 2048}, .length = 8192},
       [](std::size_t i) { return ntk(10000, i, 13, 64); }},
      {"yarn",
       {.head_dim = 128, .scaling = yarn},
       [](std::size_t i) { return ramp_blend(20, 46, i, 16, exact_frequency(10000, 128, i)); },
       kOne + log(Exact(16.0)) / 10.0},
      {"longrope, short",
       {.head_dim = 96, .scaling = long_rope, .length = 4096},
       divided(shorter),
       attention},
      {"longrope, long",
       {.head_dim = 96, .scaling = long_rope, .length = 4097},
       divided(factors),
       attention},
      {"llama3",
       {.head_dim = 128, .base = 500000, .scaling = Llama3{}},
       [](std::size_t i) { return llama3(8, exact_frequency(500000, 128, i)); }},
      {"proportional",
       {.head_dim = 64, .base = 1e6, .scaling = Proportional{0.25, 2}},
       [](std::size_t i) { return i < 8 ? exact_frequency(1e6, 64, i, 2) : Exact(); }},
      {"custom, factor 1.3",
       {.head_dim = 8, .scaling = CustomFrequencies{.inv_freq = learned, .attention_factor = 1.3}},
       [=](std::size_t i) { return Exact(learned[i]); },
       1.3}};
}

std::vector<Subject> other_subjects() {
  return {
      {"float32_frequencies",
       {.head_dim = 128, .angles = Angles::float32_frequencies},
       [](std::size_t i) {
         return Exact(
             static_cast<double>(static_cast<float>(exact_frequency(10000, 128, i).value())));
       }},
      {"mrope", {.head_dim = 64, .axes = Mrope{{32, 0, 0}}}, plain(10000, 64)},
      {"mrope, interleaved", {.head_dim = 64, .axes = Mrope{{12, 10, 10}, true}}, plain(10000, 64)},
      {"axial geometric",
       {.head_dim = 64, .axes = Axial{}},
       [](std::size_t i) { return exact_frequency(10000, 32, i % 16); }},
      {"axial turns",
       {.head_dim = 64, .base = 100, .axes = Axial{AxialBands::turns}},
       [](std::size_t i) { return exact_frequency(100, 32, i % 16) * 4.0; },
       1.0,
       true},
      {"axial dealt",
       {.head_dim = 64, .axes = Axial{AxialBands::dealt}},
       [](std::size_t i) { return exact_frequency(10000, 64, 2 * (i % 16) + i / 16); }},
      {"axial pixel_linear",
       {.head_dim = 64, .axes = Axial{AxialBands::pixel_linear}},
       [](std::size_t i) { return (kOne + number(111 * (i % 16)) / 15.0) * 2.0; },
       1.0,
       true},
      {"axial pixel_log",
       {.head_dim = 64, .axes = Axial{AxialBands::pixel_log}},
       [](std::size_t i) { return pow(112.0, number(i % 16) / 15.0) * 2.0; },
       1.0,
       true}};
}

/// In ulp; nothing within 2^-70, as zeros at fractions of a turn that no double holds are.
void see(Sweep& swept, float actual, const Exact& exact, double at, std::size_t pair) {
  if (std::fabs((Exact(static_cast<double>(actual)) - exact).value()) <= 0x1p-70) {
    swept.take(0, at, pair);
  } else {
    swept.see(actual, exact, at, pair);
  }
}

void expect_exact_angles(const std::vector<Subject>& subjects) {
  Random random;
  for (const Subject& subject : subjects) {
    Sweep swept("rope angles", subject.name);
    const Rope rope(subject.config);
    const std::size_t pairs = rope.inv_freq().size(), axes = rope.axis_count();
    std::vector<Exact> frequencies(pairs);
    for (std::size_t i = 0; i < pairs; ++i) frequencies[i] = subject.frequency(i);
    std::vector<float> cos(pairs), sin(pairs);
    for (std::size_t index = 0; index < std::max<std::size_t>(60 * pairs, 2000); ++index) {
      const std::size_t near = index % pairs;
      const double at = swept_position(random, index / pairs, rope.inv_freq()[near]);
      const std::vector<double> positions(axes, at);
      ASSERT_TRUE(succeeded(rope.angles(Positions::of(positions), cos, sin)));
      for (const std::size_t i : {near, (near + 7) % pairs}) {
        const SinCosOf exact = subject.quarter_turns ? sin_cos_quarter_turns(frequencies[i] * at)
                                                     : sin_cos(frequencies[i] * at);
        see(swept, sin[i], subject.factor * exact.sin, at, i);
        see(swept, cos[i], subject.factor * exact.cos, at, i);
      }
    }
  }
}

TEST(AccuracyRotary, AnglesOfEveryScaling) { expect_exact_angles(scaled_subjects()); }

TEST(AccuracyRotary, AnglesOfEveryAxis) { expect_exact_angles(other_subjects()); }

TEST(AccuracyRotary, Float32AnglesOfTheirProduct) {
  Random random;
  Sweep swept("rope angles", "float32: sine and cosine of the float32 product");
  const Rope rope({.head_dim = 128, .angles = Angles::float32});
  std::vector<float> cos(64), sin(64);
  for (std::size_t index = 0; index < 4000; ++index) {
    const std::size_t near = index % 64;
    const double frequency = rope.inv_freq()[near];
    const double at = swept_position(random, index / 64, frequency);
    ASSERT_TRUE(succeeded(rope.angles(Positions::of(std::span(&at, 1)), cos, sin)));
    const float angle = static_cast<float>(at) * static_cast<float>(frequency);
    const SinCosOf exact = sin_cos(static_cast<double>(angle));
    swept.see(sin[near], exact.sin, at, near);
    swept.see(cos[near], exact.cos, at, near);
  }
}

TEST(AccuracyRotary, SumsOfAxesThatNearlyCancel) {
  Random random;
  Sweep swept("rope angles", "sums of two axes that nearly cancel, whole positions to 2^20");
  for (int trial = 0; trial < 2000; ++trial) {
    const double x = std::floor(random.uniform(1, 0x1p20));
    const double y = std::floor(random.uniform(1, 0x1p20));
    const double first = random.uniform(0, 1);
    const double quarters = std::round(random.uniform(-8, 8));
    // x * first + y * second is all but a whole number of quarter turns
    const double second = (quarters * exact_pi().value() / 2 - x * first) / y;
    const Rope rope(
        {.head_dim = 2, .scaling = CustomFrequencies{.inv_freq = {first, second}, .axes = 2}});
    const double positions[] = {x, y};
    float cos = 0, sin = 0;
    ASSERT_TRUE(succeeded(rope.angles(Positions::of(positions), {&cos, 1}, {&sin, 1})));
    const SinCosOf exact = sin_cos(Exact(first) * x + Exact(second) * y);
    swept.see(sin, exact.sin, x);
    swept.see(cos, exact.cos, x);
  }
}

// A pair (1, 0) turns into cosine and sine times the factor, without another rounding.
TEST(AccuracyRotary, XposFactors) {
  Random random;
  Sweep swept("xpos", "cos and sin times the factor, queries and keys, 3 scale bases");
  constexpr std::size_t kDim = 64, kPairs = kDim / 2;
  std::vector<Exact> frequencies(kPairs);
  for (std::size_t i = 0; i < kPairs; ++i) frequencies[i] = exact_frequency(10000, kDim, i);
  for (const double scale_base : {64.0, 512.0, 1e6}) {
    const Rope rope({.head_dim = kDim, .xpos = Xpos{.scale_base = scale_base, .origin = 17.0}});
    const double limit = std::min(60 * scale_base, 0x1p24);
    for (std::size_t index = 0; index < 60 * kPairs; ++index) {
      const std::size_t near = index % kPairs;
      const double at = swept_position(random, index / kPairs, frequencies[near], limit);
      const bool query = index / kPairs % 2 == 0;
      std::vector<float> x(kDim);
      std::fill_n(x.begin(), kPairs, 1.0f);
      ASSERT_TRUE(succeeded(rope.apply(x, {.positions = Positions::of(std::span(&at, 1)),
                                           .side = query ? RotarySide::query : RotarySide::key})));
      // (2i + 0.4 d) / (1.4 d)
      const Exact zeta = (number(20 * near) + number(4 * kDim)) / number(14 * kDim);
      const Exact power = (Exact(at) - 17.0) / (query ? scale_base : -scale_base);
      const Exact factor = pow(zeta, power);
      const SinCosOf exact = sin_cos(frequencies[near] * at);
      swept.see(x[near], exact.cos * factor, at, near);
      swept.see(x[kPairs + near], exact.sin * factor, at, near);
    }
  }
}

}  // namespace
}  // namespace posenc
