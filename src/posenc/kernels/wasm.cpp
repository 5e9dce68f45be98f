#include "posenc/kernels/architectures.hpp"
#include "posenc/kernels/table.hpp"

namespace posenc::kernels {

const Kernels& wasm() noexcept {
  static constexpr Kernels kernels = table<xsimd::wasm>("wasm");
  return kernels;
}

}  // namespace posenc::kernels
