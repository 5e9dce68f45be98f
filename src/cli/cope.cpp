#include "posenc/relative/cope.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cli/encodings.hpp"
#include "cli/query_key.hpp"

namespace posenc::cli {
namespace {

struct CopeOptions {
  std::string table;
  bool causal = true;
  QueryKeyOptions tensors;
};

void run(const CopeOptions& options) {
  const QueryKey tensors(options.tensors);
  const FileTensor table = read_tensor(options.table, "max_pos, head_dim");
  const Cope cope({.head_dim = tensors.head_dim(),
                   .max_pos = table.rows(),
                   .table = table.data,
                   .causal = options.causal});
  const std::vector<float> logits =
      scores_of(tensors.q.data, tensors.k.data, tensors.heads(), tensors.query_positions().size(),
                tensors.keys, tensors.scale);
  tensors.write(options.tensors.output, [&](std::span<float> out) {
    return cope.scores(tensors.q.data, logits, tensors.query_positions(), tensors.key_positions(),
                       out);
  });
}

}  // namespace

void add_cope(CLI::App& scores) {
  CLI::App& app = *scores.add_subcommand("cope", "q . rows of positions that gates count");
  const auto options = std::make_shared<CopeOptions>();
  options->tensors.add_tensors(app);
  add_place(app, "--table", options->table, "The trained table [max_pos, head_dim]")->required();
  add_choice<bool>(app, "--form", options->causal, {{"causal", true}, {"symmetric", false}},
                   "-inf for keys after the query (causal, the default), or all are counted");
  options->tensors.add_scale(app);
  options->tensors.add_rest(app);
  app.callback([options] { run(*options); });
}

}  // namespace posenc::cli
