#include "posenc/core/status.hpp"

#include <cstdlib>
#include <string>

#include "helpers.hpp"
#include "posenc/core/check.hpp"
#include "posenc/core/result.hpp"
#include "posenc/core/version.hpp"
#include "posenc/rotary/rope.hpp"

namespace posenc {
namespace {

using tests::expect_failure;

TEST(Status, IsASuccessWithoutTextUntilItFails) {
  const Status status;
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(status.code(), Code::ok);
  EXPECT_EQ(status.field(), "");
  EXPECT_EQ(status.message(), "");
  EXPECT_NO_THROW(status.or_throw());
}

TEST(Status, CarriesCodeFieldAndFormattedMessage) {
  const Status status = Status::failure(Code::shape, "out", "%s: got %d", "table", 7);
  expect_failure(status, Code::shape, "out", "table: got 7");
  EXPECT_FALSE(status.ok());
  EXPECT_STREQ(status.message_c_str(), "table: got 7");
}

TEST(Status, CutsLongMessagesAt191Characters) {
  const std::string text(300, 'x');
  const Status status = Status::failure(Code::shape, "out", "%s", text.c_str());
  EXPECT_EQ(status.message(), std::string(191, 'x'));
}

TEST(Status, KeepsItsTextWhenCopied) {
  Status copy;
  {
    const Status status = Status::failure(Code::overlap, "x", "%s", "of a scope that ends");
    copy = status;
  }
  expect_failure(copy, Code::overlap, "x", "of a scope that ends");
}

TEST(Status, CodesHaveTheWordsThatJavaScriptUses) {
  EXPECT_EQ(code_name(Code::ok), "OK");
  EXPECT_EQ(code_name(Code::value_range), "VALUE_RANGE");
  EXPECT_EQ(code_name(Code::shape), "SHAPE");
  EXPECT_EQ(code_name(Code::position_range), "POSITION_RANGE");
  EXPECT_EQ(code_name(Code::overlap), "OVERLAP");
  EXPECT_EQ(code_name(Code::size_limit), "SIZE_LIMIT");
  EXPECT_EQ(code_name(Code::out_of_memory), "OUT_OF_MEMORY");
  EXPECT_EQ(code_name(Code::malformed), "MALFORMED");
}

TEST(Status, ThrowsAnErrorThatHoldsIt) {
  try {
    Status::failure(Code::value_range, "base", "rope: no").or_throw();
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "rope: no");
    expect_failure(error.status(), Code::value_range, "base", "rope: no");
  }
}

TEST(Result, HoldsAnEncodingOrTheStatusThatSaysWhyNot) {
  const Result<Rope> good = make(RopeConfig{.head_dim = 8});
  ASSERT_TRUE(good.ok());
  EXPECT_TRUE(good.status().ok());
  EXPECT_EQ(good.value().config().head_dim, 8u);

  Result<Rope> bad = make(RopeConfig{.head_dim = 63});
  EXPECT_FALSE(bad.ok());
  expect_failure(bad.status(), Code::value_range, "head_dim",
                 "rope: head_dim must be even, got 63");
  EXPECT_THROW((void)std::move(bad).or_throw(), Error);
}

TEST(Result, ConstructorsThrowTheStatusThatCheckReturns) {
  const RopeConfig config{.head_dim = 63};
  try {
    const Rope rope(config);
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.status().message(), check(config).message());
    EXPECT_EQ(error.status().code(), check(config).code());
  }
}

/// An encoding whose memory cannot be had.
template <class Thrown>
struct Greedy {
  explicit Greedy(const RopeConfig& /*config*/) { throw Thrown(); }
};
struct TooLong : std::length_error {
  TooLong() : std::length_error("vector") {}
};

TEST(Result, SaysWhatNeededTheMemoryThatCouldNotBeHad) {
  const Appetite appetite{"rope", "head_dim", 4096};
  expect_failure(make_result<Greedy<std::bad_alloc>>(RopeConfig{}, appetite).status(),
                 Code::out_of_memory, "head_dim",
                 "rope: head_dim = 4096 needs more memory than could be had");
  expect_failure(make_result<Greedy<TooLong>>(RopeConfig{}, appetite).status(), Code::size_limit,
                 "head_dim", "rope: head_dim = 4096 needs more elements than memory can hold");
}

TEST(NumberText, IsTheShortestThatReadsBackAndNoShorterThanSixDigits) {
  const auto text = [](double value) { return std::string(detail::NumberText(value).c_str()); };
  EXPECT_EQ(text(1), "1");
  EXPECT_EQ(text(-0.0), "-0");
  EXPECT_EQ(text(0.1), "0.1");
  EXPECT_EQ(text(1e30), "1e+30");
  EXPECT_EQ(text(1e-6), "1e-06");
  EXPECT_EQ(text(100000), "100000");
  EXPECT_EQ(text(1000000), "1e+06");
  EXPECT_EQ(text(33554432), "33554432");
  EXPECT_EQ(text(0x1p50), "1125899906842624");
  EXPECT_EQ(text(std::nextafter(1.0, 0.0)), "0.9999999999999999");
  EXPECT_EQ(text(std::nextafter(1e30, 2e30)), "1.0000000000000002e+30");
  EXPECT_EQ(text(5e-324), "4.94066e-324");
  EXPECT_EQ(text(-1.7976931348623157e308), "-1.7976931348623157e+308");
  EXPECT_EQ(text(HUGE_VAL), "inf");
  EXPECT_EQ(text(-tests::kNaN), "nan");
  tests::Random random;
  for (int trial = 0; trial < 20000; ++trial) {
    const double value = std::bit_cast<double>(random.bits());
    if (std::isnan(value)) continue;
    const std::string shortest = text(value);
    EXPECT_EQ(std::strtod(shortest.c_str(), nullptr), value);
    const std::size_t first = shortest.find_first_of("123456789");
    const std::string digits_on = shortest.substr(first, shortest.find('e') - first);
    const auto digits = std::ranges::count_if(digits_on, [](char c) { return c != '.'; });
    if (digits <= 6) continue;
    char shorter[400];
    std::snprintf(shorter, sizeof shorter, "%.*g", static_cast<int>(digits) - 1, value);
    EXPECT_NE(std::strtod(shorter, nullptr), value) << shortest;
  }
}

TEST(NumberText, ValuesJustOutsideARangeDoNotLookLikeItsEnd) {
  expect_failure(check(RopeConfig{.head_dim = 8, .base = std::nextafter(1.0, 0.0)}),
                 Code::value_range, "base",
                 "rope: base must be 1 to 1e+30, got 0.9999999999999999");
  expect_failure(check(RopeConfig{.head_dim = 8, .base = std::nextafter(1e30, 2e30)}),
                 Code::value_range, "base",
                 "rope: base must be 1 to 1e+30, got 1.0000000000000002e+30");
}

TEST(Version, IsTheOneOfThePackage) { EXPECT_EQ(version(), POSENC_PACKAGE_VERSION); }

}  // namespace
}  // namespace posenc
