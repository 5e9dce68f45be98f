#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "posenc/core/result.hpp"
#include "posenc/core/status.hpp"
#include "posenc/core/storage.hpp"

namespace posenc {

/// Parameters of decomposed 2-D relative positions.
struct DecomposedConfig {
  /// Cells of the query's and the key's grid, row-major; each side 1 to 2048.
  std::size_t query_height = 0;
  std::size_t query_width = 0;
  std::size_t key_height = 0;
  std::size_t key_width = 0;
  /// Width of a head, 1 to 4096.
  std::size_t head_dim = 0;
  /// The trained tables rel_pos_h and rel_pos_w [rows, head_dim]; copied. A table with other than
  /// 2 max(query side, key side) - 1 rows is resized to that, linearly with half-pixel centres, as
  /// the published code does; at most 4096 rows.
  ConstFloats table_h{};
  ConstFloats table_w{};
};

/// Says what is wrong with a config; VALUE_RANGE or SHAPE with the field's name.
Status check(const DecomposedConfig& config) noexcept;

/// SAM's and MViTv2's relative positions: the score of a query cell (y, x) and a key cell (ky, kx)
/// gets q . Rh[y, ky] + q . Rw[x, kx]. The row of a pair is
/// trunc(y max(K/Q, 1) - ky max(Q/K, 1) + (K - 1) max(Q/K, 1)). q is not scaled.
/// Source: Li et al. 2021, arXiv 2112.01526; segment-anything. Verbs allocate nothing.
class Decomposed {
 public:
  /// Throws `posenc::Error` when `check(config)` fails, std::bad_alloc when memory runs out.
  explicit Decomposed(const DecomposedConfig& config);

  const DecomposedConfig& config() const noexcept { return config_; }

  /// Writes the terms to `out` [heads, queries, keys], what attention reads as `ScoreTerms::bias`
  /// (float32 whatever the storage type of q); q is [heads, queries, head_dim], heads including the
  /// batch. Error: at most (head_dim + 3) * 2^-24 * sum of |products|. Fails with SHAPE, SIZE_LIMIT
  /// or OVERLAP.
  Status scores(ConstFloats q, std::span<float> out) const noexcept;

 private:
  DecomposedConfig config_;
  std::vector<float> packed_h_;
  std::vector<float> packed_w_;
};

/// `Decomposed(config)` without exceptions.
Result<Decomposed> make(const DecomposedConfig& config) noexcept;

}  // namespace posenc
