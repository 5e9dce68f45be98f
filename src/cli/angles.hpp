#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>

#include "cli/options.hpp"
#include "cli/writer.hpp"
#include "posenc/rotary/rope.hpp"

namespace posenc::cli {

enum class RopePart : std::uint8_t { cos, sin, both };

/// Which tables of a rope to write, for which positions.
struct AngleOptions {
  RopePart part = RopePart::both;
  PositionOptions positions;
  OutputOptions output;
};

/// --part, and the flags of positions and output.
void add_angle_options(CLI::App& app, AngleOptions& options);

/// The tables of angles: [positions, pairs], or for both parts [2, positions, pairs], cosines
/// first.
void write_angles(const Rope& rope, const AngleOptions& options);

}  // namespace posenc::cli
