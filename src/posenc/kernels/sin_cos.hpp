#pragma once

#include "posenc/kernels/bit_ops.hpp"
#include "posenc/kernels/kernels.hpp"
#include "posenc/kernels/loops.hpp"
#include "posenc/kernels/pairs.hpp"
#include "posenc/kernels/rounding.hpp"
#include "posenc/math/quarter_turn_polynomials.hpp"

namespace posenc::kernels {
namespace {

constexpr double kQuarter = 0.25, kHalf = 0.5, kFour = 4.0;
constexpr std::int64_t kBelowSign = std::int64_t{1} << 62;
constexpr double kRoundingShift = 6755399441055744.0;  // 1.5 * 2^52: adding it rounds to an integer

/// A position and its two halves of 26 bits, whose products with a frequency's halves are exact
/// (Veltkamp's splitting, Dekker 1971). One for all lanes, or one each.
template <class D>
struct SplitPosition {
  D whole, high, low;

  explicit SplitPosition(D position) : whole(position) {
    // compilers see both factors, and so that one lane may do for all of them
    const D scaled = position * D(math::kSplitter);
    high = scaled - (scaled - position);
    low = position - high;
  }
};

/// The frequencies of some lanes, in quarter turns per position.
template <class D>
struct TurnLanes {
  D high, split, low;

  TurnLanes(Turns turns, std::size_t i)
      : high(load<D>(turns.high + i)),
        split(load<D>(turns.split + i)),
        low(load<D>(turns.low + i)) {}
  TurnLanes(double turns, double rest)
      : high(turns), split(SplitPosition<D>(high).high), low(rest) {}
};

/// An angle as a whole number of quarter turns and what remains, at most half a quarter.
template <class D>
struct Angle {
  D quarters, remainder;
};

/// The same before its last rounding: what remains is remainder + rest.
template <class D>
struct ExactAngle {
  D quarters, remainder, rest;

  Angle<D> rounded() const { return {quarters, remainder + rest}; }
};

/// position * frequency. The product is taken exactly, as product + error; the subtraction of the
/// nearest integer is exact too, so what remains of the angle keeps all its digits however far the
/// position is and however near the value is to zero.
template <class D>
ExactAngle<D> reduce(const SplitPosition<D>& position, const TurnLanes<D>& turns) {
  const D rest = turns.high - turns.split;
  const D product = position.whole * turns.high;
  const D error = ((position.high * turns.split - product) + position.high * rest +
                   position.low * turns.split) +
                  position.low * rest + position.whole * turns.low;
  const D shift = constant<D>(kRoundingShift);
  const D quarters = (product + shift) - shift;
  return {quarters, product - quarters, error};
}

/// The sum of two angles, reduced again; that of the remainders is exact (Knuth's two-sum), so the
/// sum of axes that nearly cancel keeps its digits too. The quarters are taken modulo 4 so that no
/// number of axes can make them too large.
template <class D>
ExactAngle<D> add_angles(const ExactAngle<D>& a, const ExactAngle<D>& b) {
  const D shift = constant<D>(kRoundingShift);
  const D sum = a.remainder + b.remainder;
  const D of_b = sum - a.remainder;
  const D lost = (a.remainder - (sum - of_b)) + (b.remainder - of_b);
  const D carry = (sum + shift) - shift;
  const D quarters = a.quarters + b.quarters + carry;
  const D fours = ((quarters * constant<D>(kQuarter) + shift) - shift) * constant<D>(kFour);
  return {quarters - fours, sum - carry, lost + (a.rest + b.rest)};
}

/// For single lanes, which are the last ones of a row: one copy for all kernels.
[[gnu::noinline]] inline void sin_cos_quarter(Lane<double> r, Lane<double>& s, Lane<double>& c) {
  math::sin_cos_quarter<BitOps>(r, s, c);
}
template <class D>
POSENC_ALWAYS_INLINE void sin_cos_quarter(D r, D& s, D& c) {
  math::sin_cos_quarter<BitOps>(r, s, c);
}

template <class D>
void sin_cos_lanes(const Angle<D>& angle, D& sine, D& cosine) {
  D s, c;
  sin_cos_quarter(angle.remainder, s, c);
  const D shift = constant<D>(kRoundingShift);
  const auto quarters = bits(angle.quarters + shift);  // the integer in the low bits
  using I = decltype(bits(angle.quarters));
  const D half = angle.quarters * constant<D>(kHalf);
  const auto odd = half != (half + shift) - shift;
  const I sign = constant<I>(kSignBit);
  const I sine_sign = (quarters << 62) & sign;
  const I cosine_sign = ((quarters << 62) + constant<I>(kBelowSign)) & sign;
  sine = from_bits(bits(select(odd, c, s)) ^ sine_sign);
  cosine = from_bits(bits(select(odd, s, c)) ^ cosine_sign);
}

/// One position for all lanes.
struct OnePosition {
  double position;
  Turns turns;

  template <class D>
  Angle<D> at(std::size_t i) const {
    return exact<D>(i).rounded();
  }
  template <class D>
  ExactAngle<D> exact(std::size_t i) const {
    return reduce(SplitPosition<D>(D(position)), TurnLanes<D>(turns, i));
  }
};

/// The sum over axes.
struct AxisSum {
  const AxisTurns* axes;
  std::size_t count;

  template <class D>
  Angle<D> at(std::size_t i) const {
    ExactAngle<D> sum = OnePosition{axes[0].position, axes[0].turns}.exact<D>(i);
    for (std::size_t axis = 1; axis < count; ++axis) {
      sum = add_angles(sum, OnePosition{axes[axis].position, axes[axis].turns}.exact<D>(i));
    }
    return sum.rounded();
  }
};

/// Angles given in radians.
struct Radians {
  const double* radians;

  template <class D>
  Angle<D> at(std::size_t i) const {
    // 2 / pi, as in math/constants.hpp
    const TurnLanes<D> turns(0x1.45f306dc9c883p-1, -0x1.6b01ec5417056p-55);
    return reduce(SplitPosition<D>(load<D>(radians + i)), turns).rounded();
  }
};

/// The factors of a row, the same for all pairs or one each.
struct Scale {
  double sin, cos;
  const double* per_pair;

  template <class D>
  D of(double common, std::size_t i) const {
    return per_pair == nullptr ? D(common) : D(common) * load<D>(per_pair + i);
  }
};

template <class F, class Source>
void sin_cos_floats(const Source& source, const Scale& scale, Rounding rounding, std::size_t i,
                    F& sine, F& cosine) {
  using D = typename WideOf<F>::D;
  constexpr std::size_t parts = F::size / D::size;
  D s[parts], c[parts];
  for (std::size_t part = 0; part < parts; ++part) {
    const std::size_t lane = i + part * D::size;
    sin_cos_lanes(source.template at<D>(lane), s[part], c[part]);
    s[part] = s[part] * scale.of<D>(scale.sin, lane);
    c[part] = c[part] * scale.of<D>(scale.cos, lane);
  }
  sine = to_floats(rounding, s);
  cosine = to_floats(rounding, c);
}

/// Where the sines and the cosines of a row go: to rows of their own, or interleaved where one
/// begins just after the other.
struct SinCosPlace {
  float* sin;
  float* cos;

  bool interleaved() const { return cos == sin + 1 || sin == cos + 1; }
  /// A place of the same order that begins at `memory`; rows of their own are `distance` apart.
  SinCosPlace in(float* memory, std::size_t distance) const {
    if (cos == sin + 1) return {memory, memory + 1};
    if (sin == cos + 1) return {memory + 1, memory};
    return {memory, memory + distance};
  }
  /// Writes the pairs from i on.
  template <bool is_interleaved, class F>
  POSENC_ALWAYS_INLINE void store(std::size_t i, F sine, F cosine) const {
    if constexpr (!is_interleaved) {
      sine.store_unaligned(sin + i);
      cosine.store_unaligned(cos + i);
    } else if (sin < cos) {
      store_interleaved(sin + 2 * i, sine, cosine);
    } else {
      store_interleaved(cos + 2 * i, cosine, sine);
    }
  }
  template <class F>
  POSENC_ALWAYS_INLINE void store(std::size_t i, F sine, F cosine) const {
    if (interleaved()) return store<true>(i, sine, cosine);
    store<false>(i, sine, cosine);
  }
};

template <class Arch, class Source>
void sin_cos_row(const Source& source, const Scale& scale, Rounding rounding, std::size_t count,
                 float* sin, float* cos) {
  sweep<Arch>(count, [&]<class F>(F*, std::size_t i) {
    F sine, cosine;
    sin_cos_floats(source, scale, rounding, i, sine, cosine);
    SinCosPlace{sin, cos}.store(i, sine, cosine);
  });
}

template <class Arch>
void sin_cos(double position, Turns turns, std::size_t count, double sin_scale, double cos_scale,
             Rounding rounding, float* sin, float* cos) noexcept {
  sin_cos_row<Arch>(OnePosition{position, turns}, {sin_scale, cos_scale, nullptr}, rounding, count,
                    sin, cos);
}

template <class Arch>
void sin_cos_axes(const AxisTurns* axes, std::size_t axis_count, std::size_t count,
                  double sin_scale, double cos_scale, const double* scale_per_pair,
                  Rounding rounding, float* sin, float* cos) noexcept {
  sin_cos_row<Arch>(AxisSum{axes, axis_count}, {sin_scale, cos_scale, scale_per_pair}, rounding,
                    count, sin, cos);
}

template <class Arch>
void sin_cos_radians(const double* radians, std::size_t count, double sin_scale, double cos_scale,
                     float* sin, float* cos) noexcept {
  sin_cos_row<Arch>(Radians{radians}, {sin_scale, cos_scale, nullptr}, Rounding::nearest, count,
                    sin, cos);
}

template <class Arch>
void sin_cos_doubles(double position, Turns turns, std::size_t count, double* sin,
                     double* cos) noexcept {
  const OnePosition source{position, turns};
  sweep<Arch>(count, [&]<class F>(F*, std::size_t i) {
    using D = typename WideOf<F>::D;
    for (std::size_t lane = i; lane < i + F::size; lane += D::size) {
      D sine, cosine;
      sin_cos_lanes(source.at<D>(lane), sine, cosine);
      sine.store_unaligned(sin + lane);
      cosine.store_unaligned(cos + lane);
    }
  });
}

}  // namespace
}  // namespace posenc::kernels
