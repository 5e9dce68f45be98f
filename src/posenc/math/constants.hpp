#pragma once

#include "posenc/math/double_double.hpp"

namespace posenc::math {

// Each constant is right to within 2^-107 relative; digits from mpmath (tests/native/fixtures).

/// 3.141592653589793238462643383279502884
inline constexpr DoubleDouble kPi{0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};

/// pi / 2 = 1.570796326794896619231321691639751442
inline constexpr DoubleDouble kHalfPi{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};

/// 2 / pi = 0.6366197723675813430755350534900574481
inline constexpr DoubleDouble kTwoOverPi{0x1.45f306dc9c883p-1, -0x1.6b01ec5417056p-55};

/// 1 / (2 pi) = 0.1591549430918953357688837633725143620
inline constexpr DoubleDouble kInverseTwoPi{0x1.45f306dc9c883p-3, -0x1.6b01ec5417056p-57};

/// ln 2 = 0.6931471805599453094172321214581765681
inline constexpr DoubleDouble kLn2{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};

}  // namespace posenc::math
