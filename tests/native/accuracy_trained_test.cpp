// What encodings make of trained tables: copies are exact, sums and products within their bounds.

#include <vector>

#include "accuracy.hpp"
#include "posenc/additive/hierarchical.hpp"
#include "posenc/additive/layout_boxes.hpp"
#include "posenc/additive/learned.hpp"
#include "posenc/bias/swin.hpp"
#include "posenc/bias/t5.hpp"
#include "posenc/interpolate/interpolate.hpp"

namespace posenc {
namespace {

using namespace tests;

constexpr const char* kOfItsBound = "of its bound";

Exact number(float value) { return static_cast<double>(value); }

TEST(AccuracyTrained, Learned) {
  Random random;
  Sweep copies("learned", "rows as they are: exact copies");
  Sweep scaled("learned", "rows times 10 scales");
  const std::vector<float> rows = random.floats(50 * 32);
  std::vector<float> out(rows.size());
  for (int trial = 0; trial < 10; ++trial) {
    const double scale = trial == 0 ? 1 : random.uniform(-3, 3);
    const Learned encoding({.rows = rows, .dim = 32, .scale = scale});
    ASSERT_TRUE(succeeded(encoding.table(Positions::from(0, 50), out)));
    for (std::size_t i = 0; i < out.size(); ++i) {
      (trial == 0 ? copies : scaled)
          .see(out[i], number(rows[i]) * scale, static_cast<double>(i / 32), i % 32);
    }
  }
}

/// Half an ulp of float32 at the exact value and 2^-50 of the terms' magnitudes.
double bound_of_sum(const Exact& exact, double terms) {
  return std::ldexp(1.0, std::ilogb(exact.value()) - 24) + std::ldexp(terms, -50);
}

TEST(AccuracyTrained, Hierarchical) {
  Random random;
  Sweep swept("hierarchical", "3 alphas, all n^2 positions of n = 9", kOfItsBound);
  constexpr std::size_t kRows = 9, kDim = 16;
  const std::vector<float> rows = random.floats(kRows * kDim);
  std::vector<float> out(kRows * kRows * kDim);
  for (const double alpha : {0.4, -3.3, 0.999}) {
    const Hierarchical encoding({.rows = rows, .dim = kDim, .alpha = alpha});
    ASSERT_TRUE(succeeded(encoding.table(Positions::from(0, kRows * kRows), out)));
    const Exact weight = Exact(alpha) / (Exact(1.0) - alpha);
    for (std::size_t i = 0; i < out.size(); ++i) {
      const std::size_t position = i / kDim, column = i % kDim;
      const Exact fine = number(rows[position % kRows * kDim + column]);
      const Exact coarse = weight * number(rows[position / kRows * kDim + column]);
      const Exact first = weight * number(rows[column]);
      const Exact exact = fine + coarse - first;
      swept.see_bounded(out[i], exact,
                        bound_of_sum(exact, (abs(coarse) + abs(first) + abs(fine)).value()),
                        static_cast<double>(position), column);
    }
  }
}

TEST(AccuracyTrained, LayoutBoxes) {
  Random random;
  Sweep swept("layout_boxes", "sums of 7 random rows", kOfItsBound);
  constexpr std::size_t kDim = 12, kRows = 30, kTokens = 60;
  std::vector<std::vector<float>> tables(5);
  for (std::vector<float>& table : tables) table = random.floats(kRows * kDim);
  const LayoutBoxes encoding({.dim = kDim,
                              .x_rows = tables[0],
                              .y_rows = tables[1],
                              .height_rows = tables[2],
                              .width_rows = tables[3],
                              .position_rows = tables[4]});
  std::vector<std::int32_t> boxes;
  std::vector<std::int64_t> positions;
  for (std::size_t token = 0; token < kTokens; ++token) {
    const std::int64_t left = random.integer(0, 29), top = random.integer(0, 29);
    boxes.insert(boxes.end(), {static_cast<std::int32_t>(left), static_cast<std::int32_t>(top),
                               static_cast<std::int32_t>(random.integer(left, 29)),
                               static_cast<std::int32_t>(random.integer(top, 29))});
    positions.push_back(random.integer(0, 29));
  }
  std::vector<float> out(kTokens * kDim);
  ASSERT_TRUE(succeeded(
      encoding.table(boxes, Positions::of(std::span<const std::int64_t>(positions)), out)));
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::size_t token = i / kDim, column = i % kDim;
    const std::int32_t* box = &boxes[4 * token];
    const std::pair<std::size_t, std::int64_t> terms[] = {
        {4, positions[token]}, {0, box[0]},          {1, box[1]},         {0, box[2]},
        {1, box[3]},           {2, box[3] - box[1]}, {3, box[2] - box[0]}};
    Exact sum, sizes;
    for (const auto& [table, row] : terms) {
      const Exact value = number(tables[table][static_cast<std::size_t>(row) * kDim + column]);
      sum = sum + value;
      sizes = sizes + abs(value);
    }
    swept.see_bounded(out[i], sum, bound_of_sum(sum, sizes.value()), static_cast<double>(token),
                      column);
  }
}

TEST(AccuracyTrained, BucketsAndWindowsAreCopies) {
  Random random;
  Sweep t5("t5 bias", "distances -300 to 300, both directions: exact copies");
  Sweep swin("swin bias", "window 5 x 3: exact copies");
  const std::vector<float> table = random.floats(32 * 4);
  for (const bool bidirectional : {false, true}) {
    const T5 encoding({.heads = 4, .bidirectional = bidirectional, .table = table});
    std::vector<float> out(4 * 601);
    ASSERT_TRUE(succeeded(encoding.distances(-300, out)));
    for (std::size_t i = 0; i < out.size(); ++i) {
      const std::int64_t distance = static_cast<std::int64_t>(i % 601) - 300;
      const auto bucket = static_cast<std::size_t>(encoding.bucket(distance));
      t5.see(out[i], number(table[bucket * 4 + i / 601]), static_cast<double>(distance), i / 601);
    }
  }
  const std::vector<float> offsets = random.floats(9 * 5 * 2);
  std::vector<float> out(2 * 15 * 15);
  ASSERT_TRUE(succeeded(
      Swin({.window_height = 5, .window_width = 3, .heads = 2, .table = offsets}).bias(out)));
  for (std::size_t at = 0; at < out.size(); ++at) {
    const std::size_t head = at / 225, query = at / 15 % 15, key = at % 15;
    const std::size_t row = (query / 3 + 4 - key / 3) * 5 + query % 3 + 2 - key % 3;
    swin.see(out[at], number(offsets[2 * row + head]), static_cast<double>(query), key);
  }
}

/// The linear rule with half-pixel centres, of one axis.
TEST(AccuracyTrained, Interpolate) {
  Random random;
  Sweep swept("interpolate", "linear, 14 rows to 1 to 60", kOfItsBound);
  const std::vector<float> table = random.floats(14);
  for (std::size_t rows = 1; rows <= 60; ++rows) {
    const Interpolate interpolate(
        {.from_height = 14, .to_height = rows, .dim = 1, .mode = InterpolationMode::linear});
    std::vector<double> workspace(interpolate.workspace_size());
    std::vector<float> out(rows);
    ASSERT_TRUE(succeeded(interpolate.apply(table, workspace, out)));
    for (std::size_t row = 0; row < rows; ++row) {
      const Exact from = Exact(2 * row + 1) * 14.0 / Exact(2 * rows) - 0.5;
      const double floor = std::floor(from.value());
      const auto at = [&](double index) {
        return number(table[static_cast<std::size_t>(std::clamp(index, 0.0, 13.0))]);
      };
      const Exact share = from - floor;
      const Exact exact = at(floor) + share * (at(floor + 1) - at(floor));
      const double most = std::max(abs(at(floor)).value(), abs(at(floor + 1)).value());
      const double bound = std::ldexp(1.0, std::ilogb(exact.value()) - 24) + std::ldexp(most, -46);
      swept.see_bounded(out[row], exact, bound, static_cast<double>(row), rows);
    }
  }
}

}  // namespace
}  // namespace posenc
