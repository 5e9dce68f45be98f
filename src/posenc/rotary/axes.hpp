#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <variant>

namespace posenc {

/// How a rope reads positions of several axes. Positions are then given axis after axis,
/// [axes, rows], and each pair turns by the position of its own axis.

/// One position per token.
struct OneAxis {};

/// Multimodal rope: three axes, time, height, width (Qwen2-VL, Wang et al. 2024, arXiv 2409.12191).
struct Mrope {
  /// Pairs of time, height, width; their sum must be rotary_dim/2 when chunked, at most that when
  /// interleaved.
  std::array<std::size_t, 3> sections{};
  /// false: the first sections[0] pairs read time, the next height, the last width (Qwen2-VL).
  /// true: pair i reads height if i % 3 == 1 and i < 3 sections[1], width if i % 3 == 2 and
  /// i < 3 sections[2], else time (Qwen3-VL).
  bool interleaved = false;
};

/// The frequencies of one axis of an image, i = 0 .. n - 1 with n = rotary_dim/4 pairs per axis.
enum class AxialBands : std::uint8_t {
  /// base^(-i / n): Qwen2-VL's vision tower, timm's language mode, EVA-02.
  geometric,
  /// base^(-(2i + a) / 2n) for axis a, 0 or 1: one ladder whose rungs are dealt to the axes in turn
  /// (Pixtral).
  dealt,
  /// 2 pi base^(-i / n): DINOv3, whose positions are patch centres in [-1, 1].
  turns,
  /// pi times n values spaced evenly from 1 to max_resolution / 2: timm's pixel mode with linear
  /// bands. Positions are in [-1, 1].
  pixel_linear,
  /// pi times 2^e, e spaced evenly from 0 to log2(max_resolution) - 1: timm's pixel mode.
  pixel_log,
};

/// Which pairs belong to the first axis.
enum class AxialOrder : std::uint8_t {
  /// The first half of the pairs; the second axis has the second half.
  blocks,
  /// Even pairs; the second axis has the odd ones (MoonViT).
  alternating,
};

/// Two axes of an image, the first usually the row: `grid_positions` writes their positions. Needs
/// rotary_dim divisible by 4, and scaling none or linear.
struct Axial {
  AxialBands bands = AxialBands::geometric;
  AxialOrder order = AxialOrder::blocks;
  /// Of the pixel bands alone: 4 to 1e6.
  double max_resolution = 224.0;
};

using RopeAxes = std::variant<OneAxis, Mrope, Axial>;

}  // namespace posenc
