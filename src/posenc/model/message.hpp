#pragma once

// Private: sentences from pieces. Rules make hundreds of them, and code that concatenates strings
// is large.

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

namespace posenc::detail {

/// A piece of a sentence: text, which must outlive the piece, or a number.
class Piece {
 public:
  Piece(const char* text) noexcept : text_(text) {}
  Piece(std::string_view text) noexcept : text_(text) {}
  Piece(const std::string& text) noexcept : text_(text) {}
  template <std::integral Whole>
  Piece(Whole number) noexcept : text_() {
    print(static_cast<long long>(number));
  }
  Piece(double number) noexcept;
  // It may point into itself.
  Piece(const Piece&) = delete;
  Piece& operator=(const Piece&) = delete;

  std::string_view text() const noexcept { return text_; }

 private:
  void print(long long number) noexcept;

  std::string_view text_;
  char digits_[32];
};

using Pieces = std::initializer_list<Piece>;

std::string join(Pieces pieces);

/// The first `most` bytes of a UTF-8 text, or fewer so that no character is cut in two.
std::string_view cut(std::string_view text, std::size_t most) noexcept;

/// "layer_types[3]"
std::string indexed(std::string_view name, std::size_t index);

}  // namespace posenc::detail
