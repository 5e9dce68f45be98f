#include "posenc/kernels/architectures.hpp"
#include "posenc/kernels/table.hpp"

namespace posenc::kernels {

const Kernels& avx512() noexcept {
  static constexpr Kernels kernels = table<xsimd::avx512bw>("avx512");
  return kernels;
}

}  // namespace posenc::kernels
