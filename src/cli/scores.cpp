#include "cli/scores.hpp"

#include <algorithm>

namespace posenc::cli {

std::uint64_t ScoreOptions::distance_count() const {
  return *queries == 0 || keys == 0 ? 0 : *queries + keys - 1;
}

std::int64_t ScoreOptions::first_distance() const {
  const auto last = static_cast<std::int64_t>(*queries) - 1;
  return -(query_offset.value_or(static_cast<std::int64_t>(keys - *queries)) + last);
}

CLI::Option* add_scores(CLI::App& app, ScoreOptions& options) {
  add_whole(app, "--queries", options.queries, "How many queries");
  CLI::Option* keys =
      add_whole(app, "--keys", options.keys, "How many keys, at positions 0, 1, ...");
  keys->required();
  add_whole(app, "--query-offset", options.query_offset,
            "Position of the first query (keys - queries: the queries come last)");
  app.add_flag("--distances", options.distances,
               "Write one value per distance key - query instead, [heads, queries + keys - 1], the "
               "smallest distance first");
  add_output(app, options.output);
  return keys;
}

void write_scores(std::span<const float> vectors, std::uint64_t heads,
                  const ScoreOptions& options) {
  const std::uint64_t queries = *options.queries, keys = options.keys;
  const std::uint64_t count = options.distance_count();
  const auto copy = [&](std::uint64_t start, std::span<float> out) {
    std::ranges::copy(vectors.subspan(static_cast<std::size_t>(start), out.size()), out.begin());
  };
  if (options.distances) {
    const auto fill = [&](std::uint64_t head, std::span<float> out) { copy(head * count, out); };
    write_tensor({.shape = {heads, count}, .fill = fill}, options.output);
    return;
  }
  const auto fill = [&](std::uint64_t row, std::span<float> out) {
    for (; !out.empty(); out = out.subspan(static_cast<std::size_t>(keys)), ++row) {
      const std::uint64_t start = row / queries * count + (queries - 1 - row % queries);
      copy(start, out.first(static_cast<std::size_t>(keys)));
    }
  };
  write_tensor({.shape = {heads, queries, keys}, .fill = fill}, options.output);
}

}  // namespace posenc::cli
