#pragma once

// Private: how messages show a name that a file says.

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace posenc::detail {

/// A text of unknown origin for a message: what could move a terminal's cursor or is no ASCII
/// becomes '?', and of a long one the end stays, which says more than the start.
class ShownName {
 public:
  explicit ShownName(std::string_view name) noexcept {
    char* out = text_;
    if (name.size() > kMost) {
      out = std::fill_n(out, 3, '.');
      name.remove_prefix(name.size() - (kMost - 3));
    }
    out = std::transform(name.begin(), name.end(), out,
                         [](char c) { return c >= ' ' && c <= '~' ? c : '?'; });
    *out = '\0';
  }

  const char* c_str() const noexcept { return text_; }

 private:
  static constexpr std::size_t kMost = 56;

  char text_[kMost + 1];
};

}  // namespace posenc::detail
