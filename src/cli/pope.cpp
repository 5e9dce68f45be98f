#include "posenc/relative/pope.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cli/encodings.hpp"
#include "cli/query_key.hpp"
#include "cli/write_whole.hpp"

namespace posenc::cli {
namespace {

struct PopeOptions {
  std::string delta;
  double base = PopeConfig{}.base;
  QueryKeyOptions tensors;
};

void run(const PopeOptions& options) {
  const QueryKey tensors(options.tensors);
  std::vector<float> delta;
  if (!options.delta.empty()) delta = read_tensor(options.delta, "heads, head_dim").data;
  const Pope pope({.heads = tensors.heads(),
                   .head_dim = tensors.head_dim(),
                   .base = options.base,
                   .delta = delta});
  std::vector<float> q = allocate({tensors.q.data.size(), 2});
  std::vector<float> k = allocate({tensors.k.data.size(), 2});
  pope.embed_queries(tensors.q.data, tensors.query_positions(), q).or_throw();
  pope.embed_keys(tensors.k.data, tensors.key_positions(), k).or_throw();
  const std::vector<float> scores = scores_of(
      q, k, tensors.heads(), tensors.query_positions().size(), tensors.keys, tensors.scale);
  tensors.write(options.tensors.output, [&](std::span<float> out) {
    std::ranges::copy(scores, out.begin());
    return Status();
  });
}

}  // namespace

void add_pope(CLI::App& scores) {
  CLI::App& app = *scores.add_subcommand("pope", "Scores of magnitudes at angles of positions");
  const auto options = std::make_shared<PopeOptions>();
  options->tensors.add_tensors(app);
  add_place(app, "--delta", options->delta, "Trained phases of the keys [heads, head_dim] (none)");
  add_number(app, "--base", options->base, "Base of the frequencies (10000)");
  options->tensors.add_scale(app);
  options->tensors.add_rest(app);
  app.callback([options] { run(*options); });
}

}  // namespace posenc::cli
