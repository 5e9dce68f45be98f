#include <cmath>
#include <memory>

#include "workload.hpp"

namespace posenc::bench {
namespace {

struct Scores {
  std::size_t length;
  double scale;
  Buffer<float> q, k, out;
  Buffer<float> more, u, v;
  std::vector<float> workspace;
};

/// q and k from seeds 1 and 2; `more` floats from seed 3.
std::shared_ptr<Scores> scores_of(const Shape& shape, std::size_t more) {
  const std::size_t heads = shape.size("heads"), length = shape.size("length");
  const std::size_t dim = shape.size("dim"), count = heads * length * dim;
  return std::make_shared<Scores>(Scores{.length = length,
                                         .scale = 1 / std::sqrt(static_cast<double>(dim)),
                                         .q = data(count, 1),
                                         .k = data(count, 2),
                                         .out = Buffer<float>(heads * length * length),
                                         .more = data(more, 3),
                                         .u = data(heads * dim, 4),
                                         .v = data(heads * dim, 5),
                                         .workspace = {}});
}

Workload workload_of(const std::shared_ptr<Scores>& state, std::function<void()> run) {
  Workload workload;
  workload.run = std::move(run);
  workload.results = [state]() -> std::vector<ConstFloats> { return {state->out}; };
  return workload;
}

Workload shaw(const Shape& shape) {
  const std::size_t dim = shape.size("dim"), reach = shape.size("reach");
  auto state = scores_of(shape, (2 * reach + 1) * dim);
  const auto encoding = std::make_shared<const Shaw>(
      ShawConfig{.head_dim = dim, .max_relative_position = reach, .keys = state->more});
  return workload_of(state, [state, encoding] {
    const Positions positions = Positions::from(0, state->length);
    encoding->scores(state->q, positions, positions, state->scale, state->out).or_throw();
  });
}

/// DeBERTa v1: every distance has a row; the table is not projected.
Workload deberta(const Shape& shape) {
  const std::size_t heads = shape.size("heads"), dim = shape.size("dim");
  const std::size_t length = shape.size("length");
  auto state = scores_of(shape, 2 * length * heads * dim);
  const auto encoding =
      std::make_shared<const Deberta>(DebertaConfig{.heads = heads,
                                                    .head_dim = dim,
                                                    .max_relative_positions = length,
                                                    .rel_embeddings = state->more});
  return workload_of(state, [state, encoding] {
    const Positions positions = Positions::from(0, state->length);
    encoding->scores(state->q, state->k, positions, positions, state->out).or_throw();
  });
}

/// Rows for the distances length - 1 down to 1 - length.
Workload transformer_xl(const Shape& shape) {
  const std::size_t heads = shape.size("heads"), dim = shape.size("dim");
  const std::size_t rows = 2 * shape.size("length") - 1;
  auto state = scores_of(shape, heads * rows * dim);
  const auto encoding = std::make_shared<const TransformerXl>(TransformerXlConfig{
      .heads = heads, .head_dim = dim, .content_bias = state->u, .position_bias = state->v});
  state->workspace.resize(encoding->workspace_size(rows));
  return workload_of(state, [state, encoding] {
    const Positions positions = Positions::from(0, state->length);
    encoding
        ->scores(state->q, state->k, state->more, static_cast<std::int64_t>(state->length) - 1,
                 positions, positions, state->scale, state->workspace, state->out)
        .or_throw();
  });
}

}  // namespace

void add_relative(std::map<std::string, Maker>& makers) {
  makers["shaw"] = shaw;
  makers["deberta"] = deberta;
  makers["transformer_xl"] = transformer_xl;
}

}  // namespace posenc::bench
