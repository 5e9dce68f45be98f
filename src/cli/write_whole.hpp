#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <span>
#include <vector>

#include "cli/writer.hpp"
#include "posenc/core/status.hpp"

namespace posenc::cli {

/// The product of the sizes; std::bad_alloc when memory cannot hold so many values.
std::uint64_t count_of(std::initializer_list<std::uint64_t> sizes);

/// Memory for that many values.
std::vector<float> allocate(std::initializer_list<std::uint64_t> sizes);

/// Writes a tensor that `verb` computes at once, so that all of it is in memory.
void write_whole(std::initializer_list<std::uint64_t> shape,
                 const std::function<Status(std::span<float>)>& verb, const OutputOptions& options);

}  // namespace posenc::cli
