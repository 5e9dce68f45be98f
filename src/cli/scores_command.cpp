// posenc scores: what encodings add to the scores from queries, keys and gates.

#include "cli/commands.hpp"
#include "cli/encodings.hpp"
#include "cli/options.hpp"

namespace posenc::cli {

void add_scores_command(CLI::App& app) {
  CLI::App& scores = *app.add_subcommand(
      "scores", "Write what an encoding adds to the scores of given queries and keys");
  require_command(scores);
  add_shaw(scores);
  add_deberta(scores);
  add_transformer_xl(scores);
  add_decomposed(scores);
  add_cope(scores);
  add_pope(scores);
  add_forgetting_bias(scores);
  add_gated_position_bias(scores);
}

}  // namespace posenc::cli
