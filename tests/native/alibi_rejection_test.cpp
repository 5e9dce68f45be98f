// What alibi refuses: the code, the field, the whole message, and that nothing is written.

#include <string>

#include "helpers.hpp"
#include "posenc/bias/alibi.hpp"

namespace posenc {
namespace {

using namespace tests;

TEST(AlibiRejection, ConfigsOutsideTheirRange) {
  expect_failure(check(AlibiConfig{}), Code::value_range, "heads",
                 "alibi: heads must be 1 to 16777216, got 0");
  expect_failure(make(AlibiConfig{.heads = 16777217}).status(), Code::value_range, "heads",
                 "alibi: heads must be 1 to 16777216, got 16777217");
  EXPECT_THROW(Alibi(AlibiConfig{}), Error);
}

TEST(AlibiRejection, NothingToWriteIsNoError) {
  const Alibi alibi({.heads = 3});
  Guarded out(0);
  EXPECT_TRUE(succeeded(alibi.distances(0, out.span())));
  EXPECT_TRUE(succeeded(alibi.bias(Positions(), Positions::from(0, 3), out.span())));
  EXPECT_TRUE(succeeded(alibi.bias(Positions::from(0, 3), Positions(), out.span())));
  EXPECT_TRUE(succeeded(alibi.key_bias(Positions(), out.span())));
}

TEST(AlibiRejection, WrongCallsWriteNothingAndTheNextOneWorks) {
  const Alibi alibi({.heads = 2});
  Guarded out(12);
  const auto distances = [&](std::int64_t first, std::size_t size) {
    return alibi.distances(first, out.span().first(size));
  };
  const auto bias = [&](const Positions& queries, const Positions& keys, std::size_t size) {
    return alibi.bias(queries, keys, out.span().first(size));
  };
  const Positions two = Positions::from(0, 2), three = Positions::from(0, 3);
  expect_failure(distances(0, 5), Code::shape, "out",
                 "alibi: out must have heads * count = 2 * 2 = 4 elements, got 5");
  const std::string magnitude = " must be finite and at most 2251799813685248 in magnitude, got ";
  expect_failure(distances((std::int64_t{1} << 51) - 4, 12), Code::position_range, "first",
                 "alibi: first" + magnitude + "2251799813685249");
  expect_failure(distances(std::numeric_limits<std::int64_t>::min(), 12), Code::position_range,
                 "first", "alibi: first" + magnitude + "-9.223372036854776e+18");

  expect_failure(bias(two, three, 11), Code::shape, "out",
                 "alibi: out must have heads * queries * keys = 2 * 2 * 3 = 12 elements, got 11");
  const std::size_t many = std::size_t{1} << (sizeof(void*) * 4 - 1);
  expect_failure(bias(Positions::from(0, many), Positions::from(0, many), 12), Code::size_limit,
                 "out", too_many("alibi: out"));
  const double nan[] = {0, kNaN};
  const std::string position = " must be finite and at most 1125899906842624 in magnitude, got ";
  expect_failure(bias(Positions::of(nan), three, 12), Code::position_range, "queries",
                 "alibi: queries" + position + "nan");
  expect_failure(bias(three, Positions::from(kMaxPosition, 2), 12), Code::position_range, "keys",
                 "alibi: keys" + position + "1125899906842625");

  expect_failure(alibi.key_bias(three, out.span()), Code::shape, "out",
                 "alibi: out must have heads * keys = 2 * 3 = 6 elements, got 12");
  expect_failure(alibi.key_bias(Positions::of(nan), out.span().first(4)), Code::position_range,
                 "keys", "alibi: keys" + position + "nan");
  EXPECT_TRUE(out.untouched());
  EXPECT_TRUE(succeeded(bias(two, three, 12)));
}

}  // namespace
}  // namespace posenc
