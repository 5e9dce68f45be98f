// 16-bit data: widened exactly, computed in float32 or better, rounded once.

#include <vector>

#include "attention_reference.hpp"
#include "posenc/additive/sinusoidal.hpp"
#include "posenc/bias/alibi.hpp"
#include "posenc/bias/t5.hpp"
#include "posenc/rotary/rope.hpp"
#include "storage_types.hpp"

namespace posenc {
namespace {

using namespace tests;

float widened(std::uint16_t bits, StorageType type) {
  return type == StorageType::float16 ? to_float(Float16{bits}) : to_float(Bfloat16{bits});
}

float rounded(float value, StorageType type) {
  return type == StorageType::float16 ? to_float(to_float16(value)) : to_float(to_bfloat16(value));
}

TEST(Storage, WideningFollowsTheFormats) {
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    const auto element = static_cast<std::uint16_t>(bits);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(to_float(Bfloat16{element})), bits << 16);
    const auto exponent = static_cast<int>(bits >> 10 & 31),
               fraction = static_cast<int>(bits & 1023);
    const float half = to_float(Float16{element});
    if (exponent == 31) {
      EXPECT_TRUE(fraction == 0 ? std::isinf(half) : std::isnan(half));
    } else {
      const int whole = exponent == 0 ? fraction : 1024 + fraction;
      EXPECT_EQ(std::fabs(half),
                std::ldexp(static_cast<double>(whole), std::max(exponent, 1) - 25));
    }
    EXPECT_EQ(std::signbit(half), bits >> 15 != 0);
  }
}

TEST(Storage, NarrowingIsToNearestEven) {
  for (StorageType type : kShortTypes) {
    const std::uint16_t infinity = type == StorageType::float16 ? 0x7c00 : 0x7f80;
    for (std::uint16_t bits = 0; bits + 1 < infinity; ++bits) {
      const float low = widened(bits, type),
                  high = widened(static_cast<std::uint16_t>(bits + 1), type);
      const auto middle = static_cast<float>((double{low} + double{high}) / 2);
      const float even = bits % 2 == 0 ? low : high;
      ASSERT_EQ(rounded(middle, type), even) << bits;
      ASSERT_EQ(rounded(std::nextafter(middle, 0.0f), type), low) << bits;
      ASSERT_EQ(rounded(std::nextafter(middle, kInfinity), type), high) << bits;
      ASSERT_EQ(rounded(-middle, type), -even) << bits;
    }
  }
}

// Kinds rope-precision-fp16-range and score-overflow: where binary16 ends.
TEST(Storage, ValuesPastTheLargestBecomeInfinite) {
  EXPECT_EQ(to_float(to_float16(65504.0f)), 65504.0f);
  EXPECT_EQ(to_float(to_float16(std::nextafter(65520.0f, 0.0f))), 65504.0f);
  EXPECT_EQ(to_float(to_float16(65520.0f)), kInfinity);
  EXPECT_EQ(to_float(to_float16(-1e30f)), -kInfinity);
  EXPECT_EQ(to_float(to_bfloat16(3.4e38f)), kInfinity);
  EXPECT_EQ(to_float(to_bfloat16(kInfinity)), kInfinity);
  EXPECT_TRUE(std::isnan(to_float(to_float16(std::bit_cast<float>(0x7f800001u)))));
  EXPECT_TRUE(std::isnan(to_float(to_bfloat16(std::bit_cast<float>(0xff800001u)))));
}

// Kind rope-precision-fp16-range: positions are no binary16, whatever the table is.
TEST(Storage, FarRowsOfAShortTableAreFiniteAndDistinct) {
  const Sinusoidal encoding({.dim = 2});
  ShortFloats table(2 * 131072, StorageType::float16);
  ASSERT_TRUE(succeeded(encoding.table(Positions::from(0, 131072), table)));
  const std::vector<float> values = table.floats();
  for (std::size_t row = 1; row < 131072; ++row) {
    ASSERT_LE(std::fabs(values[2 * row]), 1.0f);
    ASSERT_TRUE(values[2 * row] != values[2 * row - 2] ||
                values[2 * row + 1] != values[2 * row - 1])
        << row;
  }
}

// Kind rope-output-type: angles and rotation in float32, and the asked type comes out.
TEST(Storage, RopeRotatesInFloatAndRoundsOnce) {
  Random random;
  for (StorageType type : kShortTypes) {
    for (std::size_t width : {2u, 6u, 34u, 130u, 300u}) {
      for (RopeLayout layout : {RopeLayout::half, RopeLayout::interleaved}) {
        const std::size_t head_dim = width + 6;
        const Rope rope({.head_dim = head_dim, .rotary_dim = width, .layout = layout});
        const RotaryArgs args{.heads = 2, .positions = Positions::from(70000, 9)};
        const ShortFloats x(random.floats(2 * 9 * head_dim), type);
        std::vector<float> exact = x.floats(), wide(exact.size());
        ASSERT_TRUE(succeeded(rope.apply(exact, args)));
        ASSERT_TRUE(succeeded(rope.apply(x, wide, args)));
        EXPECT_TRUE(same_bits(wide, exact)) << "16-bit in, float32 out";

        ShortFloats in_place = x, out(x.floats().size(), type);
        ASSERT_TRUE(succeeded(rope.apply(in_place, args)));
        ASSERT_TRUE(succeeded(rope.apply(x, out, args)));
        EXPECT_TRUE(same_bits(in_place.floats(), ShortFloats(exact, type).floats())) << width;
        EXPECT_TRUE(same_bits(out.floats(), in_place.floats())) << width;
      }
    }
  }
}

TEST(Storage, AlibiIsTheNearestOfTheType) {
  const Alibi alibi({.heads = 12, .form = AlibiForm::symmetric});
  for (StorageType type : kShortTypes) {
    ShortFloats out(12 * 600, type);
    ASSERT_TRUE(succeeded(alibi.distances(-3000, out)));
    std::vector<double> exact;
    for (std::size_t at = 0; at < 12 * 600; ++at) {
      exact.push_back(alibi.slopes()[at / 600] * (static_cast<double>(at % 600) - 3000));
    }
    expect_nearest(out, type, exact);
    ShortFloats bias(12 * 2 * 5, type), keys(12 * 3, type);
    ASSERT_TRUE(succeeded(alibi.bias(Positions::from(2, 2), Positions::from(0, 5), bias)));
    ASSERT_TRUE(succeeded(alibi.key_bias(Positions::from(0, 3), keys)));
    EXPECT_EQ(bias.floats()[4], -1.0f);
    EXPECT_EQ(keys.floats()[2], 1.0f);
  }
}

TEST(Storage, T5KeepsTheTablesBitsInItsOwnType) {
  for (StorageType type : kShortTypes) {
    const std::vector<float> values = Random().floats(32 * 2);
    const ShortFloats table(values, type);
    const T5 t5({.heads = 2, .bidirectional = true, .table = table});
    const T5 wide({.heads = 2, .bidirectional = true, .table = values});
    ShortFloats out(2 * 301, type), from_wide(2 * 301, type);
    std::vector<float> floats(2 * 301), exact(2 * 301);
    ASSERT_TRUE(succeeded(t5.distances(-150, out)));
    ASSERT_TRUE(succeeded(t5.distances(-150, floats)));
    ASSERT_TRUE(succeeded(wide.distances(-150, from_wide)));
    ASSERT_TRUE(succeeded(wide.distances(-150, exact)));
    EXPECT_TRUE(same_bits(floats, out.floats()));
    EXPECT_TRUE(same_bits(from_wide.floats(), ShortFloats(exact, type).floats()));
    EXPECT_TRUE(same_bits(out.floats(), from_wide.floats()));
  }
}

// Kind score-overflow: scores and sums are float32, whatever q, k and v are.
TEST(Storage, AttentionComputesInFloatAndRoundsOnce) {
  Random random;
  for (StorageType type : kShortTypes) {
    AttentionCase call({.heads = 4,
                        .kv_heads = 2,
                        .query_count = 5,
                        .key_count = 37,
                        .head_dim = 20,
                        .value_dim = 9,
                        .causal = true},
                       random, 40);
    const ShortFloats q(call.q, type), k(call.k, type), v(call.v, type);
    call.q = q.floats();
    call.k = k.floats();
    call.v = v.floats();
    const AttentionOutput exact = run(call);
    ShortFloats out(call.out_size(), type), probabilities(call.score_count(), type);
    Guarded workspace(attention_workspace_size(call.args, type));
    ASSERT_TRUE(succeeded(attention(q, k, v, out, call.args, workspace.span(), probabilities)));
    EXPECT_TRUE(same_bits(out.floats(), ShortFloats(exact.out, type).floats()));
    EXPECT_TRUE(same_bits(probabilities.floats(), ShortFloats(exact.probabilities, type).floats()));
  }
}

}  // namespace
}  // namespace posenc
