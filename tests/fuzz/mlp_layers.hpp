#pragma once

#include <vector>

#include "posenc/bias/mlp.hpp"
#include "trial.hpp"

namespace posenc::fuzz {

/// A small network with one hidden layer.
inline std::vector<MlpLayer> layers_of(Trial& trial, std::size_t inputs, std::size_t outputs) {
  const std::size_t hidden = trial.size(1, 9);
  std::vector<MlpLayer> layers(2);
  layers[0] = {trial.data(hidden * inputs), trial.data(hidden)};
  layers[1].weight = trial.data(outputs * hidden);
  if (trial.random().one_in(2)) layers[1].bias = trial.data(outputs);
  return layers;
}

/// Makes them unfit, in one way of some.
inline Refusal spoil_layers(std::vector<MlpLayer>& layers, Trial& trial) {
  switch (trial.random().below(3)) {
    case 0:
      layers[0].bias = resized(layers[0].bias, layers[0].bias.size() + 1);
      break;
    case 1:
      layers[1].weight = {};
      break;
    default:
      layers.pop_back();
      layers[0].weight = {};
      break;
  }
  return {Code::shape, "layers"};
}

}  // namespace posenc::fuzz
