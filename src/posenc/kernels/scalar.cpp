#include "posenc/kernels/architectures.hpp"
#include "posenc/kernels/table.hpp"

namespace posenc::kernels {

const Kernels& scalar() noexcept {
  static constexpr Kernels kernels = table<Scalar>("scalar");
  return kernels;
}

}  // namespace posenc::kernels
