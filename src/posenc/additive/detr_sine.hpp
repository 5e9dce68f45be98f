#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "posenc/core/frequencies.hpp"
#include "posenc/core/result.hpp"
#include "posenc/core/status.hpp"
#include "posenc/core/storage.hpp"

namespace posenc {

/// Order of the axes of DETR's encoding in memory.
enum class DetrOrder : std::uint8_t {
  /// [batch, 2 * num_pos_feats, height, width], as DETR returns it.
  channels_first,
  /// [batch, height * width, 2 * num_pos_feats], as it is added to tokens.
  channels_last,
};

/// Parameters of DETR's sinusoidal encoding.
struct DetrSineConfig {
  /// Columns of an axis, even, 2 to 2^23; a pixel has twice as many, y's before x's.
  std::size_t num_pos_feats = 64;
  /// Channel k of an axis divides by temperature^(2 * (k / 2) / num_pos_feats); 1 to 1e30.
  double temperature = 10000.0;
  /// Whether coordinates are divided by the last one of their row or column, and scaled.
  bool normalize = false;
  /// What normalised coordinates are multiplied with, 1e-6 to 1e6; 2 pi.
  double scale = 6.283185307179586;
  /// Added to the last coordinate before dividing by it; 1e-12 to 0.1.
  double eps = 1e-6;
  /// Whether coordinates are those of pixel centres, 0.5 less than the count, which `normalize`
  /// divides by the last count all the same: Deformable DETR.
  bool centered = false;
  DetrOrder order = DetrOrder::channels_first;
};

/// Says what is wrong with a config; VALUE_RANGE with the field's name.
Status check(const DetrSineConfig& config) noexcept;

/// A batch of padded images.
struct DetrShape {
  std::size_t batch = 1;
  std::size_t height = 0;
  std::size_t width = 0;
};

/// DETR's encoding of pixels of padded images: coordinates count the real pixels of the mask, from
/// 1, so that padding does not move them; each axis is sin, cos interleaved.
/// Source: Carion et al. 2020, facebookresearch/detr models/position_encoding.py.
class DetrSine {
 public:
  /// Throws `posenc::Error` when `check(config)` fails, std::bad_alloc when memory runs out.
  explicit DetrSine(const DetrSineConfig& config);

  const DetrSineConfig& config() const noexcept { return config_; }

  /// Writes the encoding of `mask` [batch, height, width] (not 0: a real pixel; DETR's own masks
  /// are the other way round) to `out`, in the order that the config says.
  /// Error: within 1 ulp of float32 of the exact value: the quotient of the coordinates is never
  /// rounded. 16-bit types get the nearest of theirs.
  /// Fails with SHAPE, SIZE_LIMIT or OVERLAP (out and the mask); writes nothing then. Allocates
  /// nothing.
  Status table(std::span<const std::uint8_t> mask, const DetrShape& shape,
               Floats out) const noexcept;

  /// Adds it to `x` in place: the float32 value, and one float32 addition each.
  Status add(std::span<const std::uint8_t> mask, const DetrShape& shape, Floats x) const noexcept;

 private:
  DetrSineConfig config_;
  Frequencies frequencies_;
};

/// `DetrSine(config)` without exceptions.
Result<DetrSine> make(const DetrSineConfig& config) noexcept;

}  // namespace posenc
