#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "posenc/core/positions.hpp"
#include "posenc/core/result.hpp"
#include "posenc/core/status.hpp"
#include "posenc/core/storage.hpp"

namespace posenc {

/// Parameters of the box encoding: trained tables, views of the caller's memory that must outlive
/// the encoding. Each has rows of `dim` elements, as many as it likes.
struct LayoutBoxesConfig {
  /// Columns of a row, 1 to 2^24; must divide the size of every table.
  std::size_t dim = 0;
  ConstFloats x_rows{};
  ConstFloats y_rows{};
  ConstFloats height_rows{};
  ConstFloats width_rows{};
  /// Rows of the token's place in the text; empty: that term is left out.
  ConstFloats position_rows{};
};

/// Says what is wrong with a config; VALUE_RANGE or SHAPE with the field's name.
Status check(const LayoutBoxesConfig& config) noexcept;

/// Positions of tokens on a page: rows of several trained tables, chosen by the token's box and
/// summed,
///
///     position[p] + x[x0] + y[y0] + x[x1] + y[y1] + height[y1 - y0] + width[x1 - x0]
///
/// Source: LayoutLM (Xu et al. 2020, arXiv 1912.13318; transformers LayoutLMEmbeddings).
class LayoutBoxes {
 public:
  /// Throws `posenc::Error` when `check(config)` fails. Keeps the views, copies nothing.
  explicit LayoutBoxes(const LayoutBoxesConfig& config);

  const LayoutBoxesConfig& config() const noexcept { return config_; }

  /// Writes the rows of `boxes` [tokens, 4], each (x0, y0, x1, y1), to `out` [tokens, dim];
  /// `positions` has one whole number per token, none when the config has no position_rows.
  /// Summed in double in the order above and rounded once. Error: half an ulp of the storage type
  /// plus 2^-50 times the sum of the terms' magnitudes.
  /// Fails with SHAPE, OVERLAP (out and a table) or POSITION_RANGE (no such row, or a box whose
  /// ends are in the wrong order); writes nothing then. Allocates nothing.
  Status table(std::span<const std::int32_t> boxes, const Positions& positions,
               Floats out) const noexcept;

  /// Adds the rows to `x` [tokens, dim] in place: the float32 value, and one float32 addition each.
  Status add(std::span<const std::int32_t> boxes, const Positions& positions,
             Floats x) const noexcept;

 private:
  LayoutBoxesConfig config_;
};

/// `LayoutBoxes(config)` without exceptions.
Result<LayoutBoxes> make(const LayoutBoxesConfig& config) noexcept;

}  // namespace posenc
