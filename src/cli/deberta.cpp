#include "posenc/relative/deberta.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cli/encodings.hpp"
#include "cli/query_key.hpp"

namespace posenc::cli {
namespace {

enum class Terms : std::uint8_t { both, c2p, p2c };

struct DebertaOptions {
  std::string table, norm_weight, norm_bias;
  std::string key_weight, key_bias, query_weight, query_bias;
  Terms terms = Terms::both;
  std::uint32_t position_buckets = 0, max_relative_positions = 0, att_span = 0;
  double norm_eps = DebertaConfig{}.norm_eps;
  QueryKeyOptions tensors;
};

/// Empty where the flag is not given.
std::vector<float> read_if_given(const std::string& place) {
  return place.empty() ? std::vector<float>() : read_vector(place);
}

void run(const DebertaOptions& options) {
  const QueryKey tensors(options.tensors);
  const FileTensor table =
      read_tensor(options.table, "2 att_span, heads * head_dim", TableKind::deberta);
  const std::vector<float> norm_weight = read_if_given(options.norm_weight);
  const std::vector<float> norm_bias = read_if_given(options.norm_bias);
  const std::vector<float> key_weight = read_if_given(options.key_weight);
  const std::vector<float> key_bias = read_if_given(options.key_bias);
  const std::vector<float> query_weight = read_if_given(options.query_weight);
  const std::vector<float> query_bias = read_if_given(options.query_bias);
  const Deberta deberta({.heads = tensors.heads(),
                         .head_dim = tensors.head_dim(),
                         .c2p = options.terms != Terms::p2c,
                         .p2c = options.terms != Terms::c2p,
                         .position_buckets = options.position_buckets,
                         .max_relative_positions = options.max_relative_positions,
                         .att_span = options.att_span,
                         .rel_embeddings = table.data,
                         .norm_weight = norm_weight,
                         .norm_bias = norm_bias,
                         .norm_eps = options.norm_eps,
                         .pos_key = {.weight = key_weight, .bias = key_bias},
                         .pos_query = {.weight = query_weight, .bias = query_bias}});
  tensors.write(options.tensors.output, [&](std::span<float> out) {
    return deberta.scores(tensors.q.data, tensors.k.data, tensors.query_positions(),
                          tensors.key_positions(), out);
  });
}

void add_table(CLI::App& app, DebertaOptions& options) {
  add_place(app, "--table", options.table, "Trained rel_embeddings [2 att_span, heads * head_dim]")
      ->required();
  add_place(app, "--norm-weight", options.norm_weight,
            "Of the table's layer norm, [heads * head_dim] (none)");
  add_place(app, "--norm-bias", options.norm_bias, "Of the table's layer norm");
  add_number(app, "--norm-eps", options.norm_eps, "Of the table's layer norm (1e-7)");
  add_place(app, "--pos-key-weight", options.key_weight,
            "Projection of the table for keys [out, in] (none)");
  add_place(app, "--pos-key-bias", options.key_bias, "Its bias");
  add_place(app, "--pos-query-weight", options.query_weight,
            "Projection of the table for queries [out, in] (none)");
  add_place(app, "--pos-query-bias", options.query_bias, "Its bias");
}

}  // namespace

void add_deberta(CLI::App& scores) {
  CLI::App& app =
      *scores.add_subcommand("deberta", "Content to position and position to content, scaled");
  const auto options = std::make_shared<DebertaOptions>();
  options->tensors.add_tensors(app);
  add_table(app, *options);
  add_choice<Terms>(app, "--terms", options->terms,
                    {{"both", Terms::both}, {"c2p", Terms::c2p}, {"p2c", Terms::p2c}},
                    "Content to position, position to content, or both (default)");
  add_whole(app, "--position-buckets", options->position_buckets,
            "Distances share logarithmic buckets (0: every distance has a row, v1)");
  add_whole(app, "--max-relative-positions", options->max_relative_positions,
            "The largest distance")
      ->required();
  add_whole(app, "--att-span", options->att_span,
            "Rows of the table on each side (the buckets, else the largest distance)");
  options->tensors.add_rest(app);
  app.callback([options] { run(*options); });
}

}  // namespace posenc::cli
