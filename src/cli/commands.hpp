#pragma once

#include <CLI/CLI.hpp>

namespace posenc::cli {

/// Each adds one command with its flags to `app`; the command runs while `app` is parsed and throws
/// IoError, UsageError or posenc::Error.
void add_table(CLI::App& app);
void add_angles(CLI::App& app);
void add_bias(CLI::App& app);
void add_scores_command(CLI::App& app);
void add_positions_command(CLI::App& app);
void add_explain(CLI::App& app);
void add_info(CLI::App& app);

/// Puts the kernel that the environment variable POSENC_KERNEL names in use. The library would take
/// the best one instead of an unknown one; a command that was asked for it says so.
void use_requested_kernel();

}  // namespace posenc::cli
