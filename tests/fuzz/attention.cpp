#include "attention_call.hpp"

namespace posenc::fuzz {

Tally fuzz_attention(const Options& options) { return Runner<AttentionCall>(options).run(); }

}  // namespace posenc::fuzz
