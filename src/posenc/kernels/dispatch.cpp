#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>

#include "posenc/core/version.hpp"
#include "posenc/kernels/architectures.hpp"
#include "posenc/kernels/kernels.hpp"

namespace posenc::kernels {
namespace {

/// The kernels that this processor can run, best first.
struct Available {
  std::array<const Kernels*, 4> list{};
  std::size_t count = 0;

  void append(const Kernels& kernels) noexcept { list[count++] = &kernels; }

  Available() noexcept {
#if defined(POSENC_KERNELS_X86)
    // These also ask whether the operating system saves the wide registers.
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl")) {
      append(avx512());
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) append(avx2());
    if (__builtin_cpu_supports("sse4.2")) append(sse4_2());
#elif defined(POSENC_KERNELS_NEON)
    append(neon());
#elif defined(POSENC_KERNELS_WASM)
    append(wasm());
#endif
    append(scalar());
  }
};

const Available& all() noexcept {
  static const Available available;
  return available;
}

const Kernels* find(std::string_view name) noexcept {
  for (const Kernels* kernels : available()) {
    if (name == kernels->name) return kernels;
  }
  return nullptr;
}

/// What the environment asks for; nullptr for nothing, and in WebAssembly, which has none.
const char* requested() noexcept {
#if defined(__EMSCRIPTEN__)
  return nullptr;
#else
  return std::getenv("POSENC_KERNEL");
#endif
}

const Kernels* choose() noexcept {
  const char* name = requested();
  const Kernels* kernels = name != nullptr ? find(name) : nullptr;
  return kernels != nullptr ? kernels : available().front();
}

std::atomic<const Kernels*> in_use{nullptr};

}  // namespace

std::span<const Kernels* const> available() noexcept { return {all().list.data(), all().count}; }

const Kernels& active() noexcept {
  const Kernels* kernels = in_use.load(std::memory_order_relaxed);
  if (kernels == nullptr) {
    kernels = choose();
    in_use.store(kernels, std::memory_order_relaxed);
  }
  return *kernels;
}

bool use(std::string_view name) noexcept {
  const Kernels* kernels = find(name);
  if (kernels != nullptr) in_use.store(kernels, std::memory_order_relaxed);
  return kernels != nullptr;
}

}  // namespace posenc::kernels

namespace posenc {

std::string_view version() noexcept { return POSENC_VERSION; }

std::string_view kernel_name() noexcept { return kernels::active().name; }

Status check_kernel() noexcept {
  const char* name = kernels::requested();
  if (name == nullptr || kernels::find(name) != nullptr) return {};
  char names[64] = "";
  std::size_t used = 0;
  for (const kernels::Kernels* kernels : kernels::available()) {
    const char* separator = used == 0 ? "" : ", ";
    const int written =
        std::snprintf(names + used, sizeof names - used, "%s%s", separator, kernels->name);
    used += static_cast<std::size_t>(std::max(written, 0));
  }
  return Status::failure(Code::value_range, "POSENC_KERNEL",
                         "POSENC_KERNEL must be one of %s on this machine, got '%.64s'", names,
                         name);
}

}  // namespace posenc
