#include "posenc/rotary/rope.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cli/encodings.hpp"
#include "cli/options.hpp"
#include "cli/rope_scaling.hpp"
#include "cli/try_positions.hpp"
#include "cli/writer.hpp"

namespace posenc::cli {
namespace {

enum class RopePart : std::uint8_t { cos, sin, both };

struct RopeOptions {
  RopeConfig config;
  std::uint32_t head_dim = 0;
  std::uint32_t rotary_dim = 0;
  RopeScalingOptions scaling;
  RopePart part = RopePart::both;
  PositionOptions positions;
  OutputOptions output;
};

RopeConfig config_of(const RopeOptions& options) {
  RopeConfig config = options.config;
  config.head_dim = options.head_dim;
  config.rotary_dim = options.rotary_dim;
  config.scaling = options.scaling.scaling();
  return config;
}

/// The tables of angles: [positions, pairs], or for both parts [2, positions, pairs], cosines
/// first.
void write_angles(const Rope& rope, const RopeOptions& options) {
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

}  // namespace

void add_rope(CLI::App& table) {
  CLI::App& app = *table.add_subcommand(
      "rope", "Cosines and sines of rotary angles, [2, positions, pairs] or [positions, pairs]");
  const auto options = std::make_shared<RopeOptions>();
  add_whole(app, "--head-dim", options->head_dim, "Width of a head")->required();
  add_whole(app, "--rotary-dim", options->rotary_dim, "How many leading dims rotate (head_dim)");
  add_number(app, "--base", options->config.base, "Base of the frequencies (10000)");
  options->scaling.add(app);
  add_whole(app, "--sequence-length", options->config.length,
            "The length of text that dynamic_ntk and long_rope adapt to (0)");
  add_choice<Angles>(app, "--angles", options->config.angles,
                     {{"exact", Angles::exact},
                      {"float32_frequencies", Angles::float32_frequencies},
                      {"float32", Angles::float32}},
                     "How angles are made: as common Python code does with float32 (exact)");
  add_choice<RopePart>(app, "--part", options->part,
                       {{"cos", RopePart::cos}, {"sin", RopePart::sin}, {"both", RopePart::both}},
                       "Which table to write (both)");
  add_positions(app, options->positions);
  add_output(app, options->output);
  app.callback([options] {
    options->positions.require();
    write_angles(Rope(config_of(*options)), *options);
  });
}

}  // namespace posenc::cli
