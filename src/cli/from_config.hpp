#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "posenc/model/model.hpp"

namespace posenc::cli {

/// What a config.json asks for. Throws IoError with the file's name.
Model::Reading read_config(const std::string& path);

/// Each lets a command be run with --config instead of the name of an encoding: the encoding and
/// its parameters are then those of a model's config.json. --site and --layer choose one of
/// several.

void add_table_from_config(CLI::App& table);
void add_angles_from_config(CLI::App& angles);
void add_bias_from_config(CLI::App& bias);

}  // namespace posenc::cli
