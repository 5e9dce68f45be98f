#pragma once

// Private: how verbs read and write elements of any storage type. Kernels know float alone; other
// types pass through a tile of floats that stays in the nearest cache.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "posenc/core/storage.hpp"
#include "posenc/kernels/kernels.hpp"

namespace posenc::detail {

/// Floats of a tile: the most that one `read` widens.
inline constexpr std::size_t kTile = 256;

/// Elements [at, at + count) as floats: the memory itself when it holds floats, else `tile`, to
/// which they are widened (count <= kTile then, if the tile is that large).
inline const float* read(ConstFloats x, std::size_t at, std::size_t count, float* tile) noexcept {
  if (x.type() == StorageType::float32) return static_cast<const float*>(x.data()) + at;
  const auto* source = static_cast<const std::uint16_t*>(x.data()) + at;
  const kernels::Kernels& kernels = kernels::active();
  const bool half = x.type() == StorageType::float16;
  (half ? kernels.widen_float16 : kernels.widen_bfloat16)(source, tile, count);
  return tile;
}

/// Elements [at, at + count) as floats that lie at `target`.
inline void load(ConstFloats x, std::size_t at, std::size_t count, float* target) noexcept {
  const float* source = read(x, at, count, target);
  if (source != target) std::copy_n(source, count, target);
}

/// Writes `count` floats to elements [at, at + count), rounding each to the storage type.
inline void write(Floats x, std::size_t at, std::size_t count, const float* values) noexcept {
  if (x.type() == StorageType::float32) {
    float* target = static_cast<float*>(x.data()) + at;
    if (target != values) std::copy_n(values, count, target);
    return;
  }
  auto* target = static_cast<std::uint16_t*>(x.data()) + at;
  const kernels::Kernels& kernels = kernels::active();
  const bool half = x.type() == StorageType::float16;
  (half ? kernels.narrow_float16 : kernels.narrow_bfloat16)(values, target, count);
}

/// How values computed in double reach floats on their way to `x`: to odd where they are rounded
/// once more.
inline kernels::Rounding rounding_for(Floats x) noexcept {
  const bool again = x.type() != StorageType::float32;
  return again ? kernels::Rounding::odd : kernels::Rounding::nearest;
}

/// The float32 of a double, rounded to odd: for a value of kernels::Rounding::odd that no kernel
/// computes.
inline float round_to_odd(double value) noexcept {
  const auto nearest = static_cast<float>(value);
  if (static_cast<double>(nearest) == value || !std::isfinite(nearest)) return nearest;
  const auto bits = std::bit_cast<std::uint32_t>(nearest);
  const bool beyond = std::fabs(static_cast<double>(nearest)) > std::fabs(value);
  return std::bit_cast<float>((bits - (beyond ? 1u : 0u)) | 1u);
}

/// Writes `count` elements from `at` on, as `fill(first, count, floats)` computes them; floats go
/// straight to memory, other types through a tile.
template <class Fill>
void generate(Floats x, std::size_t at, std::size_t count, const Fill& fill) noexcept {
  if (x.type() == StorageType::float32) {
    fill(std::size_t{0}, count, static_cast<float*>(x.data()) + at);
    return;
  }
  float tile[kTile];
  for (std::size_t first = 0; first < count; first += kTile) {
    const std::size_t part = std::min(kTile, count - first);
    fill(first, part, tile);
    write(x, at + first, part, tile);
  }
}

/// Writes `count` elements from `at` on, the i-th rounded once from the double `value(i)`.
template <class Value>
void generate_rounded(Floats x, std::size_t at, std::size_t count, const Value& value) noexcept {
  const bool odd = rounding_for(x) == kernels::Rounding::odd;
  generate(x, at, count, [&](std::size_t first, std::size_t part, float* floats) {
    for (std::size_t i = 0; i < part; ++i) {
      const double exact = value(first + i);
      floats[i] = odd ? round_to_odd(exact) : static_cast<float>(exact);
    }
  });
}

/// x[at + i] += terms[term_at + i], i < count: computed in float, rounded once to storage.
inline void add(ConstFloats terms, std::size_t term_at, Floats x, std::size_t at,
                std::size_t count) noexcept {
  if (terms.type() == StorageType::float32 && x.type() == StorageType::float32) {
    kernels::active().add(static_cast<const float*>(terms.data()) + term_at,
                          static_cast<float*>(x.data()) + at, count);
    return;
  }
  float term_tile[kTile], sum[kTile];
  for (std::size_t first = 0; first < count; first += kTile) {
    const std::size_t part = std::min(kTile, count - first);
    std::copy_n(read(x, at + first, part, sum), part, sum);
    kernels::active().add(read(terms, term_at + first, part, term_tile), sum, part);
    write(x, at + first, part, sum);
  }
}

/// out[at + i] = source[source_at + i], i < count: bit for bit between equal types, else widened
/// exactly and rounded once.
inline void copy(ConstFloats source, std::size_t source_at, Floats out, std::size_t at,
                 std::size_t count) noexcept {
  if (source.type() == out.type()) {
    const std::size_t size = storage_size(out.type());
    std::memmove(static_cast<char*>(out.data()) + at * size,
                 static_cast<const char*>(source.data()) + source_at * size, count * size);
    return;
  }
  float tile[kTile];
  for (std::size_t first = 0; first < count; first += kTile) {
    const std::size_t part = std::min(kTile, count - first);
    write(out, at + first, part, read(source, source_at + first, part, tile));
  }
}

}  // namespace posenc::detail
