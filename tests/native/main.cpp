// Runs the tests with the kernels that POSENC_KERNEL names, the best ones when it names none.
//
//     posenc_tests [--seed=N] [GoogleTest's options]
//
// Exit status: 0 all passed, 1 some failed, 77 there are no such kernels here (skipped).

#include <gtest/gtest.h>

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

/// The library reads POSENC_KERNEL natively; in WebAssembly, where it does not, this stands in.
bool has_kernels(std::string_view name) {
  for (const posenc::kernels::Kernels* kernels : posenc::kernels::available()) {
    if (name != kernels->name) continue;
#if defined(__EMSCRIPTEN__)
    return posenc::kernels::use(name);
#else
    return true;
#endif
  }
  return false;
}

}  // namespace

std::uint64_t posenc::tests::seed() noexcept { return seed_of_run; }

int main(int count, char** arguments) {
  testing::InitGoogleTest(&count, arguments);
  if (const char* text = std::getenv("POSENC_SEED"); text != nullptr && !set_seed(text)) return 1;
  for (int i = 1; i < count; ++i) {
    const std::string_view argument = arguments[i], option = "--seed=";
    if (argument.starts_with(option) && !set_seed(argument.substr(option.size()))) return 1;
  }
  const char* name = std::getenv("POSENC_KERNEL");
  if (name != nullptr && !has_kernels(name)) {
    std::printf("posenc tests: skipped, this build and processor have no \"%s\" kernels\n", name);
    return kSkipped;
  }
  std::printf("posenc tests: kernels %s, seed %llu\n", posenc::kernel_name().data(),
              static_cast<unsigned long long>(seed_of_run));
  return RUN_ALL_TESTS();
}
