#include "posenc/additive/sinusoidal.hpp"

#include <cstdint>
#include <memory>

#include "cli/encodings.hpp"
#include "cli/options.hpp"
#include "cli/write_rows.hpp"

namespace posenc::cli {
namespace {

struct SinusoidalOptions {
  SinusoidalConfig config;
  std::uint32_t dim = 0;
  PositionOptions positions;
  OutputOptions output;
};

void add_frequencies(CLI::App& app, SinusoidalConfig& config) {
  CLI::Option* base = add_number(app, "--base", config.base, "Base of the frequencies (10000)");
  add_number(app, "--frequency-denominator", config.frequency_denominator,
             "Frequencies are base^(-2i / X) (dim)");
  add_number(app, "--max-timescale", config.max_timescale,
             "tensor2tensor's two timescales instead of a base: the larger one")
      ->excludes(base);
  add_number(app, "--min-timescale", config.min_timescale, "The smaller one (1)");
  add_number(app, "--position-scale", config.position_scale,
             "What positions are multiplied with (1)");
}

void add_columns(CLI::App& app, SinusoidalConfig& config) {
  add_choice<SinusoidalLayout>(
      app, "--layout", config.layout,
      {{"interleaved", SinusoidalLayout::interleaved}, {"half", SinusoidalLayout::half}},
      "sin and cos side by side as in the paper (default), or all sines, then all cosines");
  add_choice<SinusoidalOrder>(app, "--order", config.order,
                              {{"sine_first", SinusoidalOrder::sine_first},
                               {"cosine_first", SinusoidalOrder::cosine_first}},
                              "Which of the two comes first (sine_first)");
  add_choice<OddWidth>(app, "--odd-width", config.odd_width,
                       {{"sine", OddWidth::sine}, {"zero", OddWidth::zero}},
                       "What fills the last column when --dim is odd (sine: what comes first)");
  add_number(app, "--scale", config.scale, "What every value is multiplied with (1)");
}

}  // namespace

void add_sinusoidal(CLI::App& table) {
  CLI::App& app = *table.add_subcommand("sinusoidal", "Sines and cosines, [positions, dim]");
  const auto options = std::make_shared<SinusoidalOptions>();
  add_whole(app, "--dim", options->dim, "Columns of a row")->required();
  add_frequencies(app, options->config);
  add_columns(app, options->config);
  add_whole(app, "--padding-position", options->config.padding_position,
            "The position whose row is zero: fairseq's padding_idx (none)");
  add_positions(app, options->positions);
  add_output(app, options->output);
  app.callback([options] {
    options->positions.require();
    options->config.dim = options->dim;
    write_rows(Sinusoidal(options->config), options->positions, options->output);
  });
}

}  // namespace posenc::cli
