// The kernels of attention: the same everywhere, and sums in the order that they promise.

#include <cmath>
#include <vector>

#include "kernel_helpers.hpp"
#include "posenc/kernels/bit_ops.hpp"
#include "posenc/math/float_exp.hpp"
#include "posenc/math/float_tanh.hpp"

namespace posenc {
namespace {

using namespace tests;
using kernels::Kernels;

// Rows and blocks past the tiles of every architecture.
TEST(Kernels, ScoresAreTheSameEverywhere) {
  Random random;
  for (std::size_t width = 0; width <= 40; ++width) {
    const bool finite = width % 2 == 0;
    const std::size_t blocks = width % 4, rows = width % 11, stride = width + width % 3;
    const std::vector<float> q = special_floats(random, rows * stride, finite);
    const std::vector<float> packed =
        special_floats(random, blocks * width * kernels::kBlock, finite);
    const std::size_t out_stride = blocks * kernels::kBlock + width % 2;
    expect_same_bits(rows * out_stride, width % 4, [&](const Kernels& kernels, float* out) {
      kernels.scores({.queries = q.data(),
                      .rows = rows,
                      .query_stride = stride,
                      .packed_keys = packed.data(),
                      .blocks = blocks,
                      .head_dim = width,
                      .scale = 0.3f,
                      .out = out,
                      .out_stride = out_stride});
    });
  }
}

// `start` and the products of a(i) and b(i), in order and in two roundings each, or in one.
float sum_in_order(float start, std::size_t count, bool fused, const auto& a, const auto& b) {
  float sum = start;
  for (std::size_t i = 0; i < count; ++i) {
    const float product = a(i) * b(i);
    sum = fused ? std::fma(a(i), b(i), sum) : sum + product;
  }
  return sum;
}

// Every remainder of the steps that are written out, and rows for every height of a tile.
TEST(Kernels, AScoreIsASumInOrder) {
  Random random;
  const std::size_t rows = 21, lanes = 3 * kernels::kBlock;
  for (std::size_t width = 36; width < 40; ++width) {
    const std::vector<float> q = random.floats(rows * width), keys = random.floats(lanes * width);
    for (const Kernels* kernels : kernels::available()) {
      std::vector<float> out(rows * lanes), fast = out;
      kernels::ScoreRows call{.queries = q.data(),
                              .rows = rows,
                              .query_stride = width,
                              .packed_keys = keys.data(),
                              .blocks = 3,
                              .head_dim = width,
                              .scale = 0.3f,
                              .out = out.data(),
                              .out_stride = lanes};
      kernels->scores(call);
      call.out = fast.data();
      kernels->fast_scores(call);
      for (std::size_t i = 0; i < out.size(); ++i) {
        const std::size_t row = i / lanes, lane = i % lanes;
        const auto query = [&](std::size_t n) { return q[row * width + n]; };
        const auto key = [&](std::size_t n) {
          return keys[(lane / 16 * width + n) * 16 + lane % 16];
        };
        const float plain = 0.3f * sum_in_order(0.0f, width, false, query, key);
        const float fused = 0.3f * sum_in_order(0.0f, width, true, query, key);
        ASSERT_EQ(out[i], plain) << kernels->name;
        ASSERT_TRUE(fast[i] == plain || fast[i] == fused) << kernels->name;
      }
    }
  }
}

TEST(Kernels, WeightedSumsAreTheSameEverywhere) {
  Random random;
  for (std::size_t width = 0; width <= 80; ++width) {
    const bool finite = width % 2 == 0;
    const std::size_t rows = width % 11, terms = width % 7 * 23, stride = width + 1;
    const std::vector<float> weights = random.floats(rows * terms, 0, 1);
    const std::vector<float> values = special_floats(random, terms * stride, finite);
    const std::vector<float> before = random.floats(rows * stride);
    for (const bool by_row : {true, false}) {
      expect_same_change(before, width % 4, [&](const Kernels& kernels, float* out) {
        kernels.weighted_sums({.weights = weights.data(),
                               .rows = rows,
                               .weight_row_stride = by_row ? terms : 1,
                               .weight_term_stride = by_row ? 1 : rows,
                               .values = values.data(),
                               .terms = terms,
                               .value_stride = stride,
                               .width = width,
                               .out = out,
                               .out_stride = stride});
      });
    }
  }
}

TEST(Kernels, AWeightedSumIsASumInOrderOntoWhatIsThere) {
  Random random;
  const std::size_t width = 41, rows = 21;
  for (const std::size_t terms : {std::size_t{299}, std::size_t{300}}) {
    const std::vector<float> weights = random.floats(rows * terms);
    const std::vector<float> values = random.floats(terms * width), before(rows * width, 0.5f);
    for (const bool by_row : {true, false}) {
      const std::size_t row_stride = by_row ? terms : 1, term_stride = by_row ? 1 : rows;
      for (const Kernels* kernels : kernels::available()) {
        std::vector<float> out = before, fast = before;
        kernels::WeightedRows call{.weights = weights.data(),
                                   .rows = rows,
                                   .weight_row_stride = row_stride,
                                   .weight_term_stride = term_stride,
                                   .values = values.data(),
                                   .terms = terms,
                                   .value_stride = width,
                                   .width = width,
                                   .out = out.data(),
                                   .out_stride = width};
        kernels->weighted_sums(call);
        call.out = fast.data();
        kernels->fast_weighted_sums(call);
        for (std::size_t i = 0; i < out.size(); ++i) {
          const std::size_t row = i / width, column = i % width;
          const auto weight = [&](std::size_t term) {
            return weights[row * row_stride + term * term_stride];
          };
          const auto value = [&](std::size_t term) { return values[term * width + column]; };
          const float plain = sum_in_order(0.5f, terms, false, weight, value);
          ASSERT_EQ(out[i], plain) << kernels->name;
          ASSERT_TRUE(fast[i] == plain || fast[i] == sum_in_order(0.5f, terms, true, weight, value))
              << kernels->name;
        }
      }
    }
  }
}

TEST(Kernels, SoftCapAndHideAreTheSameEverywhere) {
  Random random;
  for (std::size_t count = 0; count <= 150; ++count) {
    const std::vector<float> row = special_floats(random, count);
    for (float cap : {1.0f, 50.0f, 1e6f}) {
      expect_same_change(row, count % 4, [&](const Kernels& kernels, float* out) {
        kernels.soft_cap(cap, out, count);
      });
    }
    std::vector<float> mask(count, 0.0f);
    for (float& lane : mask)
      lane = std::vector{0.0f, -2.0f, -kInfinity}[static_cast<std::size_t>(random.integer(0, 2))];
    expect_same_change(row, count % 4, [&](const Kernels& kernels, float* out) {
      kernels.hide(mask.data(), out, count);
    });
  }
}

TEST(Kernels, SoftmaxIsTheSameEverywhere) {
  Random random;
  for (std::size_t blocks = 0; blocks <= 5; ++blocks) {
    for (int trial = 0; trial < 40; ++trial) {
      std::vector<float> row = random.floats(blocks * kernels::kBlock, -120, 10);
      for (float& score : row) {
        if (random.integer(0, 9) < trial % 11) score = -kInfinity;
      }
      if (trial % 4 == 1) row = special_floats(random, row.size());
      if (trial % 4 == 2) row = special_floats(random, row.size(), true);
      expect_same_change(row, static_cast<std::size_t>(trial % 4),
                         [&](const Kernels& kernels, float* out) {
                           const float sum = kernels.softmax_weights(out, blocks);
                           kernels.divide(sum, out, row.size());
                         });
    }
  }
}

TEST(Kernels, GradientsAreTheSameEverywhere) {
  Random random;
  for (std::size_t blocks = 0; blocks <= 5; ++blocks) {
    for (std::size_t trial = 0; trial < 20; ++trial) {
      const std::size_t count = blocks * kernels::kBlock;
      std::vector<float> weights = random.floats(count, 0, 1);
      for (float& weight : weights) weight = random.integer(0, 3) == 0 ? 0.0f : weight;
      const std::vector<float> before = special_floats(random, count, trial % 2 == 0);
      expect_same_change(before, trial % 4, [&](const Kernels& kernels, float* out) {
        kernels.softmax_backward(weights.data(), out, blocks);
      });
      expect_same_change(before, trial % 4, [&](const Kernels& kernels, float* out) {
        kernels.product_backward(weights.data(), trial % 3 == 0 ? 0.0f : 1.5f, 0.3f, out,
                                 count - (count != 0 ? trial % 4 : 0));
      });
    }
  }
}

TEST(Kernels, ExpStaysWithin099Ulp) {
  double largest = 0;
  const auto sweep = [&](float from, float to, std::uint32_t step) {
    const auto last = std::bit_cast<std::uint32_t>(to);
    for (std::uint64_t at = std::bit_cast<std::uint32_t>(from); at <= last; at += step) {
      const float x = std::bit_cast<float>(static_cast<std::uint32_t>(at));
      const float e = math::exp<kernels::BitOps>(kernels::Lane<float>(x)).value;
      largest = std::max(largest, ulp_error(e, std::exp(double{x})));
    }
  };
  sweep(0.0f, 88.7228f, 1009);
  sweep(-0.0f, -103.97f, 1009);
  sweep(-87.0f, -103.97f, 37);  // subnormal results
  std::printf("exp: largest error %.4f ulp\n", largest);
  EXPECT_LE(largest, 0.99);
}

TEST(Kernels, WeightsOfSoftmaxAreThoseOfExpDownToTheLeast) {
  const auto weight = [](float x) {
    return math::weight_exp<kernels::BitOps>(kernels::Lane<float>(x)).value;
  };
  const auto exp = [](float x) {
    return math::exp<kernels::BitOps>(kernels::Lane<float>(x)).value;
  };
  const auto last = std::bit_cast<std::uint32_t>(-69.0f);
  for (std::uint32_t at = std::bit_cast<std::uint32_t>(-0.0f); at <= last; at += 1009) {
    const auto x = std::bit_cast<float>(at);
    ASSERT_EQ(weight(x), exp(x)) << x;
  }
  EXPECT_EQ(weight(-69.0f), exp(-69.0f));
  EXPECT_GT(weight(-69.0f), 0.0f);
  for (float x : {-69.00001f, -88.0f, -104.0f, -1e9f, -kInfinity}) EXPECT_EQ(weight(x), 0.0f) << x;
  EXPECT_TRUE(std::isnan(weight(std::bit_cast<float>(0x7fc00000u))));
}

TEST(Kernels, WeightsOfFastSoftmaxStayWithin103Ulp) {
  constexpr std::size_t blocks = 64, count = blocks * kernels::kBlock;
  const auto last = std::bit_cast<std::uint32_t>(-69.0f);
  for (const Kernels* kernels : kernels::available()) {
    double largest = 0;
    std::uint32_t at = std::bit_cast<std::uint32_t>(-0.0f);
    while (at < last) {
      std::vector<float> scores(count, -69.0f);
      for (std::size_t i = 1; i < count && at < last; ++i, at += 257) {
        scores[i] = std::bit_cast<float>(at);
      }
      scores[0] = 0.0f;  // the largest, which is subtracted
      std::vector<float> weights = scores;
      kernels->fast_softmax_weights(weights.data(), blocks);
      for (std::size_t i = 0; i < count; ++i) {
        largest = std::max(largest, ulp_error(weights[i], std::exp(double{scores[i]})));
      }
    }
    std::printf("fast weights, %s: largest error %.4f ulp\n", kernels->name, largest);
    EXPECT_LE(largest, 1.03);
  }
}

TEST(Kernels, TanhStaysWithin14Ulp) {
  double largest = 0;
  const auto tanh = [](float x) {
    return math::tanh<kernels::BitOps>(kernels::Lane<float>(x)).value;
  };
  const auto last = std::bit_cast<std::uint32_t>(20.0f);
  for (std::uint32_t at = 1; at <= last; at += 1009) {
    const auto x = std::bit_cast<float>(at);
    largest = std::max(largest, ulp_error(tanh(x), std::tanh(double{x})));
    ASSERT_EQ(tanh(-x), -tanh(x)) << x;
  }
  std::printf("tanh: largest error %.4f ulp\n", largest);
  EXPECT_LE(largest, 1.4);
  EXPECT_EQ(tanh(0.0f), 0.0f);
  EXPECT_EQ(tanh(kInfinity), 1.0f);
  EXPECT_EQ(tanh(-kInfinity), -1.0f);
  EXPECT_TRUE(std::isnan(tanh(std::bit_cast<float>(0x7fc00000u))));
}

}  // namespace
}  // namespace posenc
