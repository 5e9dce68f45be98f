#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <string>
#include <vector>

#include "cli/tensor_file.hpp"
#include "posenc/bias/mlp.hpp"

namespace posenc::cli {

/// --weight and --bias: the layers of a small network, from the first to the last.
struct MlpOptions {
  std::vector<std::string> weights, biases;

  void add(CLI::App& app);
};

/// Layers read from files; `layers` views what this holds.
class MlpFiles {
 public:
  /// Throws UsageError unless there are no biases, or one for each weight or for all but the last.
  explicit MlpFiles(const MlpOptions& options);

  const std::vector<MlpLayer>& layers() const noexcept { return layers_; }
  /// Outputs of the last layer.
  std::size_t outputs() const noexcept { return weights_.back().rows(); }

 private:
  std::vector<FileTensor> weights_;
  std::vector<std::vector<float>> biases_;
  std::vector<MlpLayer> layers_;
};

}  // namespace posenc::cli
