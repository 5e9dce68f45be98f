#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "conformance/case.hpp"
#include "posenc/rotary/rope.hpp"

namespace posenc::conformance {

/// The parameter `layout`, half when it is not given.
RopeLayout layout_of(Case& c);

/// head_dim, rotary_dim, rotary_start, base, layout and the scaling that rope_type names, of those
/// that are given.
RopeConfig rope_config(Case& c);

/// The same with the parameter attention_scaling as the attention factor.
RopeConfig scaled_config(Case& c);

using RopeVerb = Status (Rope::*)(Floats, const RotaryArgs&) const noexcept;

/// Input `name` [batch, heads, positions, head_dim] through a verb in place, as output `out`.
void turned(Case& c, const Rope& rope, RopeVerb verb, const std::vector<double>& positions,
            const std::string& name, const std::string& out, RotarySide side = RotarySide::query);

/// Inputs q and k through `apply`.
void turned_q_k(Case& c, const Rope& rope, const std::vector<double>& positions);

/// A parameter of two sizes, height and width.
std::array<std::size_t, 2> pair_of(Case& c, const std::string& name);

/// A whole number that is not negative.
std::size_t size_from(std::int64_t value, const std::string& name);

}  // namespace posenc::conformance
