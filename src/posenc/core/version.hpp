#pragma once

#include <string_view>

#include "posenc/core/status.hpp"

namespace posenc {

/// The version of the library, "major.minor.patch": what package.json says.
std::string_view version() noexcept;

/// The kernels in use: "scalar", "sse4.2", "avx2", "avx512", "neon" or "wasm" ("wasm-relaxed" in
/// the module of "posenc/fast"). The best that the processor has; the environment variable
/// POSENC_KERNEL, read on first use, names another one (natively). A name that this build or
/// processor does not have changes nothing: the best are used, and `check_kernel` says so.
std::string_view kernel_name() noexcept;

/// VALUE_RANGE of "POSENC_KERNEL" when the environment asks for kernels that are not there, with
/// the names of those that are.
Status check_kernel() noexcept;

}  // namespace posenc
