#pragma once

#include <cstddef>

namespace posenc::tests {

/// How often this program has asked `operator new` for memory.
std::size_t allocations() noexcept;

}  // namespace posenc::tests
