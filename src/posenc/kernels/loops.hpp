#pragma once

// Loops of kernels, some of them written out.

#include "posenc/kernels/ops.hpp"

namespace posenc::kernels {
namespace {

/// A number that is known when a kernel is compiled: its `value`.
template <std::size_t number>
struct Number {
  static constexpr std::size_t value = number;
};

/// step(Number<0>), step(Number<1>), ... up to `count`, written out: compilers keep an array in
/// registers when every index into it is a constant from the start.
template <std::size_t count, class Step>
POSENC_ALWAYS_INLINE void unroll(const Step& step) {
  if constexpr (count > 0) {
    unroll<count - 1>(step);
    step(Number<count - 1>{});
  }
}

/// step() `count` times, `together` of them written out one after the other.
template <std::size_t together, class Step>
POSENC_ALWAYS_INLINE void repeat(std::size_t count, const Step& step) {
  for (; count >= together; count -= together) {
    unroll<together>([&](auto) __attribute__((always_inline)) { step(); });
  }
  if constexpr (together > 1) {
    for (; count > 0; --count) step();
  }
}

/// Steps of `sweep` that are written out where one is an operation or two: counting would be as
/// much.
inline constexpr std::size_t kLightSteps = 4;

/// Runs `step(lanes, i)` over [0, count): whole vectors first, `together` of them written out one
/// after the other, then one lane at a time with the same expression. `lanes` is a null pointer
/// whose type says which: F* of the architecture or of a lane.
template <class Arch, std::size_t together = 1, class Step>
void sweep(std::size_t count, const Step& step) {
  using F = typename Vectors<Arch>::F;
  std::size_t i = 0;
  repeat<together>(count / F::size, [&]() __attribute__((always_inline)) {
    step(static_cast<F*>(nullptr), i);
    i += F::size;
  });
  if constexpr (F::size > 1) {
    for (; i < count; ++i) step(static_cast<Lane<float>*>(nullptr), i);
  }
}

}  // namespace
}  // namespace posenc::kernels
