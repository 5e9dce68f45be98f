#pragma once

#include "posenc/kernels/loops.hpp"
#include "posenc/kernels/rounding.hpp"

namespace posenc::kernels {
namespace {

/// A vector's worth of elements at `source`, as doubles.
template <class F, class D, std::size_t parts>
void load_doubles(const float* source, D (&values)[parts]) {
  widen(load<F>(source), values);
}
template <class F, class D, std::size_t parts>
void load_doubles(const double* source, D (&values)[parts]) {
  for (std::size_t part = 0; part < parts; ++part) values[part] = load<D>(source + part * D::size);
}

/// A lane belongs to one element and sums over the terms in order, in double.
template <class Arch, class Source>
void mix_lanes(const double* weights, const Source* const* sources, std::size_t terms,
               std::size_t count, double* sums) {
  sweep<Arch>(count, [&]<class F>(F*, std::size_t i) {
    using D = typename WideOf<F>::D;
    constexpr std::size_t parts = F::size / D::size;
    D sum[parts], values[parts];
    load_doubles<F>(static_cast<const double*>(sums + i), sum);
    for (std::size_t term = 0; term < terms; ++term) {
      load_doubles<F>(sources[term] + i, values);
      for (std::size_t part = 0; part < parts; ++part) {
        sum[part] = sum[part] + D(weights[term]) * values[part];
      }
    }
    for (std::size_t part = 0; part < parts; ++part) {
      sum[part].store_unaligned(sums + i + part * D::size);
    }
  });
}

template <class Arch>
void mix_floats(const double* weights, const float* const* sources, std::size_t terms,
                std::size_t count, double* sums) noexcept {
  mix_lanes<Arch>(weights, sources, terms, count, sums);
}

template <class Arch>
void mix_doubles(const double* weights, const double* const* sources, std::size_t terms,
                 std::size_t count, double* sums) noexcept {
  mix_lanes<Arch>(weights, sources, terms, count, sums);
}

template <class Arch>
void narrow_doubles(const double* values, std::size_t count, Rounding rounding,
                    float* out) noexcept {
  sweep<Arch>(count, [&]<class F>(F*, std::size_t i) {
    using D = typename WideOf<F>::D;
    D lanes[F::size / D::size];
    load_doubles<F>(values + i, lanes);
    to_floats(rounding, lanes).store_unaligned(out + i);
  });
}

}  // namespace
}  // namespace posenc::kernels
