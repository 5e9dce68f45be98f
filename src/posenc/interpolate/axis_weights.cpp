#include "posenc/interpolate/axis_weights.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace posenc::detail {
namespace {

/// Keys' cubic convolution kernel at `x`.
double cubic(double x, double a) noexcept {
  x = std::fabs(x);
  if (x < 1.0) return ((a + 2.0) * x - (a + 3.0)) * x * x + 1.0;
  if (x < 2.0) return ((a * x - 5.0 * a) * x + 8.0 * a) * x - 4.0 * a;
  return 0.0;
}

double triangle(double x) noexcept {
  x = std::fabs(x);
  return x < 1.0 ? 1.0 - x : 0.0;
}

/// A place between old rows: `below` + `fraction`, 0 <= fraction < 1.
struct Place {
  std::int64_t below;
  double fraction;
};

/// numerator / denominator, rounded in the fraction alone.
Place quotient(std::int64_t numerator, std::int64_t denominator) noexcept {
  std::int64_t below = numerator / denominator, rest = numerator % denominator;
  if (rest < 0) {
    rest += denominator;
    --below;
  }
  return {below, static_cast<double>(rest) / static_cast<double>(denominator)};
}

/// Where new row `row` lies among the old ones.
Place place_of(const InterpolateConfig& config, std::int64_t from, std::int64_t to,
               std::int64_t row) noexcept {
  if (config.align_corners) {
    return to == 1 ? Place{0, 0.0} : quotient(row * (from - 1), to - 1);
  }
  if (config.size_offset == 0.0) return quotient((2 * row + 1) * from - to, 2 * to);
  const double step = static_cast<double>(from) / (static_cast<double>(to) + config.size_offset);
  const double at = (static_cast<double>(row) + 0.5) * step - 0.5;
  const double below = std::floor(at);
  return {static_cast<std::int64_t>(below), at - below};
}

/// Adds a term; beyond an edge it reads the edge.
void append(AxisWeights& weights, std::int64_t index, std::size_t from, double weight) {
  const std::int64_t last = static_cast<std::int64_t>(from) - 1;
  weights.index.push_back(static_cast<std::size_t>(std::clamp<std::int64_t>(index, 0, last)));
  weights.weight.push_back(weight);
}

void append_taps(AxisWeights& weights, const InterpolateConfig& config, std::size_t from,
                 Place place) {
  if (config.mode == InterpolationMode::linear) {
    if (place.below < 0) place = {0, 0.0};
    append(weights, place.below, from, 1.0 - place.fraction);
    if (place.fraction != 0.0) append(weights, place.below + 1, from, place.fraction);
    return;
  }
  constexpr double kSharpness = -0.75;
  for (int tap = -1; tap <= 2; ++tap) {
    append(weights, place.below + tap, from, cubic(place.fraction - tap, kSharpness));
  }
}

/// Old rows beyond an edge are left out, and the others' weights divided by their sum.
void append_antialiased(AxisWeights& weights, const InterpolateConfig& config, std::size_t from,
                        std::size_t to, std::size_t row) {
  constexpr double kSharpness = -0.5;
  const bool is_cubic = config.mode == InterpolationMode::cubic;
  const double step = static_cast<double>(from) / (static_cast<double>(to) + config.size_offset);
  const double stretch = std::max(step, 1.0), support = (is_cubic ? 2.0 : 1.0) * stretch;
  const double center = (static_cast<double>(row) + 0.5) * step;
  const double begin = std::max(0.0, std::floor(center - support + 0.5));
  const double end = std::min(static_cast<double>(from), std::floor(center + support + 0.5));
  const std::size_t start = weights.weight.size();
  double sum = 0.0;
  for (auto old = static_cast<std::int64_t>(begin); old < static_cast<std::int64_t>(end); ++old) {
    const double distance = (static_cast<double>(old) + 0.5 - center) / stretch;
    const double weight = is_cubic ? cubic(distance, kSharpness) : triangle(distance);
    append(weights, old, from, weight);
    sum += weight;
  }
  for (std::size_t i = start; i < weights.weight.size(); ++i) weights.weight[i] /= sum;
}

/// Distances of the old rows from the middle: 0, 1, 1 + q, 1 + q + q^2, ..., with the q between
/// 1.01 and 1.5 that brings the last to `reach`: BEiT's bisection.
std::vector<double> geometric_distances(std::size_t count, double reach) {
  std::vector<double> distances(count + 1);
  const auto fill = [&](double q) {
    double power = 1.0;
    for (std::size_t i = 0; i < count; ++i, power *= q) distances[i + 1] = distances[i] + power;
  };
  double low = 1.01, high = 1.5;
  while (high - low > 1e-6) {
    const double q = 0.5 * (low + high);
    fill(q);
    (distances[count] > reach ? high : low) = q;
  }
  return distances;
}

/// Linear between the old rows; beyond the last of them its value stays.
void append_geometric(AxisWeights& weights, const std::vector<double>& distances, std::size_t to,
                      std::size_t row) {
  const std::size_t middle = distances.size() - 1, from = 2 * middle + 1, half = to / 2;
  const double at = static_cast<double>(row) - static_cast<double>(half);
  const double distance = std::fabs(at);
  const auto index = [&](std::size_t step) {
    const auto center = static_cast<std::int64_t>(middle), steps = static_cast<std::int64_t>(step);
    return at < 0.0 ? center - steps : center + steps;
  };
  const auto above =
      static_cast<std::size_t>(std::ranges::lower_bound(distances, distance) - distances.begin());
  if (above > middle || distances[above] == distance) {
    append(weights, index(std::min(above, middle)), from, 1.0);
    return;
  }
  const double right = distances[above], left = distances[above - 1];
  append(weights, index(above - 1), from, (right - distance) / (right - left));
  append(weights, index(above), from, (distance - left) / (right - left));
}

}  // namespace

AxisWeights axis_weights(const InterpolateConfig& config, std::size_t from, std::size_t to) {
  const bool geometric = config.spacing == GridSpacing::geometric;
  const bool same = from == to && config.size_offset == 0.0 && !geometric;
  std::vector<double> distances;
  const std::size_t half = to / 2;
  if (geometric) distances = geometric_distances(from / 2, static_cast<double>(half));
  AxisWeights weights;
  weights.first.reserve(to + 1);
  weights.first.push_back(0);
  for (std::size_t row = 0; row < to; ++row) {
    if (same) {
      append(weights, static_cast<std::int64_t>(row), from, 1.0);
    } else if (geometric) {
      append_geometric(weights, distances, to, row);
    } else if (config.antialias) {
      append_antialiased(weights, config, from, to, row);
    } else {
      append_taps(weights, config, from,
                  place_of(config, static_cast<std::int64_t>(from), static_cast<std::int64_t>(to),
                           static_cast<std::int64_t>(row)));
    }
    weights.first.push_back(weights.weight.size());
  }
  return weights;
}

}  // namespace posenc::detail
