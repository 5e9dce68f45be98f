#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "posenc/core/positions.hpp"
#include "posenc/core/result.hpp"
#include "posenc/core/status.hpp"
#include "posenc/core/storage.hpp"

namespace posenc {

/// Parameters of the learned absolute encoding.
struct LearnedConfig {
  /// The trained table [rows, dim]: a view of the caller's memory, which must outlive the encoding.
  ConstFloats rows{};
  /// Columns of a row, 1 to 2^24; must divide rows.size().
  std::size_t dim = 0;
  /// Position p reads row p + row_offset: 2 for OPT and BART, padding_idx + 1 for RoBERTa.
  std::int64_t row_offset = 0;
  /// What every value is multiplied with, -1e30 to 1e30: x-transformers uses dim^-0.5.
  double scale = 1.0;
  /// The row of the table that padding tokens read, counted from 0 without the offset: it gets no
  /// gradient.
  std::optional<std::int64_t> padding_row{};
};

/// Says what is wrong with a config; VALUE_RANGE or SHAPE with the field's name.
Status check(const LearnedConfig& config) noexcept;

/// Learned absolute positions (BERT, GPT-2, OPT, ViT): row p of a trained table. A position without
/// a row is an error, never a clamp or a wrap.
class Learned {
 public:
  /// Throws `posenc::Error` when `check(config)` fails. Keeps the view, copies nothing.
  explicit Learned(const LearnedConfig& config);

  const LearnedConfig& config() const noexcept { return config_; }

  /// Positions 0 .. max_positions() - 1 have a row.
  std::int64_t max_positions() const noexcept {
    return static_cast<std::int64_t>(config_.rows.size() / config_.dim) - config_.row_offset;
  }

  /// Copies the rows of `positions` (whole numbers) to `out` [positions, dim], bit for bit, or
  /// rounded once where `out` has another storage type or `scale` is not 1.
  /// Fails with SHAPE, OVERLAP (out and the table) or POSITION_RANGE (no such row: the message
  /// says how far the table goes and how to extend it); writes nothing then. Allocates nothing.
  Status table(const Positions& positions, Floats out) const noexcept;

  /// Adds the rows of `positions` to `x` [positions, dim] in place: one float32 addition each.
  Status add(const Positions& positions, Floats x) const noexcept;

  /// The gradient of `table` and `add`: for each position in order, adds scale * `gradient`
  /// [positions, dim] to that position's row of `rows_gradient` [rows, dim], a sum in float32 of
  /// the caller's that starts at zero or goes on. Positions that read `padding_row` add nothing.
  /// Error: one float32 rounding for each addition, in an order that no build or kernel changes.
  /// Fails with SHAPE, OVERLAP or POSITION_RANGE; writes nothing then. Allocates nothing.
  Status scatter(const Positions& positions, ConstFloats gradient,
                 std::span<float> rows_gradient) const noexcept;

 private:
  LearnedConfig config_;
};

/// `Learned(config)` without exceptions.
Result<Learned> make(const LearnedConfig& config) noexcept;

}  // namespace posenc
