#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "posenc/core/status.hpp"
#include "posenc/core/storage.hpp"

namespace posenc {

/// How the elements of a tensor lie in a file, the lowest byte first.
enum class ElementType : std::uint8_t {
  float32,
  float16,
  bfloat16,
  float64,
  int64,
  int32,
  /// Truth values too.
  uint8,
  /// Types that are listed, but not read: 8-bit floats and others.
  other,
};

/// A tensor in a file that the caller keeps in memory: what `read_safetensors` and `read_npy` give.
/// Valid as long as the file's bytes are.
struct TensorView {
  /// As the file spells it; empty in a .npy file.
  std::string name{};
  ElementType type = ElementType::float32;
  /// The file's own word for the type: "F32", "<f4".
  std::string type_name{};
  /// Rows first, columns last; empty for a single number.
  std::vector<std::size_t> shape{};
  /// size() elements, at any alignment.
  std::span<const std::byte> bytes{};

  /// The product of the shape.
  std::size_t size() const noexcept;

  /// The elements where they lie, without a copy: for float32, float16 and bfloat16 at an address
  /// that suits them. nullopt for other types and addresses: `read` copies.
  std::optional<ConstFloats> view() const noexcept;

  /// Copies the elements to `out` [size()]: bit for bit where `out` has the tensor's own type,
  /// exactly from 16-bit types to float32, rounded once to nearest even from float64 to float32.
  /// Fails with VALUE_RANGE for other pairs of types, SHAPE or OVERLAP; writes nothing then.
  /// Allocates nothing.
  Status read(Floats out) const noexcept;

  /// Copies whole numbers (int64, int32, uint8) to `out` [size()]. Fails and writes as `read`.
  Status read_whole(std::span<std::int64_t> out) const noexcept;
};

}  // namespace posenc
