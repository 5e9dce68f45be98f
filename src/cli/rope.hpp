#pragma once

#include <CLI/CLI.hpp>

namespace posenc::cli {

/// `posenc table rope`.
void add_rope(CLI::App& table);

}  // namespace posenc::cli
