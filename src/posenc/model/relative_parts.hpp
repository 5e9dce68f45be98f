#pragma once

// Private: relative encodings that more than one rule ends in.

#include "posenc/model/model_type.hpp"

namespace posenc::detail {

/// BERT's relative_key and, with `both`, relative_key_query: Shaw's rows for every distance.
void emit_bert_shaw(Reading& reading, bool both);

}  // namespace posenc::detail
