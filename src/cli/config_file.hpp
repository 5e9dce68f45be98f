#pragma once

#include <string>

namespace posenc::cli {

/// The text of a config.json. Throws IoError with the file's name; a file that is larger than
/// `Model::read` takes is read no further than needed to tell.
std::string read_config_text(const std::string& path);

}  // namespace posenc::cli
