#include "additive.hpp"

#include <emscripten/bind.h>

#include "posenc/additive/learned.hpp"
#include "posenc/additive/sinusoidal.hpp"

namespace posenc::wasm {
namespace {

/// SinusoidalConfig with enums as their numbers; padding_position is NaN when it is not given.
struct SinusoidalOptions {
  std::size_t dim;
  double base;
  unsigned layout;
  unsigned odd_width;
  double frequency_denominator;
  unsigned order;
  double scale;
  double position_scale;
  double min_timescale;
  double max_timescale;
  double padding_position;
};

Address sinusoidal_make(const SinusoidalOptions& options) {
  return made<Sinusoidal>([&] {
    SinusoidalConfig config{.dim = options.dim,
                            .base = options.base,
                            .layout = static_cast<SinusoidalLayout>(options.layout),
                            .odd_width = static_cast<OddWidth>(options.odd_width),
                            .frequency_denominator = options.frequency_denominator,
                            .order = static_cast<SinusoidalOrder>(options.order),
                            .scale = options.scale,
                            .position_scale = options.position_scale,
                            .min_timescale = options.min_timescale,
                            .max_timescale = options.max_timescale};
    if (const std::optional<double> position = given(options.padding_position)) {
      config.padding_position = static_cast<std::int64_t>(*position);
    }
    return config;
  });
}

Address sinusoidal_frequencies(Address self) {
  return reinterpret_cast<Address>(at<Sinusoidal>(self).frequencies().data());
}
std::size_t sinusoidal_frequency_count(Address self) {
  return at<Sinusoidal>(self).frequencies().size();
}

/// LearnedConfig with the rows as address and count.
struct LearnedOptions {
  Address rows;
  std::size_t row_values;
  std::size_t dim;
  double row_offset;
};

Address learned_make(const LearnedOptions& options) {
  return made<Learned>([&] {
    return LearnedConfig{.rows = floats(options.rows, options.row_values),
                         .dim = options.dim,
                         .row_offset = static_cast<std::int64_t>(options.row_offset)};
  });
}

double learned_max_positions(Address self) {
  return static_cast<double>(at<Learned>(self).max_positions());
}

}  // namespace

EMSCRIPTEN_BINDINGS(additive) {
  emscripten::value_object<SinusoidalOptions>("SinusoidalOptions")
      .field("dim", &SinusoidalOptions::dim)
      .field("base", &SinusoidalOptions::base)
      .field("layout", &SinusoidalOptions::layout)
      .field("oddWidth", &SinusoidalOptions::odd_width)
      .field("frequencyDenominator", &SinusoidalOptions::frequency_denominator)
      .field("order", &SinusoidalOptions::order)
      .field("scale", &SinusoidalOptions::scale)
      .field("positionScale", &SinusoidalOptions::position_scale)
      .field("minTimescale", &SinusoidalOptions::min_timescale)
      .field("maxTimescale", &SinusoidalOptions::max_timescale)
      .field("paddingPosition", &SinusoidalOptions::padding_position);
  emscripten::function("sinusoidal_make", &sinusoidal_make);
  emscripten::function("sinusoidal_dispose", &disposed<Sinusoidal>);
  emscripten::function("sinusoidal_frequencies", &sinusoidal_frequencies);
  emscripten::function("sinusoidal_frequency_count", &sinusoidal_frequency_count);
  emscripten::function("sinusoidal_table", &table<Sinusoidal>);
  emscripten::function("sinusoidal_add", &add<Sinusoidal>);

  emscripten::value_object<LearnedOptions>("LearnedOptions")
      .field("rows", &LearnedOptions::rows)
      .field("rowValues", &LearnedOptions::row_values)
      .field("dim", &LearnedOptions::dim)
      .field("rowOffset", &LearnedOptions::row_offset);
  emscripten::function("learned_make", &learned_make);
  emscripten::function("learned_dispose", &disposed<Learned>);
  emscripten::function("learned_max_positions", &learned_max_positions);
  emscripten::function("learned_table", &table<Learned>);
  emscripten::function("learned_add", &add<Learned>);
}

}  // namespace posenc::wasm
