#pragma once

#include <span>
#include <string_view>

#include "conformance/case.hpp"

namespace posenc::conformance {

/// A family of cases and the function that computes its outputs.
struct Family {
  std::string_view name;
  void (*evaluate)(Case& c);
};

/// The families by where the position enters, one file each.
std::span<const Family> additive_families();
/// Grids, interpolation, position ids.
std::span<const Family> grid_families();
std::span<const Family> rotary_families();
std::span<const Family> bias_families();
std::span<const Family> bias_more_families();
std::span<const Family> relative_families();
/// Content-dependent ones: cope, pope, gates, decomposed tables.
std::span<const Family> contextual_families();
std::span<const Family> attention_families();
/// Masks, windows, soft caps, grouped heads, rotation inside.
std::span<const Family> attention_more_families();
std::span<const Family> attention_gradient_families();

}  // namespace posenc::conformance
