#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "posenc/bias/mlp.hpp"
#include "posenc/core/result.hpp"
#include "posenc/core/status.hpp"
#include "posenc/core/storage.hpp"

namespace posenc {

/// How offsets become the coordinates that the network sees.
enum class SwinCoordinates : std::uint8_t {
  /// c = 8 d / (window - 1), sign(c) log2(1 + |c|) / log2(8): Swin v2 as published.
  normalised,
  /// sign(d) ln(1 + |d|): timm's "cr" models.
  logarithmic,
};

/// Parameters of Swin v2's continuous position bias.
struct SwinCpbConfig {
  /// Cells of a window, row-major; each side 1 to 4096.
  std::size_t window_height = 0;
  std::size_t window_width = 0;
  /// The window that the network was trained on, which normalises the coordinates; 0: this one.
  std::size_t pretrained_height = 0;
  std::size_t pretrained_width = 0;
  /// 1 to 1024.
  std::size_t heads = 0;
  SwinCoordinates coordinates = SwinCoordinates::normalised;
  /// The network from (dy, dx) to a number per head, ReLU between layers; may be left empty when
  /// only coordinates are wanted, or the network's output is at hand.
  std::vector<MlpLayer> layers{};
};

/// Says what is wrong with a config; VALUE_RANGE or SHAPE with the field's name.
Status check(const SwinCpbConfig& config) noexcept;

/// Swin v2's log-spaced continuous position bias: 16 sigmoid(network(coordinates)) per head and 2-D
/// offset query - key (with `logarithmic` coordinates the network's output as it is). A window of
/// one cell has coordinate 0. Source: Liu et al. 2021, arXiv 2111.09883; timm.
///
/// Computed in double and rounded once. Verbs allocate nothing.
class SwinCpb {
 public:
  /// Throws `posenc::Error` when `check(config)` fails, std::bad_alloc when memory runs out.
  explicit SwinCpb(const SwinCpbConfig& config);

  const SwinCpbConfig& config() const noexcept { return config_; }

  /// Writes the coordinates (dy, dx) of each offset to `out` [2H-1, 2W-1, 2], within 1 ulp of
  /// float32. Fails with SHAPE.
  Status coordinates(Floats out) const noexcept;

  /// Writes the bias to `out` [heads, HW, HW]. Fails with SHAPE (also when there is no network)
  /// or OVERLAP (out and a layer).
  Status bias(Floats out) const noexcept;

  /// The same from the network's output [(2H-1)(2W-1), heads], computed elsewhere. Fails with SHAPE
  /// or OVERLAP.
  Status bias_from_output(ConstFloats output, Floats out) const noexcept;

 private:
  SwinCpbConfig config_;
};

/// `SwinCpb(config)` without exceptions.
Result<SwinCpb> make(const SwinCpbConfig& config) noexcept;

}  // namespace posenc
