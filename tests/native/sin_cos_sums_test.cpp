// Tables of consecutive positions are summed from two angles, and have the bits of single rows.

#include <cmath>
#include <cstring>
#include <vector>

#include "kernel_helpers.hpp"
#include "posenc/kernels/kernels.hpp"
#include "posenc/posenc.hpp"

namespace posenc {
namespace {

using namespace tests;
using kernels::Kernels;
using kernels::kSinCosLeastPairs;
using kernels::kSinCosPairs;
using kernels::Rounding;

constexpr std::size_t kRows = 32;

/// Where the rows of a call go, from an address on that may be inside a line of the cache.
struct Places {
  std::size_t offset, distance, stride;
};

/// Interleaved and in halves, with gaps between the rows and without.
std::vector<Places> places_of(std::size_t pairs, std::size_t offset) {
  return {{offset, 1, 2 * pairs + 3},
          {offset, 1, 2 * pairs},
          {offset, pairs, 2 * pairs + 3},
          {offset, kRows * pairs, pairs}};
}

/// Angles as a call reads them.
struct Angles {
  kernels::Turns turns;
  std::vector<double> base, turn, steps;

  Angles(const Kernels& kernels, const Frequencies& frequencies, double first, double sin_scale,
         double cos_scale)
      : turns{frequencies.turns_high(), frequencies.turns_split(), frequencies.turns_low()},
        base(2 * frequencies.size()),
        turn(base.size()),
        steps(kRows / 2 * base.size()) {
    const std::size_t pairs = frequencies.size();
    const auto fill = [&](double position, double sin, double cos, double* row) {
      kernels.sin_cos_doubles(position, turns, pairs, row, row + pairs);
      for (std::size_t i = 0; i < pairs; ++i) {
        row[i] *= sin;
        row[pairs + i] *= cos;
      }
    };
    const double sign = std::copysign(1.0, sin_scale * cos_scale);
    fill(first + 15.5, sin_scale, cos_scale, base.data());
    for (std::size_t i = 0; i < base.size(); ++i) {  // about as far off as its turns may leave it
      base[i] += (i % 3 == 0 ? -0x1p-50 : 0x1p-50) * std::fabs(cos_scale);
    }
    fill(kRows, sign, 1.0, turn.data());
    for (std::size_t row = 0; row < kRows / 2; ++row) {
      fill(static_cast<double>(row) + 0.5, sign, 1.0, steps.data() + row * 2 * pairs);
    }
  }
};

/// The sums of `rows` positions from `first` on beside `sin_cos` of each.
void expect_rows_of(const Kernels& kernels, const Frequencies& frequencies, double first,
                    std::size_t rows, double sin_scale, double cos_scale, std::size_t offset) {
  const std::size_t pairs = frequencies.size();
  const Angles angles(kernels, frequencies, first, sin_scale, cos_scale);
  for (const Places& places : places_of(pairs, offset)) {
    std::vector<float> expected(offset + kRows * (2 * pairs + 3), 7.0f);
    const std::vector<float> before = expected;
    for (std::size_t row = 0; row < rows; ++row) {
      float* target = expected.data() + offset + row * places.stride;
      kernels.sin_cos(first + static_cast<double>(row), angles.turns, pairs, sin_scale, cos_scale,
                      Rounding::nearest, target, target + places.distance);
    }
    for (const bool streamed : {false, true}) {
      std::vector<float> sums = before;
      std::vector<double> base = angles.base;
      float* target = sums.data() + offset;
      kernels.sin_cos_sums({.position = first,
                            .turns = angles.turns,
                            .pairs = pairs,
                            .rows = rows,
                            .sin_scale = sin_scale,
                            .cos_scale = cos_scale,
                            .base = base.data(),
                            .turn = angles.turn.data(),
                            .steps = angles.steps.data(),
                            .sin = target,
                            .cos = target + places.distance,
                            .stride = places.stride,
                            .streamed = streamed});
      kernels.finish_streams();
      ASSERT_TRUE(same_bits(sums, expected))
          << kernels.name << ", " << rows << " from " << first << ", " << pairs;
    }
  }
}

TEST(SinCosSums, HaveTheBitsOfSingleRows) {
  Random random;
  for (const Kernels* kernels : kernels::available()) {
    for (int trial = 0; trial < 300; ++trial) {
      const auto pairs = static_cast<std::size_t>(random.integer(kSinCosLeastPairs, kSinCosPairs));
      const double base = std::ldexp(1.0, static_cast<int>(random.integer(0, 30)));
      const Frequencies frequencies = Frequencies::geometric(pairs, base, 2.0 * 64);
      const double firsts[] = {
          0.0, 1.0, -17.0, 0x1p24, -0x1p30, 0x1p47, std::floor(random.uniform(-1e6, 1e6))};
      const double scale =
          std::ldexp(random.uniform(0.5, 1), static_cast<int>(random.integer(-15, 16)));
      const double sin_scale = trial % 3 == 0 ? 1.0 : trial % 2 == 0 ? scale : -scale;
      const double cos_scale = trial % 3 == 0 ? 1.0 : trial % 4 < 2 ? scale : -scale;
      const auto rows = trial % 2 == 0 ? kRows : static_cast<std::size_t>(random.integer(1, kRows));
      expect_rows_of(*kernels, frequencies, firsts[trial % 7], rows, sin_scale, cos_scale,
                     static_cast<std::size_t>(random.integer(0, 15)));
    }
  }
}

/// Positions from -40 on, and lists of them: without a gap, begun anew after 100, and with a far
/// fraction at the end.
struct ManyPositions {
  Positions range;
  std::vector<std::int64_t> values, packed;
  std::vector<double> fractional;

  explicit ManyPositions(std::size_t rows) : range(Positions::from(-40, rows)) {
    for (std::size_t i = 0; i < rows; ++i) {
      values.push_back(static_cast<std::int64_t>(i) - 40);
      packed.push_back(static_cast<std::int64_t>(i % 100) - 40);
      fractional.push_back(static_cast<double>(i));
    }
    fractional.back() = 0x1p46 - 0x1p-7;  // where 15.5 more has fewer digits
  }
  std::vector<Positions> all() const {
    return {range, Positions::of(values), Positions::of(packed), Positions::of(fractional)};
  }
};

TEST(SinCosSums, SinusoidalTablesAreTheirRows) {
  for (const std::size_t rows :
       {31u, 32u, 33u, 100u, 1100u}) {  // the last is written around the caches
    const ManyPositions positions(rows);
    for (const std::size_t dim : {2u, 7u, 130u, 1024u}) {
      for (const auto layout : {SinusoidalLayout::interleaved, SinusoidalLayout::half}) {
        for (const auto order : {SinusoidalOrder::sine_first, SinusoidalOrder::cosine_first}) {
          const Sinusoidal encoding(
              {.dim = dim, .layout = layout, .order = order, .scale = 0.75, .padding_position = 1});
          for (const Positions& at : positions.all()) {
            std::vector<float> single(rows * dim, 1.0f);
            for (std::size_t row = 0; row < rows; ++row) {
              const std::span<float> out = std::span(single).subspan(row * dim, dim);
              ASSERT_TRUE(succeeded(encoding.table(at.slice(row, 1), out)));
            }
            for (const std::size_t offset : {0u, 4u, 7u, 15u}) {  // in a line of the cache
              std::vector<float> memory(offset + rows * dim);
              const std::span<float> table = std::span(memory).subspan(offset);
              ASSERT_TRUE(succeeded(encoding.table(at, table)));
              ASSERT_TRUE(same_bits({table.begin(), table.end()}, single)) << rows << " x " << dim;
            }
          }
        }
      }
    }
  }
}

TEST(SinCosSums, RopeTablesAreTheirRows) {
  for (const std::size_t rows : {31u, 32u, 33u, 100u, 9000u}) {
    const ManyPositions positions(rows);
    for (const std::size_t dim : {2u, 64u, 200u}) {
      const Rope rope({.head_dim = dim,
                       .scaling = Yarn{.factor = 4, .original_max_position_embeddings = 4096}});
      const std::size_t pairs = dim / 2, size = rows * pairs;
      const std::vector<float> x = Random().floats(2 * rows * dim, -1, 1);
      for (const Positions& at : positions.all()) {
        std::vector<float> cos(size), sin(size), one_cos(size), one_sin(size);
        ASSERT_TRUE(succeeded(rope.angles(at, cos, sin)));
        for (std::size_t row = 0; row < rows; ++row) {
          ASSERT_TRUE(succeeded(rope.angles(at.slice(row, 1),
                                            std::span(one_cos).subspan(row * pairs, pairs),
                                            std::span(one_sin).subspan(row * pairs, pairs))));
        }
        ASSERT_TRUE(same_bits(cos, one_cos) && same_bits(sin, one_sin)) << rows << " x " << dim;

        std::vector<float> a = x, b = x;
        ASSERT_TRUE(succeeded(rope.apply(a, {.heads = 2, .positions = at})));
        ASSERT_TRUE(succeeded(rope.rotate(b, one_cos, one_sin, {.heads = 2})));
        ASSERT_TRUE(same_bits(a, b)) << rows << " x " << dim;
      }
    }
  }
}

}  // namespace
}  // namespace posenc
