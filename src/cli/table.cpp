// posenc table: what additive and rotary encodings put into memory, a row per position.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/npy.hpp"
#include "cli/options.hpp"
#include "cli/writer.hpp"
#include "posenc/additive/learned.hpp"
#include "posenc/additive/sinusoidal.hpp"
#include "posenc/rotary/rope.hpp"

namespace posenc::cli {
namespace {

/// Calls `row(first)` for the first and the last position, or for every explicit one, so that a
/// position that an encoding refuses is reported before anything is written.
template <class Row>
void try_positions(const PositionOptions& positions, const Row& row) {
  const std::uint64_t count = positions.count();
  if (count == 0) return;
  const std::uint64_t step = positions.length ? std::max<std::uint64_t>(count - 1, 1) : 1;
  for (std::uint64_t i = 0; i < count; i += step) row(positions.block(i, 1)).or_throw();
}

/// The table [positions, dim] of an additive encoding.
template <class Encoding>
void write_table(const Encoding& encoding, const PositionOptions& positions,
                 const OutputOptions& output) {
  const std::size_t dim = encoding.config().dim;
  std::vector<float> row(dim);
  try_positions(positions, [&](const Positions& one) { return encoding.table(one, row); });
  const auto fill = [&](std::uint64_t first, std::span<float> out) {
    encoding.table(positions.block(first, out.size() / dim), out).or_throw();
  };
  write_tensor({.shape = {positions.count(), dim}, .fill = fill}, output);
}

struct SinusoidalOptions {
  SinusoidalConfig config;
  std::uint32_t dim = 0;
  PositionOptions positions;
  OutputOptions output;
};

void add_sinusoidal(CLI::App& table) {
  CLI::App& app = *table.add_subcommand("sinusoidal", "Sines and cosines, [positions, dim]");
  const auto options = std::make_shared<SinusoidalOptions>();
  add_whole(app, "--dim", options->dim, "Columns of a row")->required();
  add_number(app, "--base", options->config.base, "Base of the frequencies (10000)");
  add_choice<SinusoidalLayout>(
      app, "--layout", options->config.layout,
      {{"interleaved", SinusoidalLayout::interleaved}, {"half", SinusoidalLayout::half}},
      "sin and cos side by side as in the paper (default), or all sines, then all cosines");
  add_choice<OddWidth>(app, "--odd-width", options->config.odd_width,
                       {{"sine", OddWidth::sine}, {"zero", OddWidth::zero}},
                       "What fills the last column when --dim is odd (sine)");
  add_number(app, "--frequency-denominator", options->config.frequency_denominator,
             "Frequencies are base^(-2i / X) (dim)");
  add_positions(app, options->positions);
  add_output(app, options->output);
  app.callback([options] {
    options->positions.require();
    options->config.dim = options->dim;
    write_table(Sinusoidal(options->config), options->positions, options->output);
  });
}

struct LearnedOptions {
  std::string rows;
  std::int64_t row_offset = 0;
  PositionOptions positions;
  OutputOptions output;
};

void add_learned(CLI::App& table) {
  CLI::App& app = *table.add_subcommand("learned", "Rows of a trained table, [positions, dim]");
  const auto options = std::make_shared<LearnedOptions>();
  app.add_option("--rows", options->rows, "The trained table: a .npy file, float32 [rows, dim]")
      ->required()
      ->type_name("PATH");
  add_whole(app, "--row-offset", options->row_offset,
            "Position p reads row p + N (0; 2 for OPT and BART)");
  add_positions(app, options->positions);
  add_output(app, options->output);
  app.callback([options] {
    options->positions.require();
    const NpyArray rows = read_matrix(options->rows, "rows, dim");
    const LearnedConfig config{.rows = rows.data,
                               .dim = static_cast<std::size_t>(rows.shape[1]),
                               .row_offset = options->row_offset};
    write_table(Learned(config), options->positions, options->output);
  });
}

enum class RopePart : std::uint8_t { cos, sin, both };
enum class RopeScalingKind : std::uint8_t { none, linear };

struct RopeOptions {
  RopeConfig config;
  std::uint32_t head_dim = 0;
  std::uint32_t rotary_dim = 0;
  RopeScalingKind scaling = RopeScalingKind::none;
  double factor = 1.0;
  RopePart part = RopePart::both;
  PositionOptions positions;
  OutputOptions output;
};

RopeConfig config_of(const RopeOptions& options) {
  RopeConfig config = options.config;
  config.head_dim = options.head_dim;
  config.rotary_dim = options.rotary_dim;
  if (options.scaling == RopeScalingKind::linear) config.scaling = Linear{options.factor};
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

void add_rope(CLI::App& table) {
  CLI::App& app = *table.add_subcommand(
      "rope", "Cosines and sines of rotary angles, [2, positions, pairs] or [positions, pairs]");
  const auto options = std::make_shared<RopeOptions>();
  add_whole(app, "--head-dim", options->head_dim, "Width of a head")->required();
  add_whole(app, "--rotary-dim", options->rotary_dim, "How many leading dims rotate (head_dim)");
  add_number(app, "--base", options->config.base, "Base of the frequencies (10000)");
  CLI::Option* scaling = add_choice<RopeScalingKind>(
      app, "--scaling", options->scaling,
      {{"none", RopeScalingKind::none}, {"linear", RopeScalingKind::linear}},
      "How the frequencies are changed for longer texts (none)");
  add_number(app, "--factor", options->factor, "Every frequency is divided by X")->needs(scaling);
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

}  // namespace

void add_table(CLI::App& app) {
  CLI::App& table = *app.add_subcommand("table", "Write the table of an encoding");
  require_command(table);
  add_sinusoidal(table);
  add_learned(table);
  add_rope(table);
}

}  // namespace posenc::cli
