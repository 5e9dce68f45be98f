#pragma once

// Private: the checks that verbs share, so that all of them say the same thing the same way.

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "posenc/core/decimal.hpp"
#include "posenc/core/positions.hpp"
#include "posenc/core/status.hpp"
#include "posenc/core/storage.hpp"

namespace posenc::detail {

/// Widths (dim, head_dim, heads) go up to 2^24: beyond that a typo is likelier than a model.
inline constexpr std::size_t kMaxWidth = std::size_t{1} << 24;

/// A number as messages show it: the fewest digits, six or more where it has them, that read back
/// as the same number, so that a value just outside a range does not look like its end.
class NumberText {
 public:
  explicit NumberText(double value) noexcept { write_decimal(text_, value); }

  const char* c_str() const noexcept { return text_; }

 private:
  char text_[32];
};

/// VALUE_RANGE unless 1 <= value <= kMaxWidth.
Status check_width(const char* encoding, const char* field, std::size_t value) noexcept;

/// VALUE_RANGE unless low <= value <= high.
Status check_count(const char* encoding, const char* field, std::size_t value, std::size_t low,
                   std::size_t high) noexcept;

/// VALUE_RANGE unless low <= value <= high (so NaN fails).
Status check_number(const char* encoding, const char* field, double value, double low,
                    double high) noexcept;

/// The product of the dimensions; SIZE_LIMIT when that many floats do not fit an address space.
Status multiply(const char* encoding, const char* field,
                std::initializer_list<std::size_t> dimensions, std::size_t& product) noexcept;

/// How many heads a tensor of `size` elements has, `row` of them to a head: for `check_shape`,
/// which judges whether it is so. At least 1, so that what does not fit is an error of shape or
/// size, also where the product `row` was beyond what a size holds.
inline std::size_t heads_of(std::size_t size, std::size_t row) noexcept {
  return row == 0 || size < row ? 1 : size / row;
}

/// SHAPE unless `size` is the product of the dimensions; `shape` names them: "[positions, dim]".
Status check_shape(const char* encoding, const char* field, std::size_t size, const char* shape,
                   std::initializer_list<std::size_t> dimensions) noexcept;

/// POSITION_RANGE unless every position is finite and at most `limit` in magnitude.
Status check_positions(const char* encoding, const char* field, const Positions& positions,
                       double limit = static_cast<double>(kMaxPosition)) noexcept;

/// POSITION_RANGE unless every position is a whole number of magnitude at most kMaxPosition.
Status check_whole_positions(const char* encoding, const char* field,
                             const Positions& positions) noexcept;

/// OVERLAP when the two share memory.
Status check_apart(const char* encoding, const char* field, ConstFloats a, const char* other,
                   ConstFloats b) noexcept;
/// The same for what is no tensor of floats: masks and ids, by `std::as_bytes`.
Status check_apart(const char* encoding, const char* field, ConstFloats a, const char* other,
                   std::span<const std::byte> b) noexcept;

/// A buffer and the word that messages call it by.
struct NamedFloats {
  const char* name;
  ConstFloats values;
};

/// OVERLAP when `a` shares memory with any of them; the message names the first.
Status check_apart(const char* encoding, const char* field, ConstFloats a,
                   std::initializer_list<NamedFloats> others) noexcept;

}  // namespace posenc::detail

/// Returns from the enclosing verb when a check fails.
#define POSENC_RETURN_IF_FAILED(expression)                                           \
  do {                                                                                \
    if (const ::posenc::Status status_ = (expression); !status_.ok()) return status_; \
  } while (false)
