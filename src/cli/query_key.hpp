#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "cli/tensor_file.hpp"
#include "cli/writer.hpp"
#include "posenc/core/positions.hpp"
#include "posenc/core/status.hpp"

namespace posenc::cli {

/// The queries, and keys if an encoding reads them, of `posenc scores`.
struct QueryKeyOptions {
  std::string q, k;
  std::uint32_t keys = 0;
  std::optional<std::int64_t> query_offset;
  std::optional<double> scale;
  OutputOptions output;

  /// --q and --k.
  void add_tensors(CLI::App& app);
  /// --q and --keys.
  void add_queries(CLI::App& app);
  /// --query-offset and those of the output.
  void add_rest(CLI::App& app);
  /// --scale.
  void add_scale(CLI::App& app);
};

/// What the files hold: q [heads, queries, head_dim], k [heads, keys, head_dim].
struct QueryKey {
  explicit QueryKey(const QueryKeyOptions& options);

  std::size_t heads() const { return static_cast<std::size_t>(q.shape[0]); }
  std::size_t head_dim() const { return q.columns(); }
  Positions query_positions() const {
    return Positions::from(query_offset, static_cast<std::size_t>(q.shape[1]));
  }
  Positions key_positions() const { return Positions::from(0, keys); }
  /// Writes what `verb` gives, [heads, queries, keys].
  void write(const OutputOptions& output,
             const std::function<Status(std::span<float>)>& verb) const;

  FileTensor q, k;
  std::size_t keys = 0;
  std::int64_t query_offset = 0;
  /// --scale, else 1 / sqrt(head_dim).
  double scale = 1.0;
};

/// q . k * scale of two tensors, without a mask.
std::vector<float> scores_of(std::span<const float> q, std::span<const float> k, std::size_t heads,
                             std::size_t queries, std::size_t keys, double scale);

}  // namespace posenc::cli
