#pragma once

#include <string>
#include <string_view>

#include "posenc/model/model.hpp"

namespace posenc {

/// What `posenc explain --json` prints for one config.json:
///     {"encodings": [{"site", "encoding", "layers", "params", "sources", "make", "attention"}],
///      "warnings": [{"code", "field", "message"}]}
/// or {"error": {"code", "field", "message"}}. Layers are "all" or indices from 0; numbers are the
/// shortest text that reads back as the same double. `make` is what makes the encoding in
/// JavaScript: {"function": "rope", "config": {"headDim": 128, ...}, "weights": [names of the
/// fields that take trained weights]}, or null.
Value explain_value(const Model::Reading& reading);

/// A page that a person understands: per site and group of layers the encoding, its formula, its
/// parameters with their sources, what attention has to know, a line of code for C++, JavaScript
/// and Python; then the warnings. `title` is the name of the file.
std::string explain_page(const Model::Reading& reading, std::string_view title);

}  // namespace posenc
