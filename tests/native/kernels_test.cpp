// Every architecture's kernels give the bits of the scalar ones, for every size, start and value.

#include "posenc/kernels/kernels.hpp"

#include <vector>

#include "kernel_helpers.hpp"

namespace posenc {
namespace {

using namespace tests;
using kernels::Kernels;
using kernels::Rounding;

struct TurnValues {
  std::vector<double> high, split, low;

  TurnValues(Random& random, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      high.push_back(std::ldexp(random.uniform(-1, 1), static_cast<int>(random.integer(-40, 1))));
      const double scaled = high[i] * 134217729.0;
      split.push_back(scaled - (scaled - high[i]));
      low.push_back(high[i] * random.uniform(-1, 1) * 0x1p-54);
    }
  }
  kernels::Turns turns() const { return {high.data(), split.data(), low.data()}; }
};

double any_position(Random& random) {
  const double positions[] = {0.0, -0.0, 1, -3, 0x1p24, random.uniform(-0x1p24, 0x1p24), -0x1p49};
  return positions[random.integer(0, 6)];
}

TEST(Kernels, CopiedRowsAreTheRowsAndNothingElse) {
  Random random;
  std::vector<char> source(700);
  for (char& byte : source) byte = static_cast<char>(random.integer(-128, 127));
  for (const Kernels* kernels : kernels::available()) {
    for (int trial = 0; trial < 2000; ++trial) {
      const std::size_t element = trial % 2 == 0 ? 2 : 4;
      const auto some = [&](int most) {
        return element * static_cast<std::size_t>(random.integer(0, most));
      };
      const std::size_t rows = some(8) / element, size = some(120), gap = some(3);
      const std::size_t first = rows * element, at = some(40), stride = size + gap;
      std::vector<char> out(at + (rows + 1) * stride + 64, 'x'), expected = out;
      for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t i = 0; i < size; ++i) {
          expected[at + row * stride + i] = source[first - row * element + i];
        }
      }
      kernels->copy_rows({.source = source.data() + first,
                          .source_step = -static_cast<std::ptrdiff_t>(element),
                          .rows = rows,
                          .size = size,
                          .out = out.data() + at,
                          .out_stride = stride},
                         trial % 3 == 0);
      ASSERT_EQ(out, expected) << kernels->name << " trial " << trial;
    }
  }
}

TEST(Kernels, AddIsTheSameEverywhere) {
  Random random;
  for (std::size_t count = 0; count <= 150; ++count) {
    const std::vector<float> term = special_floats(random, count);
    expect_same_change(
        special_floats(random, count), count % 4,
        [&](const Kernels& kernels, float* x) { kernels.add(term.data(), x, count); });
  }
}

TEST(Kernels, LineIsTheSameEverywhere) {
  Random random;
  for (std::size_t count = 0; count <= 40; ++count) {
    for (Rounding rounding : {Rounding::nearest, Rounding::odd}) {
      const double slope = random.uniform(-1, 1) * 0.5;
      for (double first : {0.0, -7.0, 0.25, -0x1p51, random.uniform(-1e6, 1e6)}) {
        expect_same_bits(count, count % 4, [&](const Kernels& kernels, float* out) {
          kernels.line(slope, first, count, rounding, out);
        });
      }
    }
  }
}

TEST(Kernels, SinesAndCosinesAreTheSameEverywhere) {
  Random random;
  for (std::size_t count = 0; count <= 40; ++count) {
    const TurnValues values(random, count), more(random, count);
    std::vector<double> radians, scales;
    for (std::size_t i = 0; i < count; ++i) {
      radians.push_back(any_position(random) * random.uniform(-1, 1));
      scales.push_back(random.uniform(0.5, 2));
    }
    for (std::size_t trial = 0; trial < 4; ++trial) {
      const double position = any_position(random), other = any_position(random);
      const Rounding rounding = trial % 2 != 0 ? Rounding::odd : Rounding::nearest;
      const double scale = trial < 2 ? 1.0 : random.uniform(-2, 2);
      expect_same_bits(2 * count, trial, [&](const Kernels& kernels, float* out) {
        kernels.sin_cos(position, values.turns(), count, scale, 1.0, rounding, out, out + count);
      });
      expect_same_bits(2 * count, trial, [&](const Kernels& kernels, float* out) {
        kernels.sin_cos(position, values.turns(), count, scale, 1.0, rounding, out + 1, out);
      });
      const kernels::AxisTurns axes[] = {{position, values.turns()}, {other, more.turns()}};
      expect_same_bits(2 * count, trial, [&](const Kernels& kernels, float* out) {
        kernels.sin_cos_axes(axes, 2, count, scale, 1.0, trial % 2 != 0 ? scales.data() : nullptr,
                             rounding, out, out + count);
      });
      expect_same_bits(2 * count, trial, [&](const Kernels& kernels, float* out) {
        kernels.sin_cos_radians(radians.data(), count, scale, 1.0, out, out + count);
      });
    }
  }
}

TEST(Kernels, RotationsAreTheSameEverywhere) {
  Random random;
  for (std::size_t pairs = 0; pairs <= 40; ++pairs) {
    const std::size_t heads = 1 + pairs % 5, rows = 3, stride = 2 * pairs + 5;
    const std::vector<float> x = special_floats(random, heads * rows * stride);
    const std::vector<float> cos = special_floats(random, rows * pairs, true);
    const std::vector<float> sin = special_floats(random, rows * pairs, true);
    for (const bool half : {true, false}) {
      for (const bool in_place : {true, false}) {
        expect_same_change(x, pairs % 4, [&](const Kernels& kernels, float* y) {
          (half ? kernels.rotate_half
                : kernels.rotate_interleaved)({.x = in_place ? y : x.data(),
                                               .y = y,
                                               .cos = cos.data(),
                                               .sin = sin.data(),
                                               .heads = heads,
                                               .rows = rows,
                                               .pairs = pairs,
                                               .pair_distance = half ? pairs + 2 : 1,
                                               .head_stride = rows * stride,
                                               .stride = stride,
                                               .table_stride = pairs});
        });
      }
    }
  }
}

TEST(Kernels, WideningIsExactAndTheSameEverywhere) {
  std::vector<std::uint16_t> all(65536);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint16_t>(i);
  for (const bool half : {true, false}) {
    expect_same_bits(all.size(), 1, [&](const Kernels& kernels, float* out) {
      (half ? kernels.widen_float16 : kernels.widen_bfloat16)(all.data(), out, all.size());
    });
    // and back: every value that is not a NaN is itself again
    for (const Kernels* kernels : kernels::available()) {
      std::vector<float> wide(all.size());
      std::vector<std::uint16_t> back(all.size());
      (half ? kernels->widen_float16 : kernels->widen_bfloat16)(all.data(), wide.data(), 65536);
      (half ? kernels->narrow_float16 : kernels->narrow_bfloat16)(wide.data(), back.data(), 65536);
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (std::isnan(wide[i])) continue;
        ASSERT_EQ(back[i], all[i]) << kernels->name;
      }
    }
  }
}

TEST(Kernels, NarrowingIsTheSameEverywhere) {
  Random random;
  for (std::size_t count = 0; count <= 40; ++count) {
    for (int trial = 0; trial < 20; ++trial) {
      std::vector<float> values = special_floats(random, count);
      for (float& value : values) {  // ties between two 16-bit neighbours, and any bits
        const auto bits = static_cast<std::uint32_t>(random.bits());
        if (random.integer(0, 2) != 0) continue;
        value = std::bit_cast<float>(trial % 2 != 0 ? bits : (bits & 0xffffe000u) | 0x1000u);
      }
      for (const bool half : {true, false}) {
        expect_same_bits(count, 0, [&](const Kernels& kernels, float* out) {
          std::vector<std::uint16_t> narrow(count);
          (half ? kernels.narrow_float16 : kernels.narrow_bfloat16)(values.data(), narrow.data(),
                                                                    count);
          std::ranges::copy(narrow, out);
        });
      }
    }
  }
}

}  // namespace
}  // namespace posenc
