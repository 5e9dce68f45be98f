#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace posenc {

/// The largest magnitude of a position, about 10^15: up to here angles keep their accuracy. Larger
/// ones are an error of the verb.
inline constexpr std::int64_t kMaxPosition = std::int64_t{1} << 50;

/// The positions of the rows of a tensor: a range, or a view of the caller's array. A value, cheap
/// to copy; the array must outlive it. Positions are never inferred from a buffer's row number, so
/// caches that drop, ring or page their rows stay right.
class Positions {
 public:
  constexpr Positions() noexcept = default;

  /// `count` consecutive positions: first, first + 1, ...
  static constexpr Positions from(std::int64_t first, std::size_t count) noexcept {
    Positions positions;
    positions.first_ = first;
    positions.size_ = count;
    return positions;
  }

  /// Explicit positions, in any order, negative and repeated ones included.
  static constexpr Positions of(std::span<const std::int32_t> values) noexcept {
    return view(values, Kind::int32);
  }
  static constexpr Positions of(std::span<const std::int64_t> values) noexcept {
    return view(values, Kind::int64);
  }
  /// Explicit positions that may be fractional, for the encodings that are functions of a real
  /// number (all but the table look-ups).
  static constexpr Positions of(std::span<const double> values) noexcept {
    return view(values, Kind::float64);
  }

  constexpr std::size_t size() const noexcept { return size_; }
  constexpr bool is_range() const noexcept { return kind_ == Kind::range; }

  /// The position of row `index`. Precondition: index < size().
  double operator[](std::size_t index) const noexcept {
    switch (kind_) {
      case Kind::int32:
        return static_cast<double>(static_cast<const std::int32_t*>(data_)[index]);
      case Kind::int64:
        return static_cast<double>(static_cast<const std::int64_t*>(data_)[index]);
      case Kind::float64:
        return static_cast<const double*>(data_)[index];
      case Kind::range:
        break;
    }
    return static_cast<double>(first_ + static_cast<std::int64_t>(index));
  }

  /// Rows [first, first + count) of these positions, for splitting work over threads: a slice of
  /// the positions gives the bits of that slice of the whole. Precondition: it lies inside.
  Positions slice(std::size_t first, std::size_t count) const noexcept {
    Positions part = *this;
    part.size_ = count;
    if (kind_ == Kind::range) part.first_ += static_cast<std::int64_t>(first);
    if (kind_ == Kind::int32) part.data_ = static_cast<const std::int32_t*>(data_) + first;
    if (kind_ == Kind::int64) part.data_ = static_cast<const std::int64_t*>(data_) + first;
    if (kind_ == Kind::float64) part.data_ = static_cast<const double*>(data_) + first;
    return part;
  }

  /// Part `index` of `count` nearly equal ones, in order: what a thread or worker of `count` takes.
  /// Precondition: index < count.
  Positions shard(std::size_t index, std::size_t count) const noexcept {
    const std::size_t least = size_ / count, more = size_ % count;
    const std::size_t first = index * least + (index < more ? index : more);
    return slice(first, least + (index < more ? 1 : 0));
  }

 private:
  enum class Kind : std::uint8_t { range, int32, int64, float64 };

  template <class T>
  static constexpr Positions view(std::span<const T> values, Kind kind) noexcept {
    Positions positions;
    positions.kind_ = kind;
    positions.data_ = values.data();
    positions.size_ = values.size();
    return positions;
  }

  Kind kind_ = Kind::range;
  std::int64_t first_ = 0;
  const void* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace posenc
