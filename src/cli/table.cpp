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
#include "cli/rope.hpp"
#include "cli/try_positions.hpp"
#include "cli/writer.hpp"
#include "posenc/additive/learned.hpp"
#include "posenc/additive/sinusoidal.hpp"

namespace posenc::cli {
namespace {

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

}  // namespace

void add_table(CLI::App& app) {
  CLI::App& table = *app.add_subcommand("table", "Write the table of an encoding");
  require_command(table);
  add_sinusoidal(table);
  add_learned(table);
  add_rope(table);
}

}  // namespace posenc::cli
