#include "posenc/core/status.hpp"

#include <string>

#include "helpers.hpp"
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

TEST(Version, IsTheOneOfThePackage) { EXPECT_EQ(version(), POSENC_PACKAGE_VERSION); }

}  // namespace
}  // namespace posenc
