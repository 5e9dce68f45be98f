// posenc angles: the cosines and sines that a rope turns by.

#include "cli/angles.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cli/commands.hpp"
#include "cli/encodings.hpp"
#include "cli/from_config.hpp"
#include "cli/try_positions.hpp"

namespace posenc::cli {

void add_angle_options(CLI::App& app, AngleOptions& options) {
  add_choice<RopePart>(app, "--part", options.part,
                       {{"cos", RopePart::cos}, {"sin", RopePart::sin}, {"both", RopePart::both}},
                       "Which table to write (both)");
  add_positions(app, options.positions);
  add_output(app, options.output);
}

void write_angles(const Rope& rope, const AngleOptions& options) {
  const std::size_t pairs = rope.inv_freq().size();
  const std::uint64_t count = options.positions.count();
  std::vector<float> other(2 * pairs);
  try_positions(options.positions, [&](const Positions& one) {
    return rope.angles(one, std::span(other).first(pairs), std::span(other).last(pairs));
  });
  const bool both = options.part == RopePart::both;
  const auto fill = [&](std::uint64_t first, std::span<float> out) {
    other.resize(std::max(other.size(), out.size()));
    // A block may hold the last cosines and the first sines.
    while (!out.empty()) {
      const bool sin = both ? first >= count : options.part == RopePart::sin;
      const std::uint64_t row = both && sin ? first - count : first;
      const std::uint64_t rows = std::min<std::uint64_t>(out.size() / pairs, count - row);
      const std::span<float> wanted = out.first(static_cast<std::size_t>(rows) * pairs);
      const std::span<float> unused = std::span(other).first(wanted.size());
      rope.angles(options.positions.block(row, static_cast<std::size_t>(rows)),
                  sin ? unused : wanted, sin ? wanted : unused)
          .or_throw();
      out = out.subspan(wanted.size());
      first += rows;
    }
  };
  std::vector<std::uint64_t> shape{count, pairs};
  if (both) shape.insert(shape.begin(), 2);
  write_tensor({.shape = shape, .fill = fill}, options.output);
}

void add_angles(CLI::App& app) {
  CLI::App& angles = *app.add_subcommand("angles", "Write the cosines and sines of a rope");
  add_rope(angles);
  add_angles_from_config(angles);
}

}  // namespace posenc::cli
