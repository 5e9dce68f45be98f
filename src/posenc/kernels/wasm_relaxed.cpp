// The kernels of the module of "posenc/fast", which is linked with this file in place of
// dispatch.cpp: it has no others. Its relaxed instructions would make any other module invalid in
// engines that lack them.

#include "posenc/core/version.hpp"
#include "posenc/kernels/table.hpp"

namespace posenc {
namespace kernels {
namespace {

/// Those that attention calls: its module is what a page loads.
constexpr Kernels kernels_of_attention() noexcept {
  Kernels kernels = table<xsimd::wasm>("wasm-relaxed");
  kernels.sin_cos = nullptr;
  kernels.sin_cos_axes = nullptr;
  kernels.sin_cos_radians = nullptr;
  kernels.sin_cos_doubles = nullptr;
  kernels.sin_cos_sums = nullptr;
  kernels.line = nullptr;
  kernels.mix_floats = nullptr;
  kernels.mix_doubles = nullptr;
  kernels.narrow_doubles = nullptr;
  kernels.copy_rows = nullptr;
  kernels.softmax_backward = nullptr;
  kernels.product_backward = nullptr;
  return kernels;
}

}  // namespace

const Kernels& active() noexcept {
  static constexpr Kernels kernels = kernels_of_attention();
  return kernels;
}

}  // namespace kernels

std::string_view version() noexcept { return POSENC_VERSION; }

std::string_view kernel_name() noexcept { return kernels::active().name; }

}  // namespace posenc
