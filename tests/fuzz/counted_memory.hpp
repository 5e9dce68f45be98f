#pragma once

#include <cstddef>

namespace posenc::fuzz {

/// Bytes that `new` has given out and not got back in this program, and the most there have been
/// since `restart`.
struct CountedMemory {
  std::size_t now = 0;
  std::size_t most = 0;

  void restart() noexcept { most = now; }
};

CountedMemory& counted_memory() noexcept;

}  // namespace posenc::fuzz
