#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "conformance/case.hpp"
#include "posenc/core/positions.hpp"

namespace posenc::conformance {

inline constexpr float kHidden = -std::numeric_limits<float>::infinity();

/// Queries and keys of one case; queries come last among the keys unless query_offset says
/// otherwise.
struct Scored {
  std::size_t heads = 1, queries = 0, keys = 0, head_dim = 0, value_dim = 0;
  std::int64_t offset = 0;
  double scale = 1.0;
  bool causal = false;

  Shape shape() const { return {heads, queries, keys}; }
  Positions query_positions() const { return Positions::from(offset, queries); }
  Positions key_positions() const { return Positions::from(0, keys); }
};

Scored scored_of(Case& c);

/// The parameter `scale`; `otherwise` where a word stands for it.
double scale_of(Case& c, double otherwise);

/// Changes attention's output, knowing the probabilities.
using Finish = std::function<void(std::span<const float> probs, std::span<float> out)>;

/// Attention over the terms of an encoding; writes probs and out, the latter after `finish`.
void attend(Case& c, const Scored& s, std::span<const float> bias, const Tensor& q, const Tensor& k,
            const Finish& finish = {});

/// What attention's softmax would read, its own terms being `bias`.
std::vector<float> scores_of(Case& c, const Scored& s, std::span<const float> bias,
                             std::span<const float> q, std::span<const float> k);

}  // namespace posenc::conformance
