#include "posenc/kernels/architectures.hpp"
#include "posenc/kernels/table.hpp"

namespace posenc::kernels {

const Kernels& avx2() noexcept {
  static constexpr Kernels kernels = table<xsimd::avx2>("avx2");
  return kernels;
}

}  // namespace posenc::kernels
