#include "posenc/additive/multiscale.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cli/encodings.hpp"
#include "cli/options.hpp"
#include "cli/write_whole.hpp"

namespace posenc::cli {
namespace {

struct MultiscaleOptions {
  std::vector<std::uint32_t> dims;
  std::vector<double> bases;
  std::vector<double> scales;
  std::vector<std::vector<double>> positions;
  MultiscaleCombine combine = MultiscaleCombine::concatenate;
  bool interleaved = true;
  OutputOptions output;
};

/// One for each level, or none.
void require_levels(const char* flag, std::size_t count, std::size_t levels, const char* values) {
  if (count == levels) return;
  throw UsageError(std::string(flag)
                       .append(" must have ")
                       .append(values)
                       .append(" for each of the ")
                       .append(std::to_string(levels))
                       .append(" levels of --dims, got ")
                       .append(std::to_string(count)));
}

std::vector<MultiscaleLevel> levels_of(const MultiscaleOptions& options) {
  const std::size_t count = options.dims.size();
  if (!options.bases.empty()) require_levels("--bases", options.bases.size(), count, "one");
  if (!options.scales.empty()) require_levels("--scales", options.scales.size(), count, "one");
  require_levels("--positions", options.positions.size(), count, "one list");
  std::vector<MultiscaleLevel> levels(count);
  for (std::size_t i = 0; i < count; ++i) {
    levels[i].dim = options.dims[i];
    if (!options.bases.empty()) levels[i].base = options.bases[i];
    if (!options.scales.empty()) levels[i].scale = options.scales[i];
  }
  return levels;
}

void run(const MultiscaleOptions& options) {
  const std::vector<MultiscaleLevel> levels = levels_of(options);
  const Multiscale encoding(
      {.levels = levels, .combine = options.combine, .interleaved = options.interleaved});
  std::vector<Positions> positions;
  positions.reserve(options.positions.size());
  for (const std::vector<double>& values : options.positions) {
    positions.push_back(Positions::of(std::span<const double>(values)));
  }
  write_whole(
      {positions[0].size(), encoding.dim()},
      [&](std::span<float> out) { return encoding.table(positions, out); }, options.output);
}

}  // namespace

void add_multiscale(CLI::App& table) {
  CLI::App& app = *table.add_subcommand(
      "multiscale", "Sines and cosines of several positions of each token, [tokens, dim]");
  const auto options = std::make_shared<MultiscaleOptions>();
  add_wholes(app, "--dims", options->dims, "Columns of each level")->required();
  add_numbers(app, "--bases", options->bases, "Base of each level's frequencies (10000 each)");
  add_numbers(app, "--scales", options->scales, "What each level is multiplied with (1 each)");
  add_number_lists(app, "--positions", options->positions,
                   "The tokens' positions in a level; to be given for each level, in order")
      ->required();
  add_choice<MultiscaleCombine>(
      app, "--combine", options->combine,
      {{"concatenate", MultiscaleCombine::concatenate}, {"sum", MultiscaleCombine::sum}},
      "Levels side by side (default), or added");
  add_choice<bool>(app, "--layout", options->interleaved, {{"interleaved", true}, {"half", false}},
                   "sin and cos side by side (default), or all sines before all cosines, in each "
                   "level");
  add_output(app, options->output);
  app.callback([options] { run(*options); });
}

}  // namespace posenc::cli
