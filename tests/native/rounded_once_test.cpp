// What is computed in double reaches 16-bit storage in one rounding, also where the float32 on its
// way would be subnormal or infinite: beside every tie of both types.

#include <bit>
#include <cmath>
#include <functional>
#include <vector>

#include "helpers.hpp"
#include "posenc/additive/learned.hpp"
#include "posenc/additive/sinusoidal.hpp"
#include "posenc/bias/alibi.hpp"
#include "posenc/bias/kerple.hpp"
#include "storage_types.hpp"

namespace posenc {
namespace {

using namespace tests;

struct Tie {
  double value;
  float expected;
};

/// Every middle of two neighbours, which goes to the even one, and the doubles on both sides of it.
std::vector<Tie> ties(StorageType type) {
  const bool half = type == StorageType::float16;
  const std::uint16_t infinity = half ? 0x7c00 : 0x7f80;
  const auto element = [&](std::uint16_t bits) {
    return half ? to_float(Float16{bits}) : to_float(Bfloat16{bits});
  };
  std::vector<Tie> all;
  all.reserve(std::size_t{infinity} * 3);
  for (std::uint16_t bits = 0; bits < infinity; ++bits) {
    const float low = element(bits), high = element(static_cast<std::uint16_t>(bits + 1));
    // beyond the largest element the next one would be a power of two
    const double next = std::isinf(high) ? (half ? 0x1p16 : 0x1p128) : double{high};
    const double middle = (double{low} + next) / 2;
    all.push_back({middle, bits % 2 == 0 ? low : high});
    all.push_back({middle * (1 - 0x1p-50), low});
    all.push_back({middle * (1 + 0x1p-50), high});
  }
  return all;
}

void expect_elements(const char* name, StorageType type, const std::vector<Tie>& all,
                     const std::vector<float>& actual, float sign) {
  ASSERT_EQ(actual.size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    ASSERT_EQ(actual[i], sign * all[i].expected)
        << name << " as " << storage_name(type) << " of " << all[i].value;
  }
}

// Products with a power of two are exact in double.
TEST(RoundedOnce, Biases) {
  constexpr double kFar = 0x1p30;
  const double far[] = {kFar};
  const Positions key = Positions::of(far), query = Positions::from(0, 1);
  for (const StorageType type : kShortTypes) {
    const std::vector<Tie> all = ties(type);
    std::vector<double> values;
    values.reserve(all.size());
    for (const Tie& tie : all) values.push_back(tie.value / kFar);
    ShortFloats keys(all.size(), type), kerple(all.size(), type);
    ASSERT_TRUE(
        succeeded(Alibi({.heads = all.size(), .custom_slopes = values}).key_bias(key, keys)));
    expect_elements("alibi", type, all, keys.floats(), 1);
    ASSERT_TRUE(succeeded(Kerple({.heads = all.size(),
                                  .kind = KerpleKind::power,
                                  .causal = false,
                                  .p = std::vector<double>(all.size(), 1.0),
                                  .a = values})
                              .bias(query, key, kerple)));
    expect_elements("kerple", type, all, kerple.floats(), -1);
  }
}

TEST(RoundedOnce, Tables) {
  const std::vector<float> row(1, 1.0f);
  for (const StorageType type : kShortTypes) {
    std::vector<Tie> small;
    for (const Tie& tie : ties(type)) {
      if (tie.value < 0x1p-124 || std::fabs(std::log2(tie.value)) < 1) small.push_back(tie);
    }
    std::vector<float> learned, cosines;
    for (const Tie& tie : small) {
      ShortFloats out(1, type), pair(2, type);
      ASSERT_TRUE(succeeded(
          Learned({.rows = row, .dim = 1, .scale = tie.value}).table(Positions::from(0, 1), out)));
      learned.push_back(out.floats()[0]);
      ASSERT_TRUE(
          succeeded(Sinusoidal({.dim = 2, .scale = tie.value}).table(Positions::from(0, 1), pair)));
      cosines.push_back(pair.floats()[1]);
    }
    expect_elements("learned", type, small, learned, 1);
    expect_elements("sinusoidal", type, small, cosines, 1);
  }
}

}  // namespace
}  // namespace posenc
