// The kernels of the module of "posenc/fast", and of no other: relaxed instructions make a module
// invalid in engines that lack them.

#include "posenc/kernels/architectures.hpp"
#include "posenc/kernels/table.hpp"

namespace posenc::kernels {
namespace {

/// Those that attention with fast numerics calls: its module is what a page loads.
constexpr Kernels kernels_of_attention() noexcept {
  Kernels kernels = table<xsimd::wasm>("wasm-relaxed");
  kernels.sin_cos = nullptr;
  kernels.sin_cos_axes = nullptr;
  kernels.sin_cos_radians = nullptr;
  kernels.sin_cos_doubles = nullptr;
  kernels.sin_cos_sums = nullptr;
  kernels.finish_streams = nullptr;
  kernels.line = nullptr;
  kernels.mix_floats = nullptr;
  kernels.mix_doubles = nullptr;
  kernels.narrow_doubles = nullptr;
  kernels.copy_rows = nullptr;
  kernels.scores = nullptr;
  kernels.softmax_weights = nullptr;
  kernels.weighted_sums = nullptr;
  kernels.softmax_backward = nullptr;
  kernels.product_backward = nullptr;
  return kernels;
}

}  // namespace

const Kernels& wasm_relaxed() noexcept {
  static constexpr Kernels kernels = kernels_of_attention();
  return kernels;
}

}  // namespace posenc::kernels
