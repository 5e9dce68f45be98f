// Which kernels are used.

#include <cstdlib>
#include <string>

#include "helpers.hpp"
#include "posenc/core/version.hpp"
#include "posenc/kernels/kernels.hpp"

namespace posenc {
namespace {

using namespace tests;
using kernels::Kernels;

TEST(Kernels, TheScalarOnesAreAlwaysThereAndLast) {
  ASSERT_FALSE(kernels::available().empty());
  EXPECT_STREQ(kernels::available().back()->name, "scalar");
}

TEST(Kernels, UseTakesAvailableNamesOnly) {
  const std::string before = kernels::active().name;
  EXPECT_FALSE(kernels::use("abacus"));
  EXPECT_FALSE(kernels::use(""));
  EXPECT_EQ(kernel_name(), before);
  for (const Kernels* kernels : kernels::available()) {
    EXPECT_TRUE(kernels::use(kernels->name));
    EXPECT_EQ(&kernels::active(), kernels);
    EXPECT_EQ(kernel_name(), kernels->name);
  }
  EXPECT_TRUE(kernels::use(before));
}

#if !defined(__EMSCRIPTEN__)
TEST(Kernels, TheEnvironmentPicksThem) {
  const char* name = std::getenv("POSENC_KERNEL");
  if (name == nullptr) {
    EXPECT_EQ(&kernels::active(), kernels::available().front()) << "the best by default";
  } else {
    EXPECT_EQ(kernel_name(), name);
  }
}

TEST(Kernels, CheckKernelSaysThatTheEnvironmentAsksForOthers) {
  const char* set = std::getenv("POSENC_KERNEL");
  const std::string before = set != nullptr ? set : "", used(kernel_name());
  EXPECT_TRUE(succeeded(check_kernel()));
  std::string names;
  for (const Kernels* kernels : kernels::available()) {
    if (!names.empty()) names += ", ";
    names += kernels->name;
  }
  setenv("POSENC_KERNEL", "abacus", 1);
  expect_failure(check_kernel(), Code::value_range, "POSENC_KERNEL",
                 "POSENC_KERNEL must be one of " + names + " on this machine, got 'abacus'");
  EXPECT_EQ(kernel_name(), used);
  setenv("POSENC_KERNEL", std::string(1000, 'x').c_str(), 1);
  const std::string ending = std::string(", got '").append(64, 'x').append("'");
  EXPECT_TRUE(check_kernel().message().ends_with(ending)) << check_kernel().message();
  if (set != nullptr) {
    setenv("POSENC_KERNEL", before.c_str(), 1);
  } else {
    unsetenv("POSENC_KERNEL");
  }
}
#endif

}  // namespace
}  // namespace posenc
