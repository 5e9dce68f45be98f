#pragma once

// Private: sums of table rows with weights, computed in double and rounded once.

#include <algorithm>
#include <cstddef>
#include <span>

#include "posenc/core/elements.hpp"
#include "posenc/core/storage.hpp"
#include "posenc/kernels/kernels.hpp"

namespace posenc::detail {

/// weight * (the elements of `rows` from `at` on).
struct WeightedRow {
  double weight = 0.0;
  ConstFloats rows{};
  std::size_t at = 0;
};

/// Terms that one kernel call takes: as many tiles fit beside each other on the stack.
inline constexpr std::size_t kTermBatch = 8;

/// sums[i] += sum over the terms, in order, of weight * row[column + i]; i < count <= kTile.
/// `term(t)` gives term t.
template <class Term>
void accumulate(std::size_t terms, const Term& term, std::size_t column, std::size_t count,
                double* sums) noexcept {
  float tiles[kTermBatch][kTile];
  double weights[kTermBatch];
  const float* sources[kTermBatch];
  for (std::size_t first = 0; first < terms; first += kTermBatch) {
    const std::size_t batch = std::min(kTermBatch, terms - first);
    for (std::size_t i = 0; i < batch; ++i) {
      const WeightedRow row = term(first + i);
      weights[i] = row.weight;
      sources[i] = read(row.rows, row.at + column, count, tiles[i]);
    }
    kernels::active().mix_floats(weights, sources, batch, count, sums);
  }
}

/// Hands the sum of the weighted rows to `put(column, values, count)`, piece by piece.
template <class Put>
void visit_sum(std::span<const WeightedRow> rows, std::size_t dim, kernels::Rounding rounding,
               const Put& put) noexcept {
  float values[kTile];
  for (std::size_t column = 0; column < dim; column += kTile) {
    const std::size_t count = std::min(kTile, dim - column);
    double sums[kTile] = {};
    accumulate(rows.size(), [&](std::size_t i) { return rows[i]; }, column, count, sums);
    kernels::active().narrow_doubles(sums, count, rounding, values);
    put(column, values, count);
  }
}

/// Writes the sum to elements [at, at + dim) of `out`, rounded once.
inline void write_sum(std::span<const WeightedRow> rows, std::size_t dim, Floats out,
                      std::size_t at) noexcept {
  visit_sum(rows, dim, rounding_for(out),
            [&](std::size_t column, const float* values, std::size_t count) {
              write(out, at + column, count, values);
            });
}

/// Adds the sum, rounded to float32, to elements [at, at + dim) of `x`: one float32 addition each.
inline void add_sum(std::span<const WeightedRow> rows, std::size_t dim, Floats x,
                    std::size_t at) noexcept {
  visit_sum(rows, dim, kernels::Rounding::nearest,
            [&](std::size_t column, const float* values, std::size_t count) {
              add({values, count}, 0, x, at + column, count);
            });
}

/// out[at + i] = scale * source[source_at + i], rounded once; bit for bit when the scale is 1 and
/// the types are the same.
inline void copy_scaled(double scale, ConstFloats source, std::size_t source_at, Floats out,
                        std::size_t at, std::size_t count) noexcept {
  if (scale == 1.0) {
    copy(source, source_at, out, at, count);
    return;
  }
  const WeightedRow row{scale, source, source_at};
  write_sum({&row, 1}, count, out, at);
}

/// x[at + i] += scale * terms[term_at + i], the product rounded to float32.
inline void add_scaled(double scale, ConstFloats terms, std::size_t term_at, Floats x,
                       std::size_t at, std::size_t count) noexcept {
  if (scale == 1.0) {
    add(terms, term_at, x, at, count);
    return;
  }
  const WeightedRow row{scale, terms, term_at};
  add_sum({&row, 1}, count, x, at);
}

}  // namespace posenc::detail
