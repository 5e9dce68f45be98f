#pragma once

#include <string_view>

namespace posenc {

/// The version of the library, "major.minor.patch": what package.json says.
std::string_view version() noexcept;

/// The kernels in use: "scalar", "sse4.2", "avx2", "avx512", "neon" or "wasm". The best that the
/// processor has; the environment variable POSENC_KERNEL names another one (natively).
std::string_view kernel_name() noexcept;

}  // namespace posenc
