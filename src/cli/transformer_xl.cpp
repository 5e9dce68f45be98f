#include "posenc/relative/transformer_xl.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cli/encodings.hpp"
#include "cli/query_key.hpp"
#include "cli/write_whole.hpp"

namespace posenc::cli {
namespace {

struct TransformerXlOptions {
  std::string content_bias, position_bias, projection;
  double base = TransformerXlConfig{}.base;
  std::int64_t clamp_len = -1;
  bool bidirectional = false;
  QueryKeyOptions tensors;
};

/// Distances from the last key's to 0, or, bidirectional, to those of keys after the query.
std::size_t row_count(const QueryKey& tensors, bool bidirectional) {
  const std::size_t queries = tensors.query_positions().size();
  return tensors.keys + (bidirectional && queries > 0 ? queries - 1 : 0);
}

void run(const TransformerXlOptions& options) {
  const QueryKey tensors(options.tensors);
  const std::vector<float> content_bias = read_vector(options.content_bias);
  const std::vector<float> position_bias = read_vector(options.position_bias);
  const FileTensor projection = read_tensor(options.projection, "d_model, heads * head_dim");
  const std::size_t d_model =
      projection.data.size() / (tensors.heads() * tensors.head_dim() + (tensors.heads() == 0));
  const TransformerXl encoding({.heads = tensors.heads(),
                                .head_dim = tensors.head_dim(),
                                .d_model = d_model,
                                .base = options.base,
                                .clamp_len = options.clamp_len,
                                .content_bias = content_bias,
                                .position_bias = position_bias});
  const std::int64_t first =
      tensors.query_offset + static_cast<std::int64_t>(tensors.query_positions().size()) - 1;
  const std::size_t count = row_count(tensors, options.bidirectional);
  std::vector<float> rows = allocate({count, d_model});
  encoding.rows(first, rows).or_throw();
  std::vector<float> r = allocate({tensors.heads(), count, tensors.head_dim()});
  encoding.project(rows, projection.data, r).or_throw();
  std::vector<float> workspace(encoding.workspace_size(count));
  tensors.write(options.tensors.output, [&](std::span<float> out) {
    return encoding.scores(tensors.q.data, tensors.k.data, r, first, tensors.query_positions(),
                           tensors.key_positions(), tensors.scale, workspace, out);
  });
}

}  // namespace

void add_transformer_xl(CLI::App& scores) {
  CLI::App& app = *scores.add_subcommand("transformer_xl",
                                         "Transformer-XL, XLNet: all terms but q . k, scaled");
  const auto options = std::make_shared<TransformerXlOptions>();
  options->tensors.add_tensors(app);
  add_place(app, "--content-bias", options->content_bias, "Trained r_w_bias [heads, head_dim]")
      ->required();
  add_place(app, "--position-bias", options->position_bias, "Trained r_r_bias [heads, head_dim]")
      ->required();
  add_place(app, "--projection", options->projection,
            "Trained projection of the sinusoids [d_model, heads * head_dim]")
      ->required();
  add_number(app, "--base", options->base, "Of the sinusoids (10000)");
  add_whole(app, "--clamp-len", options->clamp_len,
            "Sinusoid positions are clipped to this (-1: not at all)");
  app.add_flag("--bidirectional", options->bidirectional,
               "Keys after the query have rows too: XLNet's attn_type bi");
  options->tensors.add_scale(app);
  options->tensors.add_rest(app);
  app.callback([options] { run(*options); });
}

}  // namespace posenc::cli
