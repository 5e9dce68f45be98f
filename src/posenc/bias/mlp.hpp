#pragma once

#include <cstddef>
#include <vector>

#include "posenc/core/status.hpp"
#include "posenc/core/storage.hpp"

namespace posenc {

/// One layer of a small network: y = weight x + bias. Views of the caller's memory, which must
/// outlive what holds them.
struct MlpLayer {
  /// [out, in]
  ConstFloats weight{};
  /// [out], or empty for none.
  ConstFloats bias{};
};

/// Layers are at most this wide, so that a network runs on the stack.
inline constexpr std::size_t kMaxMlpWidth = 1024;

namespace detail {

/// Between layers, not after the last.
enum class Activation : unsigned char { relu, silu };

/// Says whether the layers fit together, from `inputs` numbers to `outputs`. The width of a layer
/// is weight.size() / the width before it.
Status check_mlp(const char* encoding, const std::vector<MlpLayer>& layers, std::size_t inputs,
                 std::size_t outputs) noexcept;

/// OVERLAP when `out` shares memory with a layer.
Status check_apart_from_layers(const char* encoding, ConstFloats out,
                               const std::vector<MlpLayer>& layers) noexcept;

/// Runs the network in double, in place: `values` holds the inputs, then the outputs, and has room
/// for kMaxMlpWidth. Sums run in order, the bias first. Precondition: check_mlp.
void run_mlp(const std::vector<MlpLayer>& layers, Activation activation, std::size_t inputs,
             double* values) noexcept;

}  // namespace detail
}  // namespace posenc
