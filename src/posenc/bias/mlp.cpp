#include "posenc/bias/mlp.hpp"

#include <algorithm>

#include "posenc/core/check.hpp"
#include "posenc/core/elements.hpp"
#include "posenc/math/elementary.hpp"

namespace posenc::detail {
namespace {

double activate(Activation activation, double x) noexcept {
  if (activation == Activation::silu) return x * math::sigmoid(x);
  return x > 0.0 ? x : 0.0;
}

/// One row of weights against the inputs, read a tile at a time.
double dot(ConstFloats weight, std::size_t row, std::size_t width, const double* inputs,
           double sum) noexcept {
  float tile[kTile];
  for (std::size_t first = 0; first < width; first += kTile) {
    const std::size_t count = std::min(kTile, width - first);
    const float* weights = read(weight, row * width + first, count, tile);
    for (std::size_t i = 0; i < count; ++i) {
      sum += static_cast<double>(weights[i]) * inputs[first + i];
    }
  }
  return sum;
}

}  // namespace

Status check_mlp(const char* encoding, const std::vector<MlpLayer>& layers, std::size_t inputs,
                 std::size_t outputs) noexcept {
  std::size_t width = inputs;
  for (const MlpLayer& layer : layers) {
    const std::size_t rows = layer.weight.size() / width;
    if (rows < 1 || rows > kMaxMlpWidth || rows * width != layer.weight.size()) {
      return Status::failure(Code::shape, "layers",
                             "%s: layers must have weights [out, in] of at most %zu rows, got %zu "
                             "elements for in = %zu",
                             encoding, kMaxMlpWidth, layer.weight.size(), width);
    }
    if (!layer.bias.empty()) {
      POSENC_RETURN_IF_FAILED(check_shape(encoding, "layers", layer.bias.size(), "out", {rows}));
    }
    width = rows;
  }
  if (!layers.empty() && width == outputs) return {};
  return Status::failure(Code::shape, "layers",
                         "%s: layers must end with %zu outputs, got %zu in %zu layers", encoding,
                         outputs, width, layers.size());
}

Status check_apart_from_layers(const char* encoding, ConstFloats out,
                               const std::vector<MlpLayer>& layers) noexcept {
  for (const MlpLayer& layer : layers) {
    POSENC_RETURN_IF_FAILED(check_apart(encoding, "out", out, "layers", layer.weight));
    POSENC_RETURN_IF_FAILED(check_apart(encoding, "out", out, "layers", layer.bias));
  }
  return {};
}

void run_mlp(const std::vector<MlpLayer>& layers, Activation activation, std::size_t inputs,
             double* values) noexcept {
  double outputs[kMaxMlpWidth];
  std::size_t width = inputs;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const std::size_t rows = layers[i].weight.size() / width;
    for (std::size_t row = 0; row < rows; ++row) {
      float bias = 0.0f;
      if (!layers[i].bias.empty()) bias = *read(layers[i].bias, row, 1, &bias);
      outputs[row] = dot(layers[i].weight, row, width, values, static_cast<double>(bias));
    }
    const bool last = i + 1 == layers.size();
    for (std::size_t row = 0; row < rows; ++row) {
      values[row] = last ? outputs[row] : activate(activation, outputs[row]);
    }
    width = rows;
  }
}

}  // namespace posenc::detail
