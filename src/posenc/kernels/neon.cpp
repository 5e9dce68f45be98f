#include "posenc/kernels/architectures.hpp"
#include "posenc/kernels/table.hpp"

namespace posenc::kernels {

const Kernels& neon() noexcept {
  static constexpr Kernels kernels = table<xsimd::neon64>("neon");
  return kernels;
}

}  // namespace posenc::kernels
