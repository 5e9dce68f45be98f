#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cli/options.hpp"
#include "cli/try_positions.hpp"
#include "cli/writer.hpp"

namespace posenc::cli {

/// Writes the table [positions, dim] of an encoding whose rows are functions of one position.
template <class Encoding>
void write_rows(const Encoding& encoding, const PositionOptions& positions,
                const OutputOptions& output) {
  const std::size_t dim = encoding.config().dim;
  std::vector<float> row(dim);
  try_positions(positions, [&](const Positions& one) { return encoding.table(one, row); });
  const auto fill = [&](std::uint64_t first, std::span<float> out) {
    encoding.table(positions.block(first, out.size() / dim), out).or_throw();
  };
  write_tensor({.shape = {positions.count(), dim}, .fill = fill}, output);
}

}  // namespace posenc::cli
