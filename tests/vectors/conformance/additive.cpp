#include "conformance/families.hpp"
#include "posenc/additive/sinusoidal.hpp"

namespace posenc::conformance {
namespace {

void write_table(Case& c, const SinusoidalConfig& config, const std::vector<double>& positions) {
  const Sinusoidal sinusoidal(config);
  const Shape shape{positions.size(), config.dim};
  std::vector<float> pe = c.room(shape);
  sinusoidal.table(Positions::of(std::span<const double>(positions)), pe).or_throw();
  c.output("pe", shape, pe);
}

void interleaved(Case& c) {
  c.only("layout", {"interleaved"});
  const SinusoidalConfig config{.dim = c.size("dim"),
                                .base = c.number("base"),
                                .frequency_denominator = c.number("frequency_denominator")};
  write_table(c, config, c.positions());
}

void half_marian(Case& c) {
  c.only("layout", {"half-concatenated"});
  c.only("exponent", {"2i/dim"});
  const SinusoidalConfig config{
      .dim = c.size("dim"), .base = c.number("base"), .layout = SinusoidalLayout::half};
  write_table(c, config, c.positions());
}

/// tensor2tensor's exponent i / (dim/2 - 1). With one frequency it is 1 whatever the exponent.
void half_t2t(Case& c) {
  c.only("layout", {"half-concatenated"});
  c.only("exponent", {"i/(half-1)", "i/max(half-1,1)"});
  c.only("padding_idx", {nullptr});
  c.only("min_timescale", {1});
  const std::size_t dim = c.size("dim");
  const std::size_t half = dim / 2;
  const SinusoidalConfig config{
      .dim = dim,
      .base = c.number(c.has("max_timescale") ? "max_timescale" : "base"),
      .layout = SinusoidalLayout::half,
      .odd_width = OddWidth::zero,
      .frequency_denominator = half > 1 ? 2.0 * static_cast<double>(half - 1) : 0.0};
  write_table(c, config, c.positions(c.whole_or("start_index", 0)));
}

constexpr Family kFamilies[] = {
    {"interleaved", interleaved},
    {"half_marian", half_marian},
    {"half_t2t", half_t2t},
};

}  // namespace

std::span<const Family> additive_families() { return kFamilies; }

}  // namespace posenc::conformance
