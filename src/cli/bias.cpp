// posenc bias: what bias encodings add to the scores, [heads, queries, keys].

#include "cli/commands.hpp"
#include "cli/encodings.hpp"
#include "cli/from_config.hpp"

namespace posenc::cli {

void add_bias(CLI::App& app) {
  CLI::App& bias = *app.add_subcommand("bias", "Write the bias of an encoding");
  add_alibi(bias);
  add_kerple(bias);
  add_t5(bias);
  add_swin(bias);
  add_swin_cpb(bias);
  add_fire(bias);
  add_dynamic_position_bias(bias);
  add_bias_from_config(bias);
}

}  // namespace posenc::cli
