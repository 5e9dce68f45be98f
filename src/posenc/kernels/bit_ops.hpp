#pragma once

#include "posenc/kernels/ops.hpp"

namespace posenc::kernels {
namespace {

/// The operations that math::exp and math::tanh ask for.
struct BitOps {
  template <class F>
  static F divide(F a, F b) {
    return kernels::divide(a, b);
  }
  template <class Mask, class F>
  static F select(Mask mask, F yes, F no) {
    return kernels::select(mask, yes, no);
  }
  template <class F>
  static auto bits(F x) {
    return kernels::bits(x);
  }
  template <class I>
  static auto from_bits(I x) {
    return kernels::from_bits(x);
  }
};

}  // namespace
}  // namespace posenc::kernels
