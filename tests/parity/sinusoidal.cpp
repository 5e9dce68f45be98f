#include "posenc/additive/sinusoidal.hpp"

#include "cases.hpp"
#include "sizes.hpp"

namespace posenc::parity {
namespace {

constexpr double kBases[] = {10000, 1, 2, 500000, 100, 1e30, 1.25};

Label label_of(const SinusoidalConfig& config) {
  Label label;
  label("dim", config.dim)("base", config.base);
  label("layout", config.layout == SinusoidalLayout::half ? "half" : "interleaved");
  label("odd", config.odd_width == OddWidth::sine ? "sine" : "zero");
  return label("denominator", config.frequency_denominator);
}

/// 0 (which stands for dim), and what tensor2tensor and multidim-positional-encoding use.
double denominator(std::size_t dim, std::size_t index) {
  const double width = static_cast<double>(dim);
  const double denominators[] = {0.0, dim > 2 ? width - 2.0 : 1.0, width + 1.0, 0.5 * width + 0.75};
  return turn(denominators, index);
}

template <class Visit>
void for_each_layout(std::size_t dim, const Visit& visit) {
  for (const auto layout : {SinusoidalLayout::interleaved, SinusoidalLayout::half}) {
    visit(SinusoidalConfig{.dim = dim, .layout = layout});
    if (dim % 2 == 0) continue;
    visit(SinusoidalConfig{.dim = dim, .layout = layout, .odd_width = OddWidth::zero});
  }
}

/// Every width with every place; bases and denominators in turns. Then every base and denominator.
template <class Visit>
void for_each_config(const Visit& visit) {
  std::size_t index = 0;
  for (const std::size_t dim : sizes_to(68, {127, 128, 129, 255, 256, 257, 258, 301, 513})) {
    for_each_layout(dim, [&](SinusoidalConfig config) {
      for (const Place& place : kPlaces) {
        config.base = turn(kBases, index);
        config.frequency_denominator = denominator(dim, index / std::size(kBases));
        visit(config, place, 1 + index++ % 3);
      }
    });
  }
  for (const std::size_t dim : sizes_to(0, {2, 15, 64})) {
    for_each_layout(dim, [&](SinusoidalConfig config) {
      for (const double base : kBases) {
        for (std::size_t which = 0; which < 4; ++which) {
          config.base = base;
          config.frequency_denominator = denominator(dim, which);
          visit(config, turn(kPlaces, index++), 9);
        }
      }
    });
  }
}

void table(Cases& cases) {
  for_each_config([&](const SinusoidalConfig& config, const Place& place, std::size_t rows) {
    cases.add_stored(label_of(config)("at", place.name)("rows", rows), [&](Case& one) {
      const Sinusoidal encoding(config);
      const Positions positions = one.positions("positions", place, rows);
      one.succeed(encoding.table(positions, one.output("out", {rows, config.dim})));
    });
  });
}

void add(Cases& cases) {
  for_each_config([&](const SinusoidalConfig& config, const Place& place, std::size_t rows) {
    cases.add_stored(label_of(config)("at", place.name)("rows", rows), [&](Case& one) {
      const Sinusoidal encoding(config);
      const Positions positions = one.positions("positions", place, rows);
      one.succeed(encoding.add(positions, one.in_place("x", {rows, config.dim})));
    });
  });
}

/// What published code does besides: order, scales, timescales, a padding row.
void forms(Cases& cases) {
  std::size_t index = 0;
  for (const std::size_t dim : sizes_to(36, {128, 257})) {
    for_each_layout(dim, [&](SinusoidalConfig config) {
      const bool timescales = index % 3 == 0;
      config.order = index % 2 == 0 ? SinusoidalOrder::cosine_first : SinusoidalOrder::sine_first;
      config.scale = index % 4 < 2 ? 0.25 : -1.7;
      config.position_scale = index % 5 == 0 ? 1000.0 : 0.3;
      if (timescales) config.max_timescale = 1e4;
      if (index % 2 == 0) config.padding_position = 3;
      const Place& place = kPlaces[index++ % 5];
      Label label =
          label_of(config)("scale", config.scale)("position_scale", config.position_scale);
      label("timescales", timescales ? "yes" : "no")("at", place.name);
      cases.add_stored(label, [&](Case& one) {
        const Sinusoidal encoding(config);
        one.result("frequencies", encoding.frequencies());
        const Positions positions = one.positions("positions", place, 5);
        one.succeed(encoding.table(positions, one.output("out", {5, dim})));
        one.succeed(encoding.add(positions, one.in_place("x", {5, dim})));
      });
    });
  }
}

}  // namespace

std::span<const Verb> sinusoidal_verbs() {
  static constexpr Verb kVerbs[] = {
      {"sinusoidal.table", table}, {"sinusoidal.add", add}, {"sinusoidal.forms", forms}};
  return kVerbs;
}

}  // namespace posenc::parity
