#pragma once

#include "posenc/kernels/kernels.hpp"
#include "posenc/kernels/stream.hpp"

namespace posenc::kernels {
namespace {

/// Copies as bytes: they may be halves of floats. Vectors, because memory.copy of WebAssembly is
/// slower than they are.
template <class F, bool streamed>
void copy_bytes(const char* source, char* target, std::size_t size) {
  std::size_t done = 0;
  if constexpr (F::size > 1) {
    constexpr std::size_t step = sizeof(float) * F::size;
    constexpr std::size_t unit = streamed ? kLineBytes : step;
    static_assert(unit % step == 0);
    if constexpr (streamed) {
      // up to the target's first whole line: one that plain stores have a part of would be read
      const std::size_t past = reinterpret_cast<std::uintptr_t>(target) % kLineBytes;
      done = past == 0 ? 0 : kLineBytes - past;
      if (done > size) done = size;
      __builtin_memcpy(target, source, done);
    }
    for (const std::size_t end = size - (size - done) % unit; done < end; done += step) {
      const F lanes = load<F>(reinterpret_cast<const float*>(source + done));
      float* to = reinterpret_cast<float*>(target + done);
      if constexpr (streamed) {
        stream(to, lanes);
      } else {
        lanes.store_unaligned(to);
      }
    }
  }
  __builtin_memcpy(target + done, source + done, size - done);
}

template <class Arch, bool streamed>
void copy_each(const CopyRows& call) {
  const char* source = call.source;
  char* out = call.out;
  for (std::size_t row = 0; row < call.rows; ++row) {
    copy_bytes<typename Vectors<Arch>::F, streamed>(source, out, call.size);
    source += call.source_step;
    out += call.out_stride;
  }
}

template <class Arch>
void copy_rows(const CopyRows& call, bool streamed) noexcept {
  if (!streamed) return copy_each<Arch, false>(call);
  copy_each<Arch, kStreams<typename Vectors<Arch>::F>>(call);
  finish_streaming();
}

}  // namespace
}  // namespace posenc::kernels
