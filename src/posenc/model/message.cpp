#include "posenc/model/message.hpp"

#include <cstdio>
#include <cstring>

#include "posenc/core/check.hpp"

namespace posenc::detail {

Piece::Piece(double number) noexcept : text_() {
  const NumberText text(number);
  std::snprintf(digits_, sizeof digits_, "%s", text.c_str());
  text_ = digits_;
}

void Piece::print(long long number) noexcept {
  std::snprintf(digits_, sizeof digits_, "%lld", number);
  text_ = digits_;
}

std::string join(Pieces pieces) {
  std::string text;
  for (const Piece& piece : pieces) text += piece.text();
  return text;
}

std::string_view cut(std::string_view text, std::size_t most) noexcept {
  if (text.size() <= most) return text;
  const auto continues = [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xc0) == 0x80;
  };
  while (most > 0 && continues(text[most])) --most;
  return text.substr(0, most);
}

std::string indexed(std::string_view name, std::size_t index) {
  return join({name, "[", index, "]"});
}

}  // namespace posenc::detail
