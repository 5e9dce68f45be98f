#include "posenc/rotary/rope.hpp"

#include <algorithm>

#include "posenc/core/check.hpp"
#include "posenc/kernels/kernels.hpp"
#include "posenc/kernels/turns.hpp"
#include "posenc/rotary/rotary_tensor.hpp"

namespace posenc {
namespace {

constexpr char kName[] = "rope";

/// Angles are made for this many positions and pairs at a time, on the stack, and used for every
/// head while they are in the nearest cache.
constexpr std::size_t kRowTile = 8;
constexpr std::size_t kPairTile = 64;

RopeConfig filled(RopeConfig config) noexcept {
  if (config.rotary_dim == 0) config.rotary_dim = config.head_dim;
  return config;
}

double divisor_of(const RopeScaling& scaling) noexcept {
  const Linear* linear = std::get_if<Linear>(&scaling);
  return linear != nullptr ? linear->factor : 1.0;
}

Status check_scaling(const RopeScaling& scaling) noexcept {
  return detail::check_number(kName, "scaling.factor", divisor_of(scaling), 1e-30, 1e30);
}

/// The rows of the position tensor that share tables: all of a batch when positions are shared.
struct Sharing {
  std::size_t groups;
  std::size_t batch_per_group;
};

Sharing sharing(const RotaryTensor& tensor, std::size_t table_rows) noexcept {
  const bool shared = table_rows == tensor.length;
  return {shared ? 1 : tensor.batch, shared ? tensor.batch : 1};
}

Status check_angles_fit(const RotaryTensor& tensor, const char* field, std::size_t rows) noexcept {
  if (rows == tensor.length || rows == tensor.batch * tensor.length) return {};
  return Status::failure(Code::shape, field,
                         "rope: %s must have length = %zu rows, or batch * length = %zu, got %zu",
                         field, tensor.length, tensor.batch * tensor.length, rows);
}

}  // namespace

Status check(const RopeConfig& config) noexcept {
  POSENC_RETURN_IF_FAILED(detail::check_width(kName, "head_dim", config.head_dim));
  if (config.head_dim % 2 != 0) {
    return Status::failure(Code::value_range, "head_dim", "rope: head_dim must be even, got %zu",
                           config.head_dim);
  }
  if (config.rotary_dim % 2 != 0 || config.rotary_dim > config.head_dim) {
    return Status::failure(Code::value_range, "rotary_dim",
                           "rope: rotary_dim must be even and at most head_dim = %zu, got %zu",
                           config.head_dim, config.rotary_dim);
  }
  POSENC_RETURN_IF_FAILED(detail::check_number(kName, "base", config.base, 1.0, 1e30));
  return check_scaling(config.scaling);
}

Rope::Rope(const RopeConfig& config) : config_(filled(config)) {
  check(config).or_throw();
  frequencies_ =
      Frequencies::geometric(config_.rotary_dim / 2, config_.base,
                             static_cast<double>(config_.rotary_dim), divisor_of(config_.scaling));
}

Status Rope::angles(const Positions& positions, std::span<float> cos,
                    std::span<float> sin) const noexcept {
  const std::size_t pairs = frequencies_.size();
  constexpr char kShape[] = "positions * rotary_dim/2";
  POSENC_RETURN_IF_FAILED(
      detail::check_shape(kName, "cos", cos.size(), kShape, {positions.size(), pairs}));
  POSENC_RETURN_IF_FAILED(
      detail::check_shape(kName, "sin", sin.size(), kShape, {positions.size(), pairs}));
  POSENC_RETURN_IF_FAILED(detail::check_apart(kName, "cos", cos, "sin", sin));
  POSENC_RETURN_IF_FAILED(
      detail::check_positions(kName, "positions", positions, frequencies_.position_limit()));
  const kernels::Turns turns = kernels::turns_from(frequencies_, 0);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    kernels::active().sin_cos(positions[i], turns, pairs, 1.0, 1.0, kernels::Rounding::nearest,
                              sin.data() + i * pairs, cos.data() + i * pairs);
  }
  return {};
}

Status Rope::rotate(ConstFloats x, Floats out, std::span<const float> cos,
                    std::span<const float> sin, const RotaryArgs& args) const noexcept {
  const std::size_t pairs = frequencies_.size();
  RotaryTensor tensor;
  POSENC_RETURN_IF_FAILED(RotaryTensor::make(config_, args, cos.size() / pairs, tensor));
  POSENC_RETURN_IF_FAILED(check_rotation(tensor, x, out));
  POSENC_RETURN_IF_FAILED(check_angles_fit(tensor, "cos", cos.size() / pairs));
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "cos", cos.size(), "rows * rotary_dim/2",
                                              {cos.size() / pairs, pairs}));
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "sin", sin.size(), "rows * rotary_dim/2",
                                              {cos.size() / pairs, pairs}));
  POSENC_RETURN_IF_FAILED(detail::check_apart(kName, "cos", cos, "the output", out));
  POSENC_RETURN_IF_FAILED(detail::check_apart(kName, "sin", sin, "the output", out));

  const Sharing share = sharing(tensor, cos.size() / pairs);
  for (std::size_t batch = 0; batch < tensor.batch; ++batch) {
    const std::size_t table_row = share.groups == 1 ? 0 : batch * tensor.length;
    tensor.copy_tails(x, out, batch);
    for (std::size_t first = 0; first < tensor.length; first += kRowTile) {
      const std::size_t at = (table_row + first) * pairs;
      tensor.rotate(x, out, batch,
                    {.first = first,
                     .rows = std::min(kRowTile, tensor.length - first),
                     .first_pair = 0,
                     .pairs = pairs,
                     .cos = cos.data() + at,
                     .sin = sin.data() + at,
                     .table_stride = pairs});
    }
  }
  return {};
}

Status Rope::rotate(Floats x, std::span<const float> cos, std::span<const float> sin,
                    const RotaryArgs& args) const noexcept {
  return rotate(x, x, cos, sin, args);
}

Status Rope::turn(ConstFloats x, Floats out, const RotaryArgs& args,
                  double direction) const noexcept {
  RotaryTensor tensor;
  POSENC_RETURN_IF_FAILED(RotaryTensor::make(config_, args, args.positions.size(), tensor));
  POSENC_RETURN_IF_FAILED(check_rotation(tensor, x, out));
  POSENC_RETURN_IF_FAILED(check_angles_fit(tensor, "positions", args.positions.size()));
  POSENC_RETURN_IF_FAILED(
      detail::check_positions(kName, "positions", args.positions, frequencies_.position_limit()));

  const std::size_t pairs = frequencies_.size();
  const Sharing share = sharing(tensor, args.positions.size());
  float cos[kRowTile * kPairTile], sin[kRowTile * kPairTile];
  for (std::size_t batch = 0; batch < tensor.batch; ++batch) {
    tensor.copy_tails(x, out, batch);
  }
  for (std::size_t group = 0; group < share.groups; ++group) {
    for (std::size_t first = 0; first < tensor.length; first += kRowTile) {
      const std::size_t rows = std::min(kRowTile, tensor.length - first);
      for (std::size_t pair = 0; pair < pairs; pair += kPairTile) {
        const std::size_t width = std::min(kPairTile, pairs - pair);
        const kernels::Turns turns = kernels::turns_from(frequencies_, pair);
        for (std::size_t row = 0; row < rows; ++row) {
          const double position = args.positions[group * tensor.length + first + row];
          kernels::active().sin_cos(position, turns, width, direction, 1.0,
                                    kernels::Rounding::nearest, sin + row * width,
                                    cos + row * width);
        }
        for (std::size_t member = 0; member < share.batch_per_group; ++member) {
          tensor.rotate(x, out, group + member,
                        {.first = first,
                         .rows = rows,
                         .first_pair = pair,
                         .pairs = width,
                         .cos = cos,
                         .sin = sin,
                         .table_stride = width});
        }
      }
    }
  }
  return {};
}

Status Rope::apply(ConstFloats x, Floats out, const RotaryArgs& args) const noexcept {
  return turn(x, out, args, 1.0);
}

Status Rope::apply(Floats x, const RotaryArgs& args) const noexcept {
  return turn(x, x, args, 1.0);
}

Status Rope::unapply(ConstFloats x, Floats out, const RotaryArgs& args) const noexcept {
  return turn(x, out, args, -1.0);
}

Status Rope::unapply(Floats x, const RotaryArgs& args) const noexcept {
  return turn(x, x, args, -1.0);
}

Result<Rope> make(const RopeConfig& config) noexcept { return make_result<Rope>(config); }

}  // namespace posenc
