// In place of kernels/dispatch.cpp: a module of the package has the kernels POSENC_MODULE_KERNELS
// and no others, for what it holds is what a page loads.

#include "posenc/kernels/kernels.hpp"

#include "posenc/core/version.hpp"
#include "posenc/kernels/architectures.hpp"

namespace posenc {

const kernels::Kernels& kernels::active() noexcept { return POSENC_MODULE_KERNELS(); }

std::string_view version() noexcept { return POSENC_VERSION; }

std::string_view kernel_name() noexcept { return kernels::active().name; }

}  // namespace posenc
