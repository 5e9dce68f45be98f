#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <type_traits>

namespace posenc {

/// IEEE 754 binary16, as it lies in memory.
struct Float16 {
  std::uint16_t bits = 0;
};

/// The upper half of a binary32, as it lies in memory.
struct Bfloat16 {
  std::uint16_t bits = 0;
};

/// How the elements of a buffer are stored. Angles, frequencies, slopes and sums never take the
/// storage type: elements are widened when read, and rounded once, to nearest even, when written.
enum class StorageType : std::uint8_t { float32, float16, bfloat16 };

/// Exact.
float to_float(Float16 value) noexcept;
float to_float(Bfloat16 value) noexcept;
/// To nearest even; beyond the range infinity; NaN stays a NaN. By integer operations, so the same
/// in every build.
Float16 to_float16(float value) noexcept;
Bfloat16 to_bfloat16(float value) noexcept;

/// "float32", "float16", "bfloat16".
const char* storage_name(StorageType type) noexcept;
/// Bytes of an element.
constexpr std::size_t storage_size(StorageType type) noexcept {
  return type == StorageType::float32 ? 4 : 2;
}

namespace detail {

template <class T>
concept StorageElement =
    std::same_as<T, float> || std::same_as<T, Float16> || std::same_as<T, Bfloat16>;

template <StorageElement T>
constexpr StorageType storage_of() noexcept {
  if constexpr (std::same_as<T, Float16>) return StorageType::float16;
  if constexpr (std::same_as<T, Bfloat16>) return StorageType::bfloat16;
  return StorageType::float32;
}

template <class Range>
using ElementOf = std::remove_cv_t<std::ranges::range_value_t<Range>>;

}  // namespace detail

/// A read-only view of contiguous elements of any storage type: what verbs take as data. Made
/// implicitly from spans, vectors and arrays of float, Float16 or Bfloat16.
class ConstFloats {
 public:
  constexpr ConstFloats() noexcept = default;
  template <detail::StorageElement T>
  constexpr ConstFloats(const T* data, std::size_t size) noexcept
      : data_(data), size_(size), type_(detail::storage_of<T>()) {}
  template <std::ranges::contiguous_range Range>
    requires detail::StorageElement<detail::ElementOf<Range>>
  constexpr ConstFloats(const Range& range) noexcept
      : ConstFloats(std::ranges::data(range), std::ranges::size(range)) {}
  /// For bindings, which know the type at run time only.
  constexpr ConstFloats(const void* data, std::size_t size, StorageType type) noexcept
      : data_(data), size_(size), type_(type) {}

  constexpr const void* data() const noexcept { return data_; }
  constexpr std::size_t size() const noexcept { return size_; }
  constexpr bool empty() const noexcept { return size_ == 0; }
  constexpr StorageType type() const noexcept { return type_; }
  std::size_t size_bytes() const noexcept { return size_ * storage_size(type_); }

 private:
  const void* data_ = nullptr;
  std::size_t size_ = 0;
  StorageType type_ = StorageType::float32;
};

/// The same, to write to.
class Floats {
 public:
  constexpr Floats() noexcept = default;
  template <detail::StorageElement T>
  constexpr Floats(T* data, std::size_t size) noexcept
      : data_(data), size_(size), type_(detail::storage_of<T>()) {}
  template <std::ranges::contiguous_range Range>
    requires(detail::StorageElement<std::ranges::range_value_t<Range>> &&
             !std::is_const_v<std::remove_reference_t<std::ranges::range_reference_t<Range>>>)
  constexpr Floats(Range&& range) noexcept
      : Floats(std::ranges::data(range), std::ranges::size(range)) {}
  constexpr Floats(void* data, std::size_t size, StorageType type) noexcept
      : data_(data), size_(size), type_(type) {}

  constexpr void* data() const noexcept { return data_; }
  constexpr std::size_t size() const noexcept { return size_; }
  constexpr bool empty() const noexcept { return size_ == 0; }
  constexpr StorageType type() const noexcept { return type_; }
  constexpr operator ConstFloats() const noexcept { return {data_, size_, type_}; }

 private:
  void* data_ = nullptr;
  std::size_t size_ = 0;
  StorageType type_ = StorageType::float32;
};

}  // namespace posenc
