#pragma once

// What this processor can do at best, one thread: loops over memory, and multiply-adds in
// registers.

#include <cstddef>

namespace posenc::bench {

/// The loops of one architecture. Memory starts at a cache line; counts are multiples of 64 floats.
struct Limits {
  void (*fill)(float* out, std::size_t count);
  void (*copy)(const float* x, float* out, std::size_t count);
  /// x[i] *= -1.
  void (*modify)(float* x, std::size_t count);
  /// As above, around the cache; nullptr where there are no such stores.
  void (*stream_fill)(float* out, std::size_t count);
  void (*stream_copy)(const float* x, float* out, std::size_t count);
  void (*stream_modify)(float* x, std::size_t count);
  /// 2 * kMultiplyAdds * `count` operations; the result keeps them from being left out.
  float (*multiply_add)(std::size_t count);
  /// The same in one instruction; nullptr where there is none.
  float (*fused_multiply_add)(std::size_t count);
  std::size_t multiply_adds;
};

Limits limits_baseline();
Limits limits_avx2();
Limits limits_avx512();

}  // namespace posenc::bench
