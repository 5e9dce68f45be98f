#include "cli/query_key.hpp"

#include <cmath>

#include "cli/write_whole.hpp"
#include "posenc/attention/attention.hpp"

namespace posenc::cli {

void QueryKeyOptions::add_tensors(CLI::App& app) {
  add_place(app, "--q", q, "The queries [heads, queries, head_dim]")->required();
  add_place(app, "--k", k, "The keys [heads, keys, head_dim], at positions 0, 1, ...")->required();
}

void QueryKeyOptions::add_queries(CLI::App& app) {
  add_place(app, "--q", q, "The queries [heads, queries, head_dim]")->required();
  add_whole(app, "--keys", keys, "How many keys, at positions 0, 1, ...")->required();
}

void QueryKeyOptions::add_rest(CLI::App& app) {
  add_whole(app, "--query-offset", query_offset,
            "Position of the first query (keys - queries: the queries come last)");
  add_output(app, output);
}

void QueryKeyOptions::add_scale(CLI::App& app) {
  add_number(app, "--scale", scale, "What products are multiplied with (1 / sqrt(head_dim))");
}

QueryKey::QueryKey(const QueryKeyOptions& options)
    : q(read_tensor(options.q, "heads, queries, head_dim")), keys(options.keys) {
  if (!options.k.empty()) {
    k = read_tensor(options.k, "heads, keys, head_dim");
    keys = static_cast<std::size_t>(k.shape[1]);
    if (k.shape[0] != q.shape[0] || k.shape[2] != q.shape[2]) {
      throw UsageError("--k must have the heads and the head_dim of --q, " +
                       std::to_string(q.shape[0]) + " and " + std::to_string(q.shape[2]) +
                       ", got " + std::to_string(k.shape[0]) + " and " +
                       std::to_string(k.shape[2]));
    }
  }
  const auto queries = static_cast<std::int64_t>(q.shape[1]);
  query_offset = options.query_offset.value_or(static_cast<std::int64_t>(keys) - queries);
  scale = options.scale.value_or(1.0 / std::sqrt(static_cast<double>(head_dim())));
}

void QueryKey::write(const OutputOptions& output,
                     const std::function<Status(std::span<float>)>& verb) const {
  write_whole({q.shape[0], q.shape[1], keys}, verb, output);
}

std::vector<float> scores_of(std::span<const float> q, std::span<const float> k, std::size_t heads,
                             std::size_t queries, std::size_t keys, double scale) {
  std::vector<float> scores = allocate({heads, queries, keys});
  if (scores.empty()) return scores;
  const AttentionArgs args{.heads = heads,
                           .query_count = queries,
                           .key_count = keys,
                           .head_dim = q.size() / heads / queries,
                           .scale = scale};
  std::vector<float> workspace(attention_workspace_size(args));
  attention_scores(q, k, scores, args, workspace).or_throw();
  return scores;
}

}  // namespace posenc::cli
