#include <cmath>

#include "conformance/families.hpp"
#include "posenc/additive/hierarchical.hpp"
#include "posenc/additive/layout_boxes.hpp"
#include "posenc/additive/learned.hpp"
#include "posenc/additive/sinusoidal.hpp"

namespace posenc::conformance {
namespace {

void write_table(Case& c, const SinusoidalConfig& config, const std::vector<double>& positions,
                 const std::string& name = "pe") {
  const Sinusoidal sinusoidal(config);
  const Shape shape{positions.size(), config.dim};
  std::vector<float> pe = c.room(shape);
  sinusoidal.table(Positions::of(std::span<const double>(positions)), pe).or_throw();
  c.output(name, shape, pe);
}

void interleaved(Case& c) {
  c.one_of("layout", {"interleaved"});
  const SinusoidalConfig config{.dim = c.size("dim"),
                                .base = c.number("base"),
                                .frequency_denominator = c.number("frequency_denominator")};
  write_table(c, config, c.positions());
}

void half_marian(Case& c) {
  c.one_of("layout", {"half-concatenated"});
  c.one_of("exponent", {"2i/dim"});
  const std::size_t dim = c.size("dim");
  const bool scaled = c.has("scale");
  c.one_of("scale", {"dim^-0.5 (initial value of the learned scale)"});
  const SinusoidalConfig config{.dim = dim,
                                .base = c.number("base"),
                                .layout = SinusoidalLayout::half,
                                .scale = scaled ? 1.0 / std::sqrt(static_cast<double>(dim)) : 1.0};
  write_table(c, config, c.positions());
}

/// tensor2tensor's exponent i / (dim/2 - 1). With one frequency it is 1 whatever the exponent.
void half_t2t(Case& c) {
  c.one_of("layout", {"half-concatenated"});
  c.one_of("exponent", {"i/(half-1)", "i/max(half-1,1)"});
  const std::size_t dim = c.size("dim");
  const std::size_t half = dim / 2;
  SinusoidalConfig config{
      .dim = dim, .layout = SinusoidalLayout::half, .odd_width = OddWidth::zero};
  if (c.has("max_timescale")) {
    config.min_timescale = c.number("min_timescale");
    config.max_timescale = c.number("max_timescale");
  } else {
    config.base = c.number("base");
    config.frequency_denominator = half > 1 ? 2.0 * static_cast<double>(half - 1) : 0.0;
  }
  if (c.has("padding_idx") && !c.any("padding_idx").is_null()) {
    config.padding_position = c.whole("padding_idx");
  }
  write_table(c, config, c.positions(c.whole_or("start_index", 0)));
}

void whisper_sinusoids(Case& c) {
  const SinusoidalConfig config{.dim = c.size("dim"),
                                .layout = SinusoidalLayout::half,
                                .odd_width = OddWidth::zero,
                                .max_timescale = c.number("max_timescale")};
  write_table(c, config, c.positions());
}

void ddpm_timestep(Case& c) {
  c.one_of("order", {"cos_sin", "sin_cos"});
  c.one_of("exponent_denominator", {"half", "half-1"});
  const std::size_t dim = c.size("dim");
  const std::size_t less = c.any("exponent_denominator") == "half" ? 0 : 1;
  const std::size_t steps = dim / 2 > less ? dim / 2 - less : 0;
  const SinusoidalConfig config{.dim = dim,
                                .base = c.number("max_period"),
                                .layout = SinusoidalLayout::half,
                                .odd_width = OddWidth::zero,
                                .frequency_denominator = 2.0 * static_cast<double>(steps),
                                .order = c.any("order") == "cos_sin" ? SinusoidalOrder::cosine_first
                                                                     : SinusoidalOrder::sine_first,
                                .position_scale = c.number("scale")};
  const Tensor timesteps = c.input("timesteps");
  const std::vector<double> positions(timesteps.values.begin(), timesteps.values.end());
  write_table(c, config, positions, "embedding");
}

void hierarchical(Case& c) {
  const std::size_t rows = c.size("rows"), dim = c.size("dim");
  const Tensor table = c.input("table", {rows, dim});
  const Hierarchical encoding({.rows = table.values, .dim = dim, .alpha = c.number("alpha")});
  const std::vector<double> positions = c.positions();
  const Shape shape{positions.size(), dim};
  std::vector<float> pe = c.room(shape);
  encoding.table(Positions::of(std::span<const double>(positions)), pe).or_throw();
  c.output("pe", shape, pe);
}

void layoutlm_boxes(Case& c) {
  const std::size_t dim = c.size("dim"), tokens = c.size("tokens"), rows = c.size("max_2d");
  const Tensor x = c.input("x_table", {rows, dim}), y = c.input("y_table", {rows, dim});
  const Tensor h = c.input("h_table", {rows, dim}), w = c.input("w_table", {rows, dim});
  const Tensor position = c.input("position_table", {c.size("max_positions"), dim});
  const LayoutBoxes encoding({.dim = dim,
                              .x_rows = x.values,
                              .y_rows = y.values,
                              .height_rows = h.values,
                              .width_rows = w.values,
                              .position_rows = position.values});
  const std::vector<std::int64_t> wide = c.whole_input("boxes");
  const std::vector<std::int32_t> boxes(wide.begin(), wide.end());
  const std::vector<std::int64_t> positions = c.whole_input("positions");
  const Shape shape{tokens, dim};
  std::vector<float> pe = c.room(shape);
  encoding.table(boxes, Positions::of(std::span<const std::int64_t>(positions)), pe).or_throw();
  c.output("pe", shape, pe);
}

void table_scatter(Case& c) {
  const std::size_t rows = c.size("rows"), dim = c.size("dim");
  const Shape shape{rows, dim};
  const std::vector<float> table = c.room(shape);
  LearnedConfig config{.rows = table, .dim = dim, .scale = c.number("scale")};
  if (c.has("padding_row") && !c.any("padding_row").is_null()) {
    config.padding_row = c.whole("padding_row");
  }
  const std::vector<std::int64_t> ids = c.whole_input("ids");
  const Tensor gradient = c.input("dout");
  std::vector<float> sums = c.room(shape);
  const Positions positions = Positions::of(std::span<const std::int64_t>(ids));
  Learned(config).scatter(positions, gradient.values, sums).or_throw();
  c.output("dtable", shape, sums);
}

constexpr Family kFamilies[] = {
    {"interleaved", interleaved},
    {"half_marian", half_marian},
    {"half_t2t", half_t2t},
    {"whisper_sinusoids", whisper_sinusoids},
    {"ddpm_timestep", ddpm_timestep},
    {"hierarchical", hierarchical},
    {"layoutlm_boxes", layoutlm_boxes},
    {"table_scatter", table_scatter},
};

}  // namespace

std::span<const Family> additive_families() { return kFamilies; }

}  // namespace posenc::conformance
