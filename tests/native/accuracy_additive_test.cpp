// How far the tables that are added to the input are from exact values: at most 1 ulp of float32
// for positions to 2^24, fractional, negative and near zero crossings too.

#include <algorithm>
#include <vector>

#include "accuracy.hpp"
#include "posenc/additive/detr_sine.hpp"
#include "posenc/additive/multiscale.hpp"
#include "posenc/additive/sincos_grid.hpp"
#include "posenc/additive/sinusoidal.hpp"

namespace posenc {
namespace {

using namespace tests;

/// The frequency of a pair by the rule at the declaration.
Exact frequency_of(const SinusoidalConfig& config, std::size_t pair) {
  const double step = -2.0 * static_cast<double>(pair);
  if (config.max_timescale != 0) {
    const std::size_t steps = std::max<std::size_t>(config.dim / 2 - 1, 1);
    return pow(Exact(config.max_timescale) / config.min_timescale, Exact(step / 2) / Exact(steps)) *
           config.min_timescale * config.position_scale;
  }
  const double denominator = config.frequency_denominator != 0 ? config.frequency_denominator
                                                               : static_cast<double>(config.dim);
  return pow(config.base, Exact(step) / denominator) * config.position_scale;
}

/// Rows at `count` positions, each with four pairs looked at, the first one near a zero if any is.
void sweep(Sweep& swept, const SinusoidalConfig& config, std::size_t count, Random& random) {
  const Sinusoidal encoding(config);
  const bool interleaved = config.layout == SinusoidalLayout::interleaved;
  const std::size_t half = config.dim / 2;
  const std::size_t pairs = half + (config.odd_width == OddWidth::sine ? config.dim % 2 : 0);
  if (pairs == 0) return;
  std::vector<Exact> frequencies(pairs);
  for (std::size_t pair = 0; pair < pairs; ++pair) frequencies[pair] = frequency_of(config, pair);
  const double limit = 0x1p24 / std::max(1.0, frequencies[0].value());
  std::vector<float> row(config.dim);
  for (std::size_t index = 0; index < count; ++index) {
    const std::size_t first = index / 8 * 5;
    const double at = swept_position(random, index, frequencies[first % pairs], limit);
    ASSERT_TRUE(succeeded(encoding.table(Positions::of(std::span(&at, 1)), row)));
    for (std::size_t next = 0; next < std::min<std::size_t>(pairs, 4); ++next) {
      const std::size_t pair = (first + next * 7) % pairs;
      SinCosOf exact = sin_cos(frequencies[pair] * at);
      if (config.order == SinusoidalOrder::cosine_first) std::swap(exact.sin, exact.cos);
      const std::size_t column = interleaved ? 2 * pair : pair;
      swept.see(row[column], exact.sin * config.scale, at, column);
      if (pair == half) continue;  // the odd column is one more of the first function
      const std::size_t second = interleaved ? column + 1 : pairs + pair;
      swept.see(row[second], exact.cos * config.scale, at, second);
    }
  }
}

TEST(AccuracyAdditive, Sinusoidal) {
  Random random;
  Sweep paper("sinusoidal", "the paper's; 7 bases 1 to 1e30, 6 widths 1 to 770, all positions");
  for (const double base : {1.0, 100.0, 1234.5678, 10000.0, 500000.0, 1e9, 1e30}) {
    for (const std::size_t dim : {1u, 2u, 7u, 63u, 128u, 770u}) {
      sweep(paper, {.dim = dim, .base = base}, 400, random);
    }
  }
  Sweep halves("sinusoidal", "halves, cosine first, odd widths, 4 denominators");
  for (const double denominator : {0.0, 62.0, 64.0, 65.0}) {
    for (const std::size_t dim : {64u, 65u}) {
      for (const OddWidth odd : {OddWidth::sine, OddWidth::zero}) {
        sweep(halves,
              {.dim = dim,
               .layout = SinusoidalLayout::half,
               .odd_width = odd,
               .frequency_denominator = denominator,
               .order = odd == OddWidth::sine ? SinusoidalOrder::cosine_first
                                              : SinusoidalOrder::sine_first},
              400, random);
      }
    }
  }
  Sweep any("sinusoidal", "any base, width, denominator, scale and scale of positions");
  for (int trial = 0; trial < 100; ++trial) {
    sweep(any,
          {.dim = static_cast<std::size_t>(random.integer(1, 90)),
           .base = std::ldexp(1.0, static_cast<int>(random.integer(0, 99))),
           .layout = trial % 2 == 0 ? SinusoidalLayout::half : SinusoidalLayout::interleaved,
           .frequency_denominator = random.uniform(1, 100),
           .scale = random.uniform(-3, 3),
           .position_scale = random.uniform(0.01, 4)},
          40, random);
  }
  Sweep timescales("sinusoidal", "min_timescale 0.01 to 1, max_timescale 1 to 1e6");
  for (int trial = 0; trial < 60; ++trial) {
    sweep(timescales,
          {.dim = static_cast<std::size_t>(random.integer(1, 70)),
           .layout = SinusoidalLayout::half,
           .min_timescale = random.uniform(0.01, 1),
           .max_timescale = random.uniform(1, 1e6)},
          40, random);
  }
}

TEST(AccuracyAdditive, DiffusionTimesteps) {
  Random random;
  Sweep ddpm("ddpm timestep", "i / (half - 1), dim 128 and 320, timesteps as they are and * 1000");
  for (const std::size_t dim : {128u, 320u}) {
    for (const double scale : {1.0, 1000.0}) {
      sweep(ddpm,
            {.dim = dim,
             .layout = SinusoidalLayout::half,
             .frequency_denominator = static_cast<double>(dim - 2),
             .position_scale = scale},
            1000, random);
    }
  }
  Sweep guided("guided diffusion, ggml", "i / half, cosine first, dim 256");
  sweep(guided,
        {.dim = 256,
         .layout = SinusoidalLayout::half,
         .frequency_denominator = 256,
         .order = SinusoidalOrder::cosine_first},
        1000, random);
}

/// The column of a function of pair `pair` of the axis at `place` (of `axes`, `pairs` each).
std::size_t column_of(const SincosGridConfig& config, std::size_t place, std::size_t pair,
                      std::size_t cosine) {
  const std::size_t columns = config.dim / config.axes, pairs = columns / 2;
  switch (config.layout) {
    case SincosGridLayout::axis_blocks:
      return place * columns + cosine * pairs + pair;
    case SincosGridLayout::function_blocks:
      return (cosine * config.axes + place) * pairs + pair;
    case SincosGridLayout::interleaved:
      break;
  }
  return place * columns + 2 * pair + cosine;
}

TEST(AccuracyAdditive, SincosGrid) {
  Random random;
  Sweep swept("sincos_grid", "3 layouts, 2 and 3 axes, both orders, 3 bases, coordinates");
  for (const SincosGridLayout layout :
       {SincosGridLayout::axis_blocks, SincosGridLayout::function_blocks,
        SincosGridLayout::interleaved}) {
    for (const std::size_t axes : {2u, 3u}) {
      for (const double base : {10000.0, 100.0, 777.7}) {
        const AxisOrder order = base == 100 ? AxisOrder::xy : AxisOrder::yx;
        const SincosGridConfig config{
            .dim = 20 * axes, .axes = axes, .base = base, .layout = layout, .axis_order = order};
        const SincosGrid encoding(config);
        std::vector<Exact> frequencies(10);
        for (std::size_t i = 0; i < 10; ++i) frequencies[i] = exact_frequency(base, 20, i);
        std::vector<double> at(axes);
        std::vector<float> row(config.dim);
        for (std::size_t index = 0; index < 400; ++index) {
          const std::size_t near = index / 8 % 10;
          for (double& one : at) one = swept_position(random, index, frequencies[near]);
          ASSERT_TRUE(succeeded(encoding.table(std::span<const double>(at), row)));
          for (std::size_t axis = 0; axis < axes; ++axis) {
            const SinCosOf exact = sin_cos(frequencies[near] * at[axis]);
            const std::size_t place = order == AxisOrder::yx ? axis : axes - 1 - axis;
            const std::size_t sine = column_of(config, place, near, 0);
            const std::size_t cosine = column_of(config, place, near, 1);
            swept.see(row[sine], exact.sin, at[axis], sine);
            swept.see(row[cosine], exact.cos, at[axis], cosine);
          }
        }
      }
    }
  }
}

TEST(AccuracyAdditive, DetrSine) {
  Sweep swept("detr_sine", "3 widths, 3 temperatures, 3 scales, plain and centred, to 4096 cells");
  constexpr std::size_t kWidth = 4096;
  const std::vector<std::uint8_t> mask(kWidth, 1);
  for (const std::size_t feats : {2u, 10u, 64u}) {
    for (const double temperature : {20.0, 10000.0, 1e30}) {
      for (const double scale : {0.0, 6.283185307179586, 100.0}) {
        for (const bool centered : {false, true}) {
          DetrSineConfig config{.num_pos_feats = feats,
                                .temperature = temperature,
                                .normalize = scale != 0,
                                .centered = centered,
                                .order = DetrOrder::channels_last};
          if (scale != 0) config.scale = scale;
          std::vector<float> out(kWidth * 2 * feats);
          ASSERT_TRUE(succeeded(DetrSine(config).table(mask, {1, 1, kWidth}, out)));
          const double offset = centered ? -0.5 : 0;
          for (std::size_t cell = 0; cell < kWidth; cell += cell > 3900 ? 1 : 17) {
            const std::size_t pair = cell % (feats / 2);
            const double coordinate = static_cast<double>(cell + 1) + offset;
            Exact angle =
                exact_frequency(temperature, static_cast<double>(feats), pair) * coordinate;
            if (scale != 0) {
              angle = angle * scale / (Exact(kWidth) + config.eps);
            }
            const SinCosOf exact = sin_cos(angle);
            const std::size_t column = feats + 2 * pair;
            swept.see(out[cell * 2 * feats + column], exact.sin, coordinate, column);
            swept.see(out[cell * 2 * feats + column + 1], exact.cos, coordinate, column + 1);
          }
        }
      }
    }
  }
}

TEST(AccuracyAdditive, Multiscale) {
  Random random;
  Sweep swept("multiscale", "concatenated: 4 levels of their own widths, bases and scales");
  Sweep summed("multiscale", "summed: the same levels in one width", "of its bound");
  std::vector<MultiscaleLevel> levels{{8, 16}, {20, 100, 0.5}, {32, 1234.5}, {64, 10000, -3}};
  for (const MultiscaleCombine combine : {MultiscaleCombine::concatenate, MultiscaleCombine::sum}) {
    const bool sum = combine == MultiscaleCombine::sum;
    double bound = 0;
    for (MultiscaleLevel& level : levels) {
      if (sum) level.dim = 64;
      bound += std::ldexp(2 * std::fabs(level.scale), -24);
    }
    const Multiscale encoding({.levels = levels, .combine = combine});
    std::vector<float> row(encoding.dim());
    for (std::size_t index = 0; index < 1200; ++index) {
      const std::size_t near = index / 8 % levels.size(), step = index / 32;
      const auto frequency = [&](std::size_t level) {
        const double dim = static_cast<double>(levels[level].dim);
        return exact_frequency(levels[level].base, dim, step % (levels[level].dim / 2));
      };
      std::vector<double> at;
      std::vector<Positions> positions;
      for (std::size_t level = 0; level < levels.size(); ++level) {
        at.push_back(swept_position(random, index, frequency(near)));
      }
      for (const double& one : at) positions.push_back(Positions::of(std::span(&one, 1)));
      ASSERT_TRUE(succeeded(encoding.table(positions, row)));
      Exact sine, cosine;
      std::size_t start = 0;
      for (std::size_t level = 0; level < levels.size(); ++level) {
        const SinCosOf exact = sin_cos(frequency(level) * at[level]);
        sine = sine + exact.sin * levels[level].scale;
        cosine = cosine + exact.cos * levels[level].scale;
        const std::size_t column = start + 2 * (step % (levels[level].dim / 2));
        if (!sum) {
          swept.see(row[column], exact.sin * levels[level].scale, at[level], column);
          swept.see(row[column + 1], exact.cos * levels[level].scale, at[level], column + 1);
          start += levels[level].dim;
        }
      }
      if (!sum) continue;
      const std::size_t column = 2 * (step % 32);
      summed.see_bounded(row[column], sine, bound, at[0], column);
      summed.see_bounded(row[column + 1], cosine, bound, at[0], column + 1);
    }
  }
}

}  // namespace
}  // namespace posenc
