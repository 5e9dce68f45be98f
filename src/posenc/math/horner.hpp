#pragma once

#include <cstddef>

namespace posenc::math {

/// c[0] + x (c[1] + x (c[2] + ...)) from the innermost on, lane by lane: `horner<Ops>(c, x)`. The
/// coefficients have names, Ops::constant<F>(c[i]); Ops::multiply_add adds the next.
template <class Ops, class F, class T, std::size_t count>
inline F horner(const T (&coefficients)[count], F x) {
  F sum = Ops::template constant<F>(coefficients[count - 1]);
  for (std::size_t i = count - 1; i > 0; --i) {
    sum = Ops::multiply_add(sum, x, Ops::template constant<F>(coefficients[i - 1]));
  }
  return sum;
}

}  // namespace posenc::math
