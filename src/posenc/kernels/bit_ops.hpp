#pragma once

#include "posenc/kernels/ops.hpp"

namespace posenc::kernels {
namespace {

/// The operations that functions of math ask for; `fused` with products and sums in one
/// rounding, where the architecture has that.
template <bool fused>
struct BasicBitOps {
  template <class F>
  static F constant(const typename F::value_type& value) {
    return kernels::constant<F>(value);
  }
  template <class F>
  static F multiply_add(F a, F b, F c) {
    if constexpr (fused) return kernels::multiply_add(a, b, c);
    return a * b + c;
  }
  template <class F>
  static F divide(F a, F b) {
    return kernels::divide(a, b);
  }
  template <class Mask, class F>
  static F select(Mask mask, F yes, F no) {
    return kernels::select(mask, yes, no);
  }
  template <class Mask, class F>
  static F zero_where(Mask mask, F x) {
    return kernels::zero_where(mask, x);
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
using BitOps = BasicBitOps<false>;

}  // namespace
}  // namespace posenc::kernels
