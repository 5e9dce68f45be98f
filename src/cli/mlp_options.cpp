#include "cli/mlp_options.hpp"

#include "cli/failure.hpp"

namespace posenc::cli {

void MlpOptions::add(CLI::App& app) {
  app.add_option("--weight", weights, "A layer's trained weight [out, in]; again for each layer")
      ->required()
      ->type_name("FILE[:TENSOR]")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("--layer-bias", biases,
                 "A layer's trained bias [out]; again for each layer, the last may have none")
      ->type_name("FILE[:TENSOR]")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

MlpFiles::MlpFiles(const MlpOptions& options) : biases_(options.weights.size()) {
  const std::size_t count = options.weights.size(), given = options.biases.size();
  if (given != 0 && given != count && given + 1 != count) {
    throw UsageError("--layer-bias must be there for each --weight, or for all but the last, got " +
                     std::to_string(given) + " for " + std::to_string(count));
  }
  weights_.reserve(count);
  for (const std::string& place : options.weights) {
    weights_.push_back(read_tensor(place, "out, in"));
  }
  for (std::size_t i = 0; i < given; ++i) biases_[i] = read_vector(options.biases[i]);
  layers_.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    layers_.push_back({.weight = weights_[i].data, .bias = biases_[i]});
  }
}

}  // namespace posenc::cli
