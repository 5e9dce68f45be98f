#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "cli/options.hpp"
#include "cli/write_whole.hpp"
#include "posenc/core/positions.hpp"

namespace posenc::cli {

/// Queries and keys of a tensor [heads, queries, keys] that is no function of the distance alone.
struct PairOptions {
  std::uint32_t queries = 0;
  std::uint32_t keys = 0;
  std::optional<std::int64_t> query_offset;
  OutputOptions output;

  /// As `ScoreOptions`: the queries come last unless --query-offset says where.
  Positions query_positions() const {
    return Positions::from(query_offset.value_or(std::int64_t{keys} - queries), queries);
  }
  Positions key_positions() const { return Positions::from(0, keys); }
};

/// --queries, --keys, --query-offset and those of the output.
inline void add_pairs(CLI::App& app, PairOptions& options) {
  add_whole(app, "--queries", options.queries, "How many queries")->required();
  add_whole(app, "--keys", options.keys, "How many keys, at positions 0, 1, ...")->required();
  add_whole(app, "--query-offset", options.query_offset,
            "Position of the first query (keys - queries: the queries come last)");
  add_output(app, options.output);
}

/// Writes what `verb` gives, [heads, queries, keys].
inline void write_pairs(std::uint64_t heads, const PairOptions& pairs,
                        const std::function<Status(std::span<float>)>& verb) {
  write_whole({heads, pairs.queries, pairs.keys}, verb, pairs.output);
}

}  // namespace posenc::cli
