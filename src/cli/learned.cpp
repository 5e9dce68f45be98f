#include "posenc/additive/learned.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "cli/encodings.hpp"
#include "cli/npy.hpp"
#include "cli/options.hpp"
#include "cli/write_rows.hpp"

namespace posenc::cli {
namespace {

struct LearnedOptions {
  std::string rows;
  std::int64_t row_offset = 0;
  PositionOptions positions;
  OutputOptions output;
};

}  // namespace

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
    write_rows(Learned(config), options->positions, options->output);
  });
}

}  // namespace posenc::cli
