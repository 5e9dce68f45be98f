#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cli/writer.hpp"

namespace posenc::cli {

/// Each adds a command to `posenc positions`.

void add_padded_positions(CLI::App& positions);
void add_ragged_positions(CLI::App& positions);
void add_grid_positions(CLI::App& positions);
void add_mrope_positions(CLI::App& positions);

/// Writes values that are in memory.
template <class Value>
void write_array(const std::vector<std::uint64_t>& shape, std::span<const Value> values,
                 const OutputOptions& options) {
  const std::uint64_t columns = shape.back();
  const auto fill = [&](std::uint64_t first, std::span<Value> out) {
    std::ranges::copy(values.subspan(static_cast<std::size_t>(first * columns), out.size()),
                      out.begin());
  };
  write_positions<Value>({.shape = shape, .fill = fill}, options);
}

}  // namespace posenc::cli
