#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace posenc::kernels {

/// Bytes of a line of the cache.
inline constexpr std::size_t kLineBytes = 64;

/// Frequencies in quarter turns per position, as `Frequencies` keeps them: three arrays.
struct Turns {
  const double* high;
  const double* split;
  const double* low;
};

/// A position along one axis, and the frequencies of that axis.
struct AxisTurns {
  double position;
  Turns turns;
};

/// Rows of heads to rotate: row r of head h starts at x + h * head_stride + r * stride, is written
/// as far from y, and uses the table row at cos + r * table_stride. x and y are the same rows or do
/// not overlap.
struct RotateRows {
  const float* x;
  float* y;
  const float* cos;
  const float* sin;
  std::size_t heads;
  std::size_t rows;
  std::size_t pairs;
  /// Distance from a pair's first element to its second; 1 when interleaved.
  std::size_t pair_distance;
  std::size_t head_stride;
  std::size_t stride;
  std::size_t table_stride;
};

/// Rows of `size` bytes, row r at source + r * source_step, to be copied to out + r * out_stride
/// (in bytes), which nothing of the source overlaps.
struct CopyRows {
  const char* source;
  std::ptrdiff_t source_step;
  std::size_t rows;
  std::size_t size;
  char* out;
  std::size_t out_stride;
};

/// How a value computed in double becomes a float: to nearest, or to odd (inexact values get an odd
/// last bit) where the float is rounded once more, to a 16-bit type; that second rounding then
/// gives what one from the double would (Boldo and Melquiond 2008).
enum class Rounding : unsigned char { nearest, odd };

/// Pairs of frequencies whose sines and cosines are summed together, at most and at least, and rows
/// in one call.
inline constexpr std::size_t kSinCosPairs = 256;
inline constexpr std::size_t kSinCosLeastPairs = 16;
inline constexpr std::size_t kSinCosRows = 32;

/// Row r holds sin_scale * sin((position + r) * f[i]) and cos_scale * cos(...), i < pairs and
/// r < rows <= kSinCosRows, at sin + r * stride and cos + r * stride. Pairs are kSinCosLeastPairs
/// to kSinCosPairs, the scales have the same magnitude, in [2^-16, 2^16], and no |position * f|
/// exceeds 2^48 quarter turns.
struct SinCosSums {
  double position;
  Turns turns;
  std::size_t pairs;
  std::size_t rows;
  double sin_scale;
  double cos_scale;
  /// Sines and cosines [2, pairs] of the middle, (position + (kSinCosRows - 1) / 2) * f[i], times
  /// the scales. Turned on by kSinCosRows positions at the end, unless `turn` is null.
  double* base;
  /// Those of kSinCosRows * f[i], and [kSinCosRows / 2, 2, pairs] of (r + 1/2) * f[i], the sines
  /// negative if one of the scales is.
  const double* turn;
  const double* steps;
  float* sin;
  float* cos;
  std::size_t stride;
  /// Whether rows go around the caches, where `streams`; `finish_streams` comes after the last.
  bool streamed;
};

/// Rows of queries, row r at queries + r * query_stride, `blocks` blocks of packed keys
/// [block][head_dim][kBlock], and where their products go: row r to out + r * out_stride.
struct ScoreRows {
  const float* queries;
  std::size_t rows;
  std::size_t query_stride;
  const float* packed_keys;
  std::size_t blocks;
  std::size_t head_dim;
  float scale;
  float* out;
  std::size_t out_stride;
};

/// Sums of `terms` rows of values, row t at values + t * value_stride, `width` columns: one for
/// each of `rows` rows of weights, weight (r, t) at weights + r * weight_row_stride + t *
/// weight_term_stride. Row r is at out + r * out_stride.
struct WeightedRows {
  const float* weights;
  std::size_t rows;
  std::size_t weight_row_stride;
  std::size_t weight_term_stride;
  const float* values;
  std::size_t terms;
  std::size_t value_stride;
  std::size_t width;
  float* out;
  std::size_t out_stride;
};

/// Keys of attention are packed in blocks of this many, and its row sums run in this many lanes, on
/// every architecture.
inline constexpr std::size_t kBlock = 16;

/// The kernels of one architecture. All give the same bits, but for the fast ones.
struct Kernels {
  const char* name;
  /// Whether there are stores that go around the caches.
  bool streams;

  /// sin[i] = sin_scale * sin(position * f[i]) and cos likewise, i < count, computed in double and
  /// rounded once; interleaved where cos == sin + 1 or sin == cos + 1, as in all that give floats.
  /// Precondition: |position * f| < 2^51 quarter turns.
  void (*sin_cos)(double position, Turns turns, std::size_t count, double sin_scale,
                  double cos_scale, Rounding rounding, float* sin, float* cos) noexcept;
  /// The same for the sum over the axes, at least one, of position * f[i], and with factors of
  /// their own for the pairs, beside the common ones, unless `scale_per_pair` is null.
  void (*sin_cos_axes)(const AxisTurns* axes, std::size_t axis_count, std::size_t count,
                       double sin_scale, double cos_scale, const double* scale_per_pair,
                       Rounding rounding, float* sin, float* cos) noexcept;
  /// The same for angles in radians, |radians| < 2^51.
  void (*sin_cos_radians)(const double* radians, std::size_t count, double sin_scale,
                          double cos_scale, float* sin, float* cos) noexcept;
  /// sin(position * f[i]) and cos(position * f[i]), i < count, in double.
  void (*sin_cos_doubles)(double position, Turns turns, std::size_t count, double* sin,
                          double* cos) noexcept;
  /// The bits of `sin_cos`, rounded to nearest, for rows of consecutive positions, from what
  /// `sin_cos_doubles` gives.
  void (*sin_cos_sums)(const SinCosSums& sums) noexcept;
  void (*finish_streams)() noexcept;

  void (*rotate_half)(const RotateRows& rows) noexcept;
  void (*rotate_interleaved)(const RotateRows& rows) noexcept;

  /// 16-bit storage to float, exactly, and back, to nearest even.
  void (*widen_float16)(const std::uint16_t* source, float* target, std::size_t count) noexcept;
  void (*widen_bfloat16)(const std::uint16_t* source, float* target, std::size_t count) noexcept;
  void (*narrow_float16)(const float* source, std::uint16_t* target, std::size_t count) noexcept;
  void (*narrow_bfloat16)(const float* source, std::uint16_t* target, std::size_t count) noexcept;

  /// x[i] += term[i].
  void (*add)(const float* term, float* x, std::size_t count) noexcept;

  /// out[i] = slope * (first + i), computed in double and rounded once.
  void (*line)(double slope, double first, std::size_t count, Rounding rounding,
               float* out) noexcept;

  /// sums[i] += weights[t] * sources[t][i] over the terms t in order, i < count, in double.
  void (*mix_floats)(const double* weights, const float* const* sources, std::size_t terms,
                     std::size_t count, double* sums) noexcept;
  void (*mix_doubles)(const double* weights, const double* const* sources, std::size_t terms,
                      std::size_t count, double* sums) noexcept;
  /// out[i] = values[i] rounded once.
  void (*narrow_doubles)(const double* values, std::size_t count, Rounding rounding,
                         float* out) noexcept;

  /// Copies the rows; `streamed` around the caches, where `streams`.
  void (*copy_rows)(const CopyRows& rows, bool streamed) noexcept;
  /// out[r][j] = scale * (query r . key j), each product summed along head_dim in order.
  void (*scores)(const ScoreRows& rows) noexcept;
  /// row[i] = cap * tanh(row[i] / cap).
  void (*soft_cap)(float cap, float* row, std::size_t count) noexcept;
  /// row[i] = mask[i] where that is negative.
  void (*hide)(const float* mask, float* row, std::size_t count) noexcept;
  /// row = e^(row - its maximum) over `blocks` whole blocks, 0 below e^-69, and returns their sum:
  /// what softmax divides by. All -infinity gives zeros and 1.
  float (*softmax_weights)(float* row, std::size_t blocks) noexcept;
  /// row[i] = row[i] / divisor
  void (*divide)(float divisor, float* row, std::size_t count) noexcept;
  /// gradient = weight * (gradient - sum of weight * gradient) over `blocks` whole blocks, summed
  /// as softmax sums; 0 where the weight is 0.
  void (*softmax_backward)(const float* weights, float* gradients, std::size_t blocks) noexcept;
  /// gradient[i] = scale * gradient[i] * (1 - (capped[i] / cap)^2), without the last factor where
  /// cap is 0: from scores to products.
  void (*product_backward)(const float* capped, float cap, float scale, float* gradients,
                           std::size_t count) noexcept;
  /// out[r][c] += weight(r, t) * values[t][c] for the terms t in order, c < width.
  void (*weighted_sums)(const WeightedRows& rows) noexcept;

  /// `scores`, `softmax_weights` and `weighted_sums` with products and sums in one rounding, where
  /// the architecture has that: these alone differ between architectures.
  void (*fast_scores)(const ScoreRows& rows) noexcept;
  float (*fast_softmax_weights)(float* row, std::size_t blocks) noexcept;
  void (*fast_weighted_sums)(const WeightedRows& rows) noexcept;
};

/// The kernels in use: the best that this processor has, or the ones that the environment variable
/// POSENC_KERNEL names, if it has them. Chosen on first use.
const Kernels& active() noexcept;

/// Whether output of so many bytes is to go around the caches: it would not stay in them.
inline bool streams(std::size_t bytes) noexcept {
  return active().streams && bytes >= std::size_t{4} << 20;
}

/// The kernels that this build and this processor have, best first; "scalar" is always the last.
std::span<const Kernels* const> available() noexcept;

/// Puts the kernels of that name in use; false when there are none. For tests and benchmarks: not
/// to be called while verbs run on other threads.
bool use(std::string_view name) noexcept;

}  // namespace posenc::kernels
