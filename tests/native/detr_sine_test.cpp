#include "posenc/additive/detr_sine.hpp"

#include <cmath>
#include <vector>

#include "exact.hpp"
#include "helpers.hpp"
#include "storage_types.hpp"

namespace posenc {
namespace {

using namespace tests;

using Mask = std::vector<std::uint8_t>;

std::vector<float> table_of(const DetrSineConfig& config, const Mask& mask,
                            const DetrShape& shape) {
  std::vector<float> out(mask.size() * 2 * config.num_pos_feats);
  EXPECT_TRUE(succeeded(DetrSine(config).table(mask, shape, out)));
  return out;
}

/// The value of one channel by the rule, for a pixel whose coordinate and line's last are given.
double exact_value(const DetrSineConfig& config, double coordinate, double last,
                   std::size_t channel) {
  const double offset = config.centered ? -0.5 : 0.0;
  const Exact frequency =
      exact_frequency(config.temperature, static_cast<double>(config.num_pos_feats), channel / 2);
  Exact angle = frequency * (coordinate + offset);
  if (config.normalize) {
    angle = angle * config.scale / (Exact(last) + config.eps);
  }
  const SinCosOf value = sin_cos(angle);
  return (channel % 2 == 0 ? value.sin : value.cos).value();
}

TEST(DetrSine, CountsRealPixelsFromOneInEveryColumnAndRow) {
  // The right column and the bottom row are padding.
  const Mask mask{1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 0, 0};
  const double y[] = {1, 1, 1, 0, 2, 2, 2, 0, 2, 2, 2, 0}, last_y[] = {2, 2, 2, 0};
  const double x[] = {1, 2, 3, 3, 1, 2, 3, 3, 0, 0, 0, 0}, last_x[] = {3, 3, 0};
  for (const bool normalize : {false, true}) {
    for (const bool centered : {false, true}) {
      const DetrSineConfig config{.num_pos_feats = 6, .normalize = normalize, .centered = centered};
      const std::vector<float> table = table_of(config, mask, {1, 3, 4});
      for (std::size_t channel = 0; channel < 12; ++channel) {
        for (std::size_t pixel = 0; pixel < 12; ++pixel) {
          const bool is_y = channel < 6;
          const double exact = is_y ? exact_value(config, y[pixel], last_y[pixel % 4], channel)
                                    : exact_value(config, x[pixel], last_x[pixel / 4], channel - 6);
          EXPECT_LE(ulp_error(table[channel * 12 + pixel], exact), 1.0)
              << "channel " << channel << ", pixel " << pixel;
        }
      }
    }
  }
}

TEST(DetrSine, TheLastPixelOfALongLineKeepsItsDigitsNearTwoPi) {
  const DetrSineConfig config{.num_pos_feats = 2, .normalize = true};
  const std::size_t width = 4096;
  const std::vector<float> table = table_of(config, Mask(width, 1), {1, 1, width});
  const double exact =
      exact_value(config, static_cast<double>(width), static_cast<double>(width), 0);
  EXPECT_LE(ulp_error(table[2 * width + width - 1], exact), 1.0);
}

TEST(DetrSine, CentersOfPixelsAreDividedByTheWholeLength) {
  // As Deformable DETR has it: the centres of four pixels lie at 1/8, 3/8, 5/8 and 7/8 of a turn.
  const DetrSineConfig config{.num_pos_feats = 2, .normalize = true, .centered = true};
  const std::vector<float> table = table_of(config, Mask(4, 1), {1, 1, 4});
  const double half = std::sqrt(0.5);
  const double sines[] = {half, half, -half, -half}, cosines[] = {half, -half, -half, half};
  for (std::size_t x = 0; x < 4; ++x) {
    EXPECT_NEAR(table[2 * 4 + x], sines[x], 2e-6);
    EXPECT_NEAR(table[3 * 4 + x], cosines[x], 2e-6);
  }
}

TEST(DetrSine, PaddingDoesNotMoveTheRealPixels) {
  const DetrSineConfig config{
      .num_pos_feats = 4, .normalize = true, .order = DetrOrder::channels_last};
  const std::vector<float> small = table_of(config, Mask(6, 1), {1, 2, 3});
  const Mask padded{0, 0, 0, 0, 0, 1, 1, 1, 0, 1, 1, 1};
  const std::vector<float> large = table_of(config, padded, {1, 3, 4});
  for (std::size_t pixel = 0; pixel < 6; ++pixel) {
    const std::size_t place = (pixel / 3 + 1) * 4 + pixel % 3 + 1;
    EXPECT_TRUE(
        same_bits(std::span(large).subspan(place * 8, 8), std::span(small).subspan(pixel * 8, 8)));
  }
}

TEST(DetrSine, ChannelsLastIsTheTransposedTableAndBatchesAreTheirImages) {
  Random random;
  Mask mask(2 * 3 * 5);
  for (std::uint8_t& pixel : mask) pixel = static_cast<std::uint8_t>(random.integer(0, 3));
  DetrSineConfig config{.num_pos_feats = 300, .normalize = true};
  const std::vector<float> first = table_of(config, mask, {2, 3, 5});
  config.order = DetrOrder::channels_last;
  const std::vector<float> last = table_of(config, mask, {2, 3, 5});
  for (std::size_t i = 0; i < first.size(); ++i) {
    const std::size_t pixel = i % 15, channel = i / 15 % 600, image = i / (15 * 600);
    EXPECT_EQ(first[i], last[(image * 15 + pixel) * 600 + channel]);
  }
  const Mask second(mask.begin() + 15, mask.end());
  EXPECT_TRUE(
      same_bits(table_of(config, second, {1, 3, 5}), std::span(last).subspan(last.size() / 2)));
}

TEST(DetrSine, AddIsTheTableThenOneAdditionInEveryType) {
  const Mask mask(12, 1);
  for (const DetrOrder order : {DetrOrder::channels_first, DetrOrder::channels_last}) {
    const DetrSine encoding({.num_pos_feats = 8, .order = order});
    std::vector<float> table(12 * 16);
    ASSERT_TRUE(succeeded(encoding.table(mask, {1, 3, 4}, table)));
    const std::vector<float> before = Random().floats(table.size());
    std::vector<float> expected = before;
    for (std::size_t i = 0; i < table.size(); ++i) expected[i] += table[i];
    Guarded x(before);
    ASSERT_TRUE(succeeded(encoding.add(mask, {1, 3, 4}, x.span())));
    EXPECT_TRUE(same_bits(x.span(), expected));
    for (const StorageType type : kShortTypes) {
      ShortFloats sum(before, type), rows(table.size(), type);
      expected = sum.floats();
      for (std::size_t i = 0; i < table.size(); ++i) expected[i] += table[i];
      ASSERT_TRUE(succeeded(encoding.add(mask, {1, 3, 4}, sum)));
      EXPECT_TRUE(same_bits(sum.floats(), ShortFloats(expected, type).floats()));
      ASSERT_TRUE(succeeded(encoding.table(mask, {1, 3, 4}, rows)));
      const std::vector<float> rounded = rows.floats();
      for (std::size_t i = 0; i < table.size(); ++i) {
        EXPECT_NEAR(rounded[i], table[i], std::fabs(table[i]) * 0x1p-8);
      }
    }
  }
}

TEST(DetrSine, VastBatchesWithASideOfZeroEndAtOnce) {
  constexpr std::size_t kVast = std::numeric_limits<std::size_t>::max() / 2;
  for (const DetrOrder order : {DetrOrder::channels_first, DetrOrder::channels_last}) {
    const DetrSine encoding({.num_pos_feats = 4, .order = order});
    const DetrShape empty[] = {
        {kVast, 0, 1}, {kVast, 1, 0}, {0, kVast, kVast}, {kVast, 0, kVast}, {kVast, kVast, 0}};
    for (const DetrShape& shape : empty) {
      EXPECT_TRUE(succeeded(encoding.table(Mask(), shape, Floats())));
      EXPECT_TRUE(succeeded(encoding.add(Mask(), shape, Floats())));
    }
  }
}

TEST(DetrSine, ConfigsOutsideTheirRangeAreRejected) {
  const std::string feats = "detr_sine: num_pos_feats must be even, 2 to 8388608, got ";
  expect_failure(check(DetrSineConfig{.num_pos_feats = 0}), Code::value_range, "num_pos_feats",
                 feats + "0");
  expect_failure(check(DetrSineConfig{.num_pos_feats = 5}), Code::value_range, "num_pos_feats",
                 feats + "5");
  expect_failure(check(DetrSineConfig{.temperature = 0.5}), Code::value_range, "temperature",
                 "detr_sine: temperature must be 1 to 1e+30, got 0.5");
  expect_failure(check(DetrSineConfig{.scale = 0}), Code::value_range, "scale",
                 "detr_sine: scale must be 1e-06 to 1e+06, got 0");
  expect_failure(check(DetrSineConfig{.eps = 0}), Code::value_range, "eps",
                 "detr_sine: eps must be 1e-12 to 0.1, got 0");
  EXPECT_FALSE(make(DetrSineConfig{.num_pos_feats = 3}).ok());
}

TEST(DetrSine, WrongCallsWriteNothing) {
  const DetrSine encoding({.num_pos_feats = 2});
  Guarded out(24);
  expect_failure(
      encoding.table(Mask(5), {1, 2, 3}, out.span()), Code::shape, "mask",
      "detr_sine: mask must have batch * height * width = 1 * 2 * 3 = 6 elements, got 5");
  expect_failure(encoding.add(Mask(4), {1, 2, 2}, out.span()), Code::shape, "x",
                 "detr_sine: x must have batch * 2 num_pos_feats * height * width = 1 * 4 * 2 * 2 "
                 "= 16 elements, got 24");
  // a mask in the memory of the output, at either end
  const std::span<const std::uint8_t> bytes(
      reinterpret_cast<const std::uint8_t*>(out.span().data()), out.span().size_bytes());
  expect_failure(encoding.table(bytes.last(6), {1, 2, 3}, out.span()), Code::overlap, "out",
                 "detr_sine: out must not overlap mask");
  expect_failure(encoding.add(bytes.first(6), {1, 2, 3}, out.span()), Code::overlap, "x",
                 "detr_sine: x must not overlap mask");
  EXPECT_TRUE(out.untouched());
  std::vector<float> both(26);
  const std::span<const std::uint8_t> after(reinterpret_cast<const std::uint8_t*>(&both[24]), 6);
  EXPECT_TRUE(succeeded(encoding.table(after, {1, 2, 3}, std::span(both).first(24))));
  EXPECT_TRUE(succeeded(encoding.table(Mask(), {1, 0, 7}, Floats())));
}

}  // namespace
}  // namespace posenc
