// Runs the tests with the kernels that --kernel or POSENC_KERNEL names, the best ones when neither
// does.
//
//     posenc_tests [--kernel=NAME] [--seed=N] [GoogleTest's options]
//
// Exit status: 0 all passed, 1 some failed, 77 there are no such kernels here (skipped).

#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "helpers.hpp"
#include "posenc/core/version.hpp"
#include "posenc/kernels/kernels.hpp"

namespace {

constexpr int kSkipped = 77;
std::uint64_t seed_of_run = 1;

bool set_seed(std::string_view text) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, seed_of_run);
  if (error == std::errc() && stop == end && !text.empty()) return true;
  std::fprintf(stderr, "posenc tests: a seed is a whole number, got \"%s\"\n", text.data());
  return false;
}

bool has_kernels(std::string_view name) {
  const auto named = [&](const posenc::kernels::Kernels* kernels) { return name == kernels->name; };
  return std::ranges::any_of(posenc::kernels::available(), named);
}

/// The value of "--option=value", nullptr when the argument is another one.
const char* value_of(std::string_view option, const char* argument) {
  return std::string_view(argument).starts_with(option) ? argument + option.size() : nullptr;
}

}  // namespace

std::uint64_t posenc::tests::seed() noexcept { return seed_of_run; }

int main(int count, char** arguments) {
  testing::InitGoogleTest(&count, arguments);
  const char* seed = std::getenv("POSENC_SEED");
  const char* kernel = nullptr;
  for (int i = 1; i < count; ++i) {
    if (const char* value = value_of("--seed=", arguments[i])) seed = value;
    if (const char* value = value_of("--kernel=", arguments[i])) kernel = value;
  }
  if (seed != nullptr && !set_seed(seed)) return 1;
  // The library itself reads POSENC_KERNEL natively; WebAssembly sees no environment.
  if (kernel != nullptr) setenv("POSENC_KERNEL", kernel, 1);
  const char* name = std::getenv("POSENC_KERNEL");
  if (name != nullptr && !has_kernels(name)) {
    std::printf("posenc tests: skipped, this build and processor have no \"%s\" kernels\n", name);
    return kSkipped;
  }
  if (kernel != nullptr) (void)posenc::kernels::use(kernel);
  std::printf("posenc tests: kernels %s, seed %llu\n", posenc::kernel_name().data(),
              static_cast<unsigned long long>(seed_of_run));
  return RUN_ALL_TESTS();
}
