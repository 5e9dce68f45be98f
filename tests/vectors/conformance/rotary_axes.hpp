#pragma once

#include "conformance/case.hpp"

namespace posenc::conformance {

// Families of ropes whose positions have several axes.
void mrope(Case& c);
void vision2d(Case& c);
void mixed_rope(Case& c);
void mrope_index(Case& c);

}  // namespace posenc::conformance
