#include "posenc/relative/cope.hpp"

#include <string>

#include "bias_helpers.hpp"

namespace posenc {
namespace {

using namespace tests;

std::vector<float> positions_of(const Cope& cope, ConstFloats logits, const Positions& queries,
                                const Positions& keys) {
  Guarded out(logits.size(), 1);
  EXPECT_TRUE(succeeded(cope.positions(logits, queries, keys, out.span())));
  return copy_of(out);
}

std::vector<float> scores_of(const Cope& cope, ConstFloats q, ConstFloats logits,
                             const Positions& queries, const Positions& keys) {
  Guarded out(logits.size(), 1);
  EXPECT_TRUE(succeeded(cope.scores(q, logits, queries, keys, out.span())));
  return copy_of(out);
}

TEST(Cope, ValuesOfTheReference) {
  const float q[] = {-1.7757639f, 0.8336827f, -1.6102027f, 0.42901844f, -0.8034473f, -0.83053565f};
  const float table[] = {0.5065888f,    0.4389627f, -0.16793789f, -0.63043493f,
                         -0.028828638f, 0.2791231f, -1.2977153f,  -1.9853362f,
                         0.85708135f,   0.9896577f, -0.4027175f,  -0.6137104f,
                         -1.3038356f,   0.6551831f, 1.8838794f,   1.1335703f};
  const float logits[] = {11.711035f, 13.796416f, 11.616371f, 11.579816f, 10.311884f,
                          10.891799f, 11.753085f, 12.365385f, 11.503697f, 11.38844f,
                          12.231784f, 11.026907f, 11.768036f, 12.797767f, 11.14521f};
  const double positions[] = {2.9999817608201194,
                              1.9999899635546696,
                              0.9999909828313674,
                              0,
                              0,
                              3.999959168915275,
                              2.9999777788018323,
                              1.9999856437626649,
                              0.9999899073940661,
                              0,
                              4.999953909620692,
                              3.9999587826794327,
                              2.999975040715807,
                              1.9999827889651063,
                              0.999985555902586};
  const double bias[] = {0.6492888266163789, 0.2838878240978895,   -0.22736742971652177,
                         -kInfinity,         -kInfinity,           -0.9554037275329972,
                         1.2378150089053424, 0.16616651834936644,  -6.050201288791049e-05,
                         -kInfinity,         0.8331626319432499,   -1.5103925067375656,
                         2.691465959096834,  -0.20864446694328398, 0.6585072730909707};
  const Cope cope({.head_dim = 2, .max_pos = 8, .table = table});
  const Positions queries = Positions::from(2, 3), keys = Positions::from(0, 5);
  expect_ulps(positions_of(cope, logits, queries, keys), positions, 1);
  expect_near(scores_of(cope, q, logits, queries, keys), bias, 0x1p-20);
}

TEST(Cope, FollowsTheDefinition) {
  Random random;
  const std::size_t heads = 2, queries = 4, keys = 9, dim = 5, most = 4;
  const std::vector<float> table = random.floats(most * dim),
                           q = random.floats(heads * queries * dim);
  const std::vector<float> logits = random.floats(heads * queries * keys, -6, 6);
  for (bool causal : {true, false}) {
    const Cope cope({.head_dim = dim, .max_pos = most, .table = table, .causal = causal});
    const Positions rows = Positions::from(5, queries), columns = Positions::from(0, keys);
    const std::vector<float> positions = positions_of(cope, logits, rows, columns);
    const std::vector<float> scores = scores_of(cope, q, logits, rows, columns);
    for (std::size_t line = 0; line < heads * queries; ++line) {
      double sum = 0;
      for (std::size_t key = keys; key-- > 0;) {
        const std::size_t at = line * keys + key;
        if (causal && key > 5 + line % queries) {
          EXPECT_EQ(positions[at], 0);
          EXPECT_EQ(scores[at], -kInfinity);
          continue;
        }
        sum += sigmoid_of(static_cast<double>(logits[at]));
        const double position = std::min(sum, static_cast<double>(most - 1));
        const double low = std::floor(position), share = position - low;
        const auto below = static_cast<std::size_t>(low), above = std::min(below + 1, most - 1);
        const double exact = (1 - share) * dot(q, line * dim, table, below * dim, dim) +
                             share * dot(q, line * dim, table, above * dim, dim);
        EXPECT_LE(ulp_error(positions[at], position), 1);
        EXPECT_NEAR(static_cast<double>(scores[at]), exact, (dim + 4) * 0x1p-24 * 4 * dim);
      }
    }
  }
}

TEST(Cope, OpenGatesCountKeysAndTakeRowsOfTheTable) {
  Random random;
  const std::size_t dim = 3, keys = 5;
  const std::vector<float> table = random.floats(4 * dim), q = random.floats(dim);
  const std::vector<float> logits(keys, kInfinity);
  const Cope cope({.head_dim = dim, .max_pos = 4, .table = table});
  const Positions query = Positions::from(4, 1), all = Positions::from(0, keys);
  EXPECT_EQ(positions_of(cope, logits, query, all), (std::vector<float>{3, 3, 3, 2, 1}));
  const std::vector<float> scores = scores_of(cope, q, logits, query, all);
  EXPECT_EQ(scores[0], scores[2]);
  for (std::size_t key = 2; key < keys; ++key) {
    EXPECT_NEAR(static_cast<double>(scores[key]), dot(q, 0, table, (keys - key) * dim, dim),
                0x1p-20);
  }
}

TEST(Cope, ClosedGatesStayAtPositionZero) {
  const std::vector<float> table{1, 2}, q{3}, logits(4, -kInfinity);
  const Cope cope({.head_dim = 1, .max_pos = 2, .table = table, .causal = false});
  const Positions query = Positions::from(0, 1), all = Positions::from(0, 4);
  EXPECT_EQ(positions_of(cope, logits, query, all), std::vector<float>(4, 0));
  EXPECT_EQ(scores_of(cope, q, logits, query, all), std::vector<float>(4, 3));
}

TEST(Cope, PositionsNeverRiseTowardsLaterKeys) {
  Random random;
  const std::vector<float> table(6), logits = random.floats(3 * 20, -3, 3);
  const Cope cope({.head_dim = 1, .max_pos = 6, .table = table, .causal = false});
  const std::vector<float> positions =
      positions_of(cope, logits, Positions::from(0, 3), Positions::from(0, 20));
  for (std::size_t i = 0; i < positions.size(); ++i) {
    EXPECT_LE(positions[i], 5);
    if (i % 20 != 0) {
      EXPECT_GE(positions[i - 1], positions[i]);
    }
  }
}

TEST(Cope, NaNIsSeenNotUsedAsAPosition) {
  const std::vector<float> table{1, 2, 4}, q{1};
  const std::vector<float> logits{0, static_cast<float>(kNaN), 0};
  const Cope cope({.head_dim = 1, .max_pos = 3, .table = table});
  const Positions query = Positions::from(2, 1), all = Positions::from(0, 3);
  for (const std::vector<float>& values :
       {positions_of(cope, logits, query, all), scores_of(cope, q, logits, query, all)}) {
    EXPECT_TRUE(std::isnan(values[0]) && std::isnan(values[1]));
    EXPECT_FALSE(std::isnan(values[2]));
  }
}

TEST(Cope, DecodingIsTheLastRowOfTheWhole) {
  Random random;
  const std::size_t length = 6, dim = 4;
  const std::vector<float> table = random.floats(5 * dim), q = random.floats(length * dim);
  const std::vector<float> logits = random.floats(length * length);
  const Cope cope({.head_dim = dim, .max_pos = 5, .table = table});
  const Positions all = Positions::from(0, length);
  const std::vector<float> whole = scores_of(cope, q, logits, all, all);
  const std::vector<float> last = scores_of(
      cope, std::span(q).last(dim), std::span(logits).last(length), Positions::from(5, 1), all);
  EXPECT_TRUE(same_bits(last, std::span(whole).last(length)));
}

TEST(Cope, ShortPositionsAreRoundedOnce) {
  Random random;
  const std::vector<float> table(50), logits = random.floats(2 * 30);
  const Cope cope({.head_dim = 1, .max_pos = 50, .table = table});
  const Positions queries = Positions::from(28, 2), keys = Positions::from(0, 30);
  const std::vector<float> floats = positions_of(cope, logits, queries, keys);
  for (StorageType type : kShortTypes) {
    ShortFloats out(floats.size(), type);
    ASSERT_TRUE(succeeded(cope.positions(logits, queries, keys, out)));
    expect_rounded(out, type, floats);
  }
}

TEST(Cope, OnePositionOneKeyAndNone) {
  const std::vector<float> table{2}, q{3}, logits{1};
  const Cope cope({.head_dim = 1, .max_pos = 1, .table = table});
  const Positions one = Positions::from(0, 1);
  EXPECT_EQ(positions_of(cope, logits, one, one), std::vector<float>{0});
  EXPECT_EQ(scores_of(cope, q, logits, one, one), std::vector<float>{6});
  EXPECT_TRUE(succeeded(cope.scores({}, {}, Positions(), one, {})));
  EXPECT_TRUE(succeeded(cope.positions({}, one, Positions(), {})));
}

TEST(CopeRejection, ConfigsOutsideTheirRange) {
  const std::vector<float> three(3);
  const auto rejects = [](const CopeConfig& config, Code code, const char* field,
                          const char* message) {
    expect_failure(make(config).status(), code, field, message);
  };
  rejects({}, Code::value_range, "head_dim", "cope: head_dim must be 1 to 4096, got 0");
  rejects({.head_dim = 1}, Code::value_range, "max_pos", "cope: max_pos must be 1 to 4096, got 0");
  rejects({.head_dim = 2, .max_pos = 2, .table = three}, Code::shape, "table",
          "cope: table must have max_pos * head_dim = 2 * 2 = 4 elements, got 3");
  EXPECT_THROW(Cope(CopeConfig{}), Error);
}

TEST(CopeRejection, WrongCallsWriteNothing) {
  const std::vector<float> table(4);
  const Cope cope({.head_dim = 2, .max_pos = 2, .table = table});
  const Positions two = Positions::from(0, 2), three = Positions::from(0, 3);
  Guarded memory(16);
  const std::span<float> q = memory.span().first(4), logits = memory.span().subspan(4, 6);
  const std::span<float> out = memory.span().last(6);
  const double nan[] = {0, kNaN};
  expect_failure(cope.positions(logits, two, three, out.first(5)), Code::shape, "out",
                 "cope: out must have heads * queries * keys = 1 * 2 * 3 = 6 elements, got 5");
  expect_failure(cope.positions(logits.first(5), two, three, out), Code::shape, "logits",
                 "cope: logits must have heads * queries * keys = 1 * 2 * 3 = 6 elements, got 5");
  expect_failure(cope.positions(logits, Positions::of(nan), three, out), Code::position_range,
                 "queries",
                 "cope: queries must be finite and at most 1125899906842624 in magnitude, got nan");
  expect_failure(cope.positions(logits, two, three, logits), Code::overlap, "out",
                 "cope: out must not overlap logits");
  expect_failure(cope.scores(q.first(3), logits, two, three, out), Code::shape, "q",
                 "cope: q must have heads * queries * head_dim = 1 * 2 * 2 = 4 elements, got 3");
  expect_failure(cope.scores(out.first(4), logits, two, three, out), Code::overlap, "out",
                 "cope: out must not overlap q");
  expect_failure(cope.scores(q, logits, two, three, logits), Code::overlap, "out",
                 "cope: out must not overlap logits");
  EXPECT_TRUE(memory.untouched());
}

TEST(Cope, VastSequencesWithoutKeysEndAtOnce) {
  const std::vector<float> table(4);
  const Cope cope({.head_dim = 2, .max_pos = 2, .table = table});
  EXPECT_TRUE(succeeded(cope.positions({}, vast_positions(), Positions(), {})));
  EXPECT_TRUE(succeeded(cope.positions({}, Positions(), vast_positions(), {})));
  EXPECT_TRUE(succeeded(cope.scores({}, {}, Positions(), vast_positions(), {})));
}

TEST(Cope, QueriesWithoutKeysHaveNoScores) {
  const std::vector<float> table(4), q(12);
  const Cope cope({.head_dim = 2, .max_pos = 2, .table = table});
  EXPECT_TRUE(succeeded(cope.scores(q, {}, Positions::from(0, 3), Positions(), {})));
}

TEST(CopeRejection, ShapesBeyondAllMemory) {
  const std::vector<float> table(4), q(4);
  const Cope cope({.head_dim = 2, .max_pos = 2, .table = table});
  const std::string message = too_many("cope: logits");
  // products that are 0 in the arithmetic of sizes, and one that is not
  const Positions half = Positions::from(0, std::size_t{1} << (4 * sizeof(std::size_t)));
  const Positions most = Positions::from(0, SIZE_MAX / 2 + 1);
  for (const Positions& all : {half, most}) {
    expect_failure(cope.positions({}, all, all, {}), Code::size_limit, "logits", message);
    expect_failure(cope.scores({}, {}, all, all, {}), Code::size_limit, "logits", message);
  }
  expect_failure(cope.scores(q, {}, Positions::from(0, 2), most, {}), Code::size_limit, "logits",
                 message);
}

TEST(CopeRejection, TheLogitsSayHowManyHeadsThereAre) {
  const std::vector<float> table(4), q(8), logits(2);
  const Cope cope({.head_dim = 2, .max_pos = 2, .table = table});
  const Positions one = Positions::from(1, 1), two = Positions::from(0, 2);
  Guarded out(2);
  expect_failure(cope.positions(std::span(logits).first(1), one, two, {}), Code::shape, "logits",
                 "cope: logits must have heads * queries * keys = 1 * 1 * 2 = 2 elements, got 1");
  expect_failure(cope.scores(std::span(q).first(4), logits, one, two, out.span()), Code::shape, "q",
                 "cope: q must have heads * queries * head_dim = 1 * 1 * 2 = 2 elements, got 4");
  EXPECT_TRUE(out.untouched());
}

}  // namespace
}  // namespace posenc
