#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cli/options.hpp"
#include "cli/write_whole.hpp"
#include "cli/writer.hpp"

namespace posenc::cli {

/// Which scores a bias is for.
struct ScoreOptions {
  std::optional<std::uint64_t> queries;
  std::uint64_t keys = 0;
  std::optional<std::int64_t> query_offset;
  bool distances = false;
  OutputOptions output;

  /// How many distances there are, and the smallest one.
  std::uint64_t distance_count() const;
  std::int64_t first_distance() const;
};

/// --queries, --keys, --query-offset, --distances and those of the output. Gives --keys, which is
/// required.
CLI::Option* add_scores(CLI::App& app, ScoreOptions& options);

/// Writes the bias [heads, queries, keys], or with --distances the vectors, whose values are
/// `vectors` [heads, distances].
void write_scores(std::span<const float> vectors, std::uint64_t heads, const ScoreOptions& options);

/// The bias depends on key - query alone, so row q of head h is a piece of that head's vector of
/// distances: nothing larger than these vectors is kept in memory.
template <class Encoding>
void write_bias(const Encoding& encoding, const ScoreOptions& options) {
  if (!options.queries) throw UsageError("--queries is required");
  const std::uint64_t heads = encoding.config().heads;
  std::vector<float> vectors = allocate({heads, options.distance_count()});
  encoding.distances(options.first_distance(), vectors).or_throw();
  write_scores(vectors, heads, options);
}

}  // namespace posenc::cli
