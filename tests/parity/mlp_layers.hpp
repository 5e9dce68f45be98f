#pragma once

#include <string>
#include <vector>

#include "case.hpp"
#include "posenc/bias/mlp.hpp"

namespace posenc::parity {

/// A small network from `inputs` numbers to `outputs`, with one hidden layer.
inline std::vector<MlpLayer> layers_of(Case& one, std::size_t inputs, std::size_t hidden,
                                       std::size_t outputs) {
  std::vector<MlpLayer> layers(2);
  layers[0].weight = one.input("weight0", {hidden, inputs}, Values::tiny);
  layers[0].bias = one.input("bias0", {hidden}, Values::tiny);
  layers[1].weight = one.input("weight1", {outputs, hidden}, Values::tiny);
  if (hidden % 2 == 0) layers[1].bias = one.input("bias1", {outputs}, Values::tiny);
  return layers;
}

}  // namespace posenc::parity
