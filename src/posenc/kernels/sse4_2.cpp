#include "posenc/kernels/architectures.hpp"
#include "posenc/kernels/table.hpp"

namespace posenc::kernels {

const Kernels& sse4_2() noexcept {
  static constexpr Kernels kernels = table<xsimd::sse4_2>("sse4.2");
  return kernels;
}

}  // namespace posenc::kernels
