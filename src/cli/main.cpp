// The `posenc` command, built natively and, for `npx posenc`, as WebAssembly for Node.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <string_view>

#include "cli/commands.hpp"
#include "cli/failure.hpp"
#include "cli/host.hpp"
#include "cli/options.hpp"
#include "posenc/core/status.hpp"
#include "posenc/core/version.hpp"

namespace posenc::cli {
namespace {

int report(int exit_status, std::string_view message) {
  if (!message.empty()) {
    std::fprintf(stderr, "posenc: %.*s\n", static_cast<int>(message.size()), message.data());
  }
  return exit_status;
}

int run(int argc, char** argv) {
  CLI::App app(
      "Every position encoding that transformers use: the same flags and the same bytes "
      "from the native command and from npx posenc.",
      "posenc");
  app.set_version_flag("--version", std::string(version()));
  app.footer(
      "Exit status: 0 done; 1 a file could not be read or written, or memory ran out; 2 a flag"
      "\nor value is wrong. posenc COMMAND ENCODING --help tells the flags of each.");
  require_command(app);
  add_table(app);
  add_angles(app);
  add_bias(app);
  add_scores_command(app);
  add_positions_command(app);
  add_explain(app);
  add_info(app);
  for (CLI::App* command : app.get_subcommands({})) {
    command->parse_complete_callback(use_requested_kernel);
  }
  try {
    app.parse(argc, argv);
    return kSuccess;
  } catch (const CLI::ParseError& error) {
    // --help and --version arrive here too.
    if (error.get_exit_code() == 0) return app.exit(error);
    return report(kBadUsage, error.what());
  } catch (const UsageError& error) {
    return report(kBadUsage, error.what());
  } catch (const IoError& error) {
    return report(kIoFailed, error.what());
  } catch (const Error& error) {
    return report(error.status().code() == Code::out_of_memory ? kIoFailed : kBadUsage,
                  error.what());
  } catch (const std::bad_alloc&) {
    return report(kIoFailed, "out of memory");
  } catch (const std::exception& error) {
    return report(kIoFailed, error.what());
  }
}

}  // namespace
}  // namespace posenc::cli

int main(int argc, char** argv) {
  posenc::cli::ignore_write_signals();
  return posenc::cli::run(argc, argv);
}
