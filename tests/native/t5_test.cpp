#include "posenc/bias/t5.hpp"

#include <string>
#include <vector>

#include "helpers.hpp"

namespace posenc {
namespace {

using namespace tests;

/// A whole number of any size, for the bucket rule without rounding.
class Big {
 public:
  explicit Big(std::uint64_t value = 1) : words_{low(value), low(value >> 32)} {}

  Big& multiply(std::uint64_t factor, std::uint64_t times) {
    for (std::uint64_t i = 0; i < times; ++i) {
      std::uint64_t carry = 0;
      for (std::uint32_t& word : words_) {
        carry += word * factor;
        word = low(carry);
        carry >>= 32;
      }
      if (carry != 0) words_.push_back(low(carry));
    }
    return *this;
  }
  friend bool operator>=(const Big& a, const Big& b) {
    const std::size_t size = std::max(a.words_.size(), b.words_.size());
    for (std::size_t i = size; i-- > 0;) {
      if (a.word(i) != b.word(i)) return a.word(i) > b.word(i);
    }
    return true;
  }

 private:
  static std::uint32_t low(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
  std::uint32_t word(std::size_t i) const { return i < words_.size() ? words_[i] : 0; }

  std::vector<std::uint32_t> words_;
};

/// One direction of the published rule: `buckets` of them, the first `exact` one distance wide.
struct Rule {
  std::uint64_t buckets, exact, max_distance;

  explicit Rule(const T5Config& config)
      : buckets(*config.bidirectional ? config.num_buckets / 2 : config.num_buckets),
        exact(buckets / 2),
        max_distance(static_cast<std::uint64_t>(config.max_distance)) {}

  /// exact + floor(ln(n / exact) / ln(max_distance / exact) * (buckets - exact)) >= bucket, which
  /// is n^s * exact^k >= max_distance^k * exact^s with k = bucket - exact, s = buckets - exact.
  bool reaches(std::uint64_t n, std::uint64_t bucket) const {
    if (bucket <= exact) return n >= bucket;
    const std::uint64_t k = bucket - exact, s = buckets - exact;
    return Big().multiply(n, s).multiply(exact, k) >=
           Big().multiply(max_distance, k).multiply(exact, s);
  }
  std::int32_t bucket_of(std::uint64_t n) const {
    std::uint64_t bucket = 0;
    while (bucket + 1 < buckets && reaches(n, bucket + 1)) ++bucket;
    return static_cast<std::int32_t>(bucket);
  }
};

void expect_thresholds_follow_the_rule(const T5Config& config) {
  const T5 t5(config);
  const Rule rule(config);
  const std::span<const std::int64_t> thresholds = t5.thresholds();
  ASSERT_EQ(thresholds.size(), rule.buckets);
  EXPECT_EQ(thresholds[0], 0);
  for (std::size_t bucket = 1; bucket < thresholds.size(); ++bucket) {
    const auto n = static_cast<std::uint64_t>(thresholds[bucket]);
    EXPECT_TRUE(rule.reaches(n, bucket) && !rule.reaches(n - 1, bucket))
        << "num_buckets " << config.num_buckets << ", max_distance " << config.max_distance
        << ", bucket " << bucket << " from " << n;
  }
}

T5Config config_of(bool bidirectional, std::size_t num_buckets, std::int64_t max_distance) {
  return {.heads = 1,
          .bidirectional = bidirectional,
          .num_buckets = num_buckets,
          .max_distance = max_distance};
}

// Kind t5-buckets-unidirectional: keys after the query share bucket 0.
TEST(T5, CausalBucketsOfThePublishedSettings) {
  const T5 t5(config_of(false, 32, 128));
  const std::int64_t distances[] = {5,   1,   0,   -1,  -15,  -16,  -17,  -18,  -19,  -20,  -31,
                                    -32, -63, -64, -65, -100, -113, -114, -127, -128, -129, -5000};
  const std::int32_t buckets[] = {0,  0,  0,  1,  15, 16, 16, 16, 17, 17, 21,
                                  21, 26, 26, 26, 30, 31, 31, 31, 31, 31, 31};
  for (std::size_t i = 0; i < std::size(distances); ++i) {
    EXPECT_EQ(t5.bucket(distances[i]), buckets[i]) << distances[i];
  }
}

// Kind t5-small-config: the settings change the table.
TEST(T5, BucketsOfSmallSettings) {
  const T5 both(config_of(true, 8, 16)), causal(config_of(false, 8, 16));
  const std::int32_t bidirectional[] = {3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3,
                                        3, 2, 2, 2, 2, 1, 0, 5, 6, 6, 6, 6, 7, 7,
                                        7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7};
  const std::int32_t unidirectional[] = {7, 7, 7, 7, 7, 7, 7, 7, 7, 6, 6, 6, 6, 5,
                                         5, 4, 4, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0,
                                         0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  for (std::int32_t distance = -20; distance <= 20; ++distance) {
    EXPECT_EQ(both.bucket(distance), bidirectional[distance + 20]) << distance;
    EXPECT_EQ(causal.bucket(distance), unidirectional[distance + 20]) << distance;
  }
}

// 64 = 8 (128 / 8)^(6/8) exactly: re-ordered floating-point formulas put it in the bucket below.
TEST(T5, ExactTiesBelongToTheUpperBucket) {
  const T5 t5(config_of(true, 32, 128));
  EXPECT_EQ(t5.bucket(-63), 13);
  EXPECT_EQ(t5.bucket(-64), 14);
  EXPECT_EQ(t5.bucket(64), 30);
}

TEST(T5, EveryDistanceHasItsBucketByTheRule) {
  Random random;
  for (const auto& [num_buckets, max_distance] :
       {std::pair{4, 2}, {5, 40}, {8, 16}, {20, 128}, {32, 128}, {33, 127}, {64, 800}}) {
    for (bool bidirectional : {false, true}) {
      const T5Config config =
          config_of(bidirectional, static_cast<std::size_t>(num_buckets), max_distance + 9);
      const T5 t5(config);
      const Rule rule(config);
      for (std::int64_t n = 0; n <= 900; n += random.integer(1, 7)) {
        const std::int32_t past = rule.bucket_of(static_cast<std::uint64_t>(n));
        EXPECT_EQ(t5.bucket(-n), past) << num_buckets << ", -" << n;
        const auto offset = static_cast<std::int32_t>(rule.buckets);
        if (n == 0) continue;
        EXPECT_EQ(t5.bucket(n), bidirectional ? offset + past : 0) << num_buckets;
      }
    }
  }
}

TEST(T5, ThresholdsFollowTheRuleForAnySettings) {
  Random random;
  for (int trial = 0; trial < 400; ++trial) {
    const auto num_buckets = static_cast<std::size_t>(random.integer(2, trial % 8 == 0 ? 100 : 40));
    const auto exact = static_cast<std::int64_t>(num_buckets / 2);
    const std::int64_t high = (std::int64_t{2} << random.integer(7, 30)) - 1;
    expect_thresholds_follow_the_rule(
        config_of(false, num_buckets, random.integer(exact + 1, high)));
    if (HasFailure()) return;
  }
}

TEST(T5, ThresholdsFollowTheRuleAtTiesAndBesideThem) {
  const std::int64_t most = (std::int64_t{1} << 31) - 1;
  for (std::size_t num_buckets : {2u, 3u, 4u, 6u, 8u, 12u, 16u, 18u, 24u, 32u, 48u, 64u}) {
    const auto exact = static_cast<std::int64_t>(num_buckets / 2);
    for (std::int64_t root = 2; root <= 46340; root = root * 3 / 2 + 1) {
      std::int64_t power = exact;  // exact * root^j
      while (power * root <= most) {
        power *= root;
        for (std::int64_t distance : {power - 1, power, power + 1}) {
          if (distance <= exact || distance > most) continue;
          expect_thresholds_follow_the_rule(config_of(false, num_buckets, distance));
        }
      }
    }
    expect_thresholds_follow_the_rule(config_of(false, num_buckets, most));
    expect_thresholds_follow_the_rule(config_of(false, num_buckets, exact + 1));
    if (HasFailure()) return;
  }
}

// max_distance chosen so that some threshold lies as near to a whole number as it can.
TEST(T5, ThresholdsFollowTheRuleNearWholeNumbers) {
  Random random;
  for (int trial = 0; trial < 300; ++trial) {
    const auto num_buckets = static_cast<std::size_t>(random.integer(4, 40));
    const auto exact = static_cast<double>(num_buckets / 2);
    const double steps = static_cast<double>(num_buckets) - exact;
    const auto step = static_cast<double>(random.integer(1, static_cast<std::int64_t>(steps)));
    const double whole =
        std::floor(exact * std::pow(0x1p31 / exact, random.uniform(0, 1) * step / steps));
    const double distance = std::round(exact * std::pow(whole / exact, steps / step));
    if (!(distance > exact && distance < 0x1p31)) continue;
    expect_thresholds_follow_the_rule(
        config_of(false, num_buckets, static_cast<std::int64_t>(distance)));
    if (HasFailure()) return;
  }
}

TEST(T5, BucketsNeverDecreaseWithTheDistance) {
  for (std::size_t num_buckets : {2u, 3u, 7u, 32u, 1000u, 65536u}) {
    const T5 t5(config_of(false, num_buckets, 100000));
    EXPECT_TRUE(std::ranges::is_sorted(t5.thresholds()));
    std::int32_t last = 0;
    for (std::int64_t n = 0; n < 200000; n += 1 + n / 64) {
      EXPECT_GE(t5.bucket(-n), last);
      last = t5.bucket(-n);
    }
    EXPECT_EQ(last, static_cast<std::int32_t>(num_buckets) - 1);
  }
}

TEST(T5, BucketsOfAny64BitDistance) {
  const T5 both(config_of(true, 32, 128)), causal(config_of(false, 32, 128));
  EXPECT_EQ(both.bucket(std::numeric_limits<std::int64_t>::min()), 15);
  EXPECT_EQ(both.bucket(std::numeric_limits<std::int64_t>::max()), 31);
  EXPECT_EQ(causal.bucket(std::numeric_limits<std::int64_t>::min()), 31);
  EXPECT_EQ(causal.bucket(std::numeric_limits<std::int64_t>::max()), 0);
}

}  // namespace
}  // namespace posenc
