#pragma once

#include "posenc/kernels/kernels.hpp"
#include "posenc/kernels/ops.hpp"
#include "posenc/math/quarter_turn_polynomials.hpp"

namespace posenc::kernels {
namespace {

/// A position and its two halves of 26 bits, whose products with a frequency's halves are exact
/// (Veltkamp's splitting, Dekker 1971).
struct SplitPosition {
  double whole, high, low;

  explicit SplitPosition(double position) : whole(position) {
    const double scaled = position * 134217729.0;  // 2^27 + 1
    high = scaled - (scaled - position);
    low = position - high;
  }
};

/// Sine and cosine of position * frequency, the frequency in quarter turns.
///
/// The product is taken exactly, as product + error; the nearest integer is the number of quarter
/// turns and its subtraction is exact, so what remains of the angle keeps all its digits however
/// far the position is and however near the value is to zero.
template <class D>
void sin_cos_lanes(const SplitPosition& position, Turns turns, std::size_t i, D& sine, D& cosine) {
  const D high = load<D>(turns.high + i);
  const D split = load<D>(turns.split + i);
  const D rest = high - split;
  const D whole(position.whole), upper(position.high), lower(position.low);

  const D product = whole * high;
  const D error = ((upper * split - product) + upper * rest + lower * split) + lower * rest +
                  whole * load<D>(turns.low + i);

  const D shift(
      6755399441055744.0);  // 1.5 * 2^52: adding it rounds to an integer, kept in the low bits
  const D shifted = product + shift;
  const D remainder = (product - (shifted - shift)) + error;

  D s, c;
  math::sin_cos_quarter(remainder, s, c);

  using I = decltype(bits(shifted));
  const I quarter = bits(shifted);
  const D half = (shifted - shift) * D(0.5);
  const auto odd = half != (half + shift) - shift;
  const I sign(static_cast<std::int64_t>(0x8000000000000000u));
  const I sine_sign = (quarter << 62) & sign;
  const I cosine_sign = ((quarter + I(1)) << 62) & sign;
  sine = from_bits(bits(select(odd, c, s)) ^ sine_sign);
  cosine = from_bits(bits(select(odd, s, c)) ^ cosine_sign);
}

template <Rounding rounding, class F>
void sin_cos_floats(const SplitPosition& position, Turns turns, std::size_t i, double sin_scale,
                    double cos_scale, F& sine, F& cosine) {
  using D = typename WideOf<F>::D;
  constexpr std::size_t parts = F::size / D::size;
  D s[parts], c[parts];
  for (std::size_t part = 0; part < parts; ++part) {
    sin_cos_lanes(position, turns, i + part * D::size, s[part], c[part]);
    s[part] = s[part] * D(sin_scale);
    c[part] = c[part] * D(cos_scale);
  }
  sine = to_floats<rounding>(s);
  cosine = to_floats<rounding>(c);
}

template <class Arch, Rounding rounding>
void sin_cos_rounded(const SplitPosition& position, Turns turns, std::size_t count,
                     double sin_scale, double cos_scale, float* sin, float* cos) {
  sweep<Arch>(count, [&]<class F>(F*, std::size_t i) {
    F sine, cosine;
    sin_cos_floats<rounding>(position, turns, i, sin_scale, cos_scale, sine, cosine);
    sine.store_unaligned(sin + i);
    cosine.store_unaligned(cos + i);
  });
}

template <class Arch>
void sin_cos(double position, Turns turns, std::size_t count, double sin_scale, double cos_scale,
             Rounding rounding, float* sin, float* cos) noexcept {
  const auto run = rounding == Rounding::nearest ? sin_cos_rounded<Arch, Rounding::nearest>
                                                 : sin_cos_rounded<Arch, Rounding::odd>;
  run(SplitPosition(position), turns, count, sin_scale, cos_scale, sin, cos);
}

template <class Arch, Rounding rounding>
void sin_cos_interleaved_rounded(const SplitPosition& position, Turns turns, std::size_t count,
                                 float* out) {
  sweep<Arch>(count, [&]<class F>(F*, std::size_t i) {
    F sine, cosine;
    sin_cos_floats<rounding>(position, turns, i, 1.0, 1.0, sine, cosine);
    store_interleaved(out + 2 * i, sine, cosine);
  });
}

template <class Arch>
void sin_cos_interleaved(double position, Turns turns, std::size_t count, Rounding rounding,
                         float* out) noexcept {
  const auto run = rounding == Rounding::nearest
                       ? sin_cos_interleaved_rounded<Arch, Rounding::nearest>
                       : sin_cos_interleaved_rounded<Arch, Rounding::odd>;
  run(SplitPosition(position), turns, count, out);
}

}  // namespace
}  // namespace posenc::kernels
