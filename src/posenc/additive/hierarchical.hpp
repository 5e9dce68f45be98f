#pragma once

#include <cstddef>
#include <cstdint>

#include "posenc/core/positions.hpp"
#include "posenc/core/result.hpp"
#include "posenc/core/status.hpp"
#include "posenc/core/storage.hpp"

namespace posenc {

/// Parameters of the hierarchical encoding.
struct HierarchicalConfig {
  /// The trained table [n, dim]: a view of the caller's memory, which must outlive the encoding.
  ConstFloats rows{};
  /// Columns of a row, 1 to 2^24; must divide rows.size().
  std::size_t dim = 0;
  /// Weight of the coarse position: -1000 to 1000, not 1. Su's 0.4 is the usual one. With 0.5
  /// positions i * n + j and j * n + i are the same; with 0 the table repeats.
  double alpha = 0.4;
};

/// Says what is wrong with a config; VALUE_RANGE or SHAPE with the field's name.
Status check(const HierarchicalConfig& config) noexcept;

/// Hierarchical decomposition of a trained table of n rows, which then reaches n^2 positions
/// without training: position p is the coarse p / n and the fine p % n,
///
///     pe[p] = alpha * u[p / n] + (1 - alpha) * u[p % n],  u[i] = (row[i] - alpha * row[0]) /
///                                                                (1 - alpha)
///
/// which is row[p % n] + alpha / (1 - alpha) * (row[p / n] - row[0]), so the first n positions are
/// the trained rows. Source: Su 2020 (bert4keras PositionEmbedding, hierarchical).
class Hierarchical {
 public:
  /// Throws `posenc::Error` when `check(config)` fails. Keeps the view, copies nothing.
  explicit Hierarchical(const HierarchicalConfig& config);

  const HierarchicalConfig& config() const noexcept { return config_; }

  /// n^2, at most kMaxPosition: positions 0 .. max_positions() - 1 have a row.
  std::int64_t max_positions() const noexcept;

  /// Writes the rows of `positions` (whole numbers) to `out` [positions, dim]. The first n are
  /// copied bit for bit. The others are summed in double and rounded once. Error: half an ulp of
  /// the storage type plus 2^-50 * (|a row[p/n]| + |a row[0]| + |row[p%n]|), a = alpha/(1-alpha).
  /// Fails with SHAPE, OVERLAP (out and the table) or POSITION_RANGE (no such row); writes nothing
  /// then. Allocates nothing.
  Status table(const Positions& positions, Floats out) const noexcept;

  /// Adds the rows of `positions` to `x` [positions, dim] in place: the float32 value, and one
  /// float32 addition each.
  Status add(const Positions& positions, Floats x) const noexcept;

 private:
  HierarchicalConfig config_;
};

/// `Hierarchical(config)` without exceptions.
Result<Hierarchical> make(const HierarchicalConfig& config) noexcept;

}  // namespace posenc
