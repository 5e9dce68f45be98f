#include "limits_loops.hpp"

namespace posenc::bench {

Limits limits_baseline() { return limits_here(); }

}  // namespace posenc::bench
