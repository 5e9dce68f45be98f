#include "limits_loops.hpp"

namespace posenc::bench {

Limits limits_avx512() { return limits_here(); }

}  // namespace posenc::bench
