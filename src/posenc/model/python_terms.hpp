#pragma once

// Private: an encoding in the terms of Python code.

#include <string>

#include "posenc/model/encodings.hpp"

namespace posenc::detail {

/// A line of Python: transformers' rope_parameters, or the layer of torch.nn that holds the table.
std::string python_terms(const ModelEncoding& encoding);

}  // namespace posenc::detail
