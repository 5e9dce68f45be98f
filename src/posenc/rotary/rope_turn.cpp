#include <algorithm>
#include <cmath>

#include "posenc/core/check.hpp"
#include "posenc/core/sin_cos_rows.hpp"
#include "posenc/kernels/kernels.hpp"
#include "posenc/rotary/rope.hpp"
#include "posenc/rotary/rope_row.hpp"

namespace posenc {
namespace {

constexpr char kName[] = "rope";

/// Angles are made for this many positions and pairs at a time, on the stack, and used for every
/// head while they are in the nearest cache.
constexpr std::size_t kRowTile = detail::SinCosRows::kRows;
constexpr std::size_t kPairTile = 64;

Status check_rows(const RotaryTensor& tensor, const char* field, std::size_t rows) noexcept {
  if (rows == tensor.length || rows == tensor.batch * tensor.length) return {};
  return Status::failure(Code::shape, field,
                         "rope: %s must have length = %zu rows, or batch * length = %zu, got %zu",
                         field, tensor.length, tensor.batch * tensor.length, rows);
}

Status check_table(const char* field, std::size_t size, std::size_t rows, std::size_t pairs,
                   ConstFloats table, ConstFloats out) noexcept {
  POSENC_RETURN_IF_FAILED(
      detail::check_shape(kName, field, size, "rows * rotary_dim/2", {rows, pairs}));
  return detail::check_apart(kName, field, table, "the output", out);
}

}  // namespace

Status Rope::rotate(ConstFloats x, Floats out, std::span<const float> cos,
                    std::span<const float> sin, const RotaryArgs& args) const noexcept {
  const std::size_t pairs = config_.rotary_dim / 2, rows = cos.size() / pairs;
  if (frequency_heads_ > 1) {
    return Status::failure(Code::value_range, "scaling.frequency_heads",
                           "rope: scaling.frequency_heads must be 1 for rotate, got %zu; use apply",
                           frequency_heads_);
  }
  RotaryTensor tensor;
  POSENC_RETURN_IF_FAILED(RotaryTensor::make(config_, args, rows, tensor));
  POSENC_RETURN_IF_FAILED(check_rotation(tensor, x, out));
  POSENC_RETURN_IF_FAILED(check_rows(tensor, "cos", rows));
  POSENC_RETURN_IF_FAILED(check_table("cos", cos.size(), rows, pairs, cos, out));
  POSENC_RETURN_IF_FAILED(check_table("sin", sin.size(), rows, pairs, sin, out));
  if (tensor.extent == 0) return {};

  for (std::size_t batch = 0; batch < tensor.batch; ++batch) {
    const std::size_t table_row = rows == tensor.length ? 0 : batch * tensor.length;
    tensor.copy_tails(x, out, batch);
    for (std::size_t first = 0; first < tensor.length; first += kRowTile) {
      const std::size_t at = (table_row + first) * pairs;
      tensor.rotate(x, out, batch,
                    {.first = first,
                     .rows = std::min(kRowTile, tensor.length - first),
                     .first_head = 0,
                     .heads = tensor.heads,
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

/// One group of sequences that share positions. Every tile of angles is made once and used for all
/// of them, all heads that share it, and all targets.
void Rope::turn_sequences(const Turn& turn, std::size_t head, std::size_t first_row,
                          std::size_t first_sequence, std::size_t sequences) const noexcept {
  const std::size_t length = turn.targets[0].tensor.length, pairs = config_.rotary_dim / 2;
  const bool own = frequency_heads_ > 1;
  alignas(kernels::kLineBytes) float cos[kRowTile * kPairTile], sin[kRowTile * kPairTile];
  detail::SinCosRows::Memory<kPairTile> memory;
  for (std::size_t pair = 0; pair < pairs; pair += kPairTile) {
    const std::size_t width = std::min(kPairTile, pairs - pair);
    const bool alone = turns_alone() && turn.from == nullptr;
    detail::SinCosRows turning(
        axes_[head], pair, width,
        alone ? turn.positions.slice(first_row, length) : Positions::from(0, 0),
        {turn.sin_scale, turn.cos_scale}, memory);
    for (std::size_t first = 0; first < length; first += kRowTile) {
      const std::size_t rows = std::min(kRowTile, length - first);
      if (alone) {
        turning.write(first, rows, kernels::Rounding::nearest, sin, cos, width);
      } else {
        for (std::size_t i = 0; i < rows; ++i) {
          write_row(turn.row(first_row + first + i, head, pair, width), sin + i * width,
                    cos + i * width);
        }
      }
      for (const Target& target : turn.targets) {
        const RotaryTile tile{.first = first,
                              .rows = rows,
                              .first_head = own ? head : 0,
                              .heads = own ? 1 : target.tensor.heads,
                              .first_pair = pair,
                              .pairs = width,
                              .cos = cos,
                              .sin = sin,
                              .table_stride = width};
        for (std::size_t i = 0; i < sequences; ++i) {
          target.tensor.rotate(target.x, target.out, first_sequence + i, tile);
        }
      }
    }
  }
}

void Rope::run(const Turn& turn) const noexcept {
  const RotaryTensor& tensor = turn.targets[0].tensor;
  const auto empty = [](const Target& target) { return target.tensor.extent == 0; };
  if (std::ranges::all_of(turn.targets, empty)) return;
  for (const Target& target : turn.targets) {
    for (std::size_t i = 0; i < tensor.batch; ++i) {
      target.tensor.copy_tails(target.x, target.out, i);
    }
  }
  const bool shared = turn.rows == tensor.length;
  for (std::size_t head = 0; head < frequency_heads_; ++head) {
    if (shared) {
      turn_sequences(turn, head, 0, 0, tensor.batch);
      continue;
    }
    for (std::size_t i = 0; i < tensor.batch; ++i) {
      turn_sequences(turn, head, i * tensor.length, i, 1);
    }
  }
}

namespace {

/// Half the length, rounded down, when the origin is not fixed.
double zeta_origin(const Xpos& xpos, std::size_t length) noexcept {
  const std::size_t half = length / 2;
  return xpos.origin.value_or(static_cast<double>(half));
}

}  // namespace

/// POSITION_RANGE where xPos's factors would leave float32's range.
Status Rope::check_decay(const Positions& positions, std::size_t length) const noexcept {
  if (!config_.xpos.has_value()) return {};
  constexpr double kMostSteps = 69.0;  // 3.5^69 is 3.5e37
  const double origin = zeta_origin(*config_.xpos, length);
  const double reach = kMostSteps * config_.xpos->scale_base;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (std::fabs(positions[i] - origin) <= reach) continue;
    return Status::failure(Code::position_range, "positions",
                           "rope: positions must be within 69 * xpos.scale_base = %.17g of the "
                           "origin %.17g, got %.17g",
                           reach, origin, positions[i]);
  }
  return {};
}

/// Checks everything that does not depend on the direction.
Status Rope::prepare(const RotaryArgs& args, ConstFloats x, Floats out,
                     Target& target) const noexcept {
  const std::size_t axes = axis_count(), rows = args.positions.size() / axes;
  POSENC_RETURN_IF_FAILED(
      detail::check_shape(kName, "positions", args.positions.size(), "axes * rows", {axes, rows}));
  POSENC_RETURN_IF_FAILED(RotaryTensor::make(config_, args, rows, target.tensor));
  POSENC_RETURN_IF_FAILED(check_rotation(target.tensor, x, out));
  POSENC_RETURN_IF_FAILED(check_rows(target.tensor, "positions", rows));
  if (frequency_heads_ > 1 && args.heads != frequency_heads_) {
    return Status::failure(Code::shape, "heads",
                           "rope: heads must be frequency_heads = %zu, got %zu", frequency_heads_,
                           args.heads);
  }
  target.x = x;
  target.out = out;
  POSENC_RETURN_IF_FAILED(check_positions("positions", args.positions));
  return check_decay(args.positions, target.tensor.length);
}

Rope::Turn Rope::turning(std::span<const Target> targets, const RotaryArgs& args,
                         Direction direction) const noexcept {
  const double factor = attention_factor_;
  const double scale = direction == Direction::inverse ? 1.0 / factor : factor;
  Turn turn{.targets = targets,
            .positions = args.positions,
            .rows = args.positions.size() / axis_count(),
            .sin_scale = direction == Direction::forward ? scale : -scale,
            .cos_scale = scale};
  if (config_.xpos.has_value()) {
    const double sign = args.side == RotarySide::query ? 1.0 : -1.0;
    turn.zeta_step = (direction == Direction::inverse ? -sign : sign) / config_.xpos->scale_base;
    turn.zeta_origin = zeta_origin(*config_.xpos, targets[0].tensor.length);
  }
  return turn;
}

Status Rope::turn(ConstFloats x, Floats out, const RotaryArgs& args,
                  Direction direction) const noexcept {
  Target target;
  POSENC_RETURN_IF_FAILED(prepare(args, x, out, target));
  run(turning({&target, 1}, args, direction));
  return {};
}

Status Rope::apply(ConstFloats x, Floats out, const RotaryArgs& args) const noexcept {
  return turn(x, out, args, Direction::forward);
}

Status Rope::apply(Floats x, const RotaryArgs& args) const noexcept {
  return turn(x, x, args, Direction::forward);
}

Status Rope::apply(Floats q, Floats k, const RotaryArgs& args,
                   std::size_t kv_heads) const noexcept {
  Target targets[2];
  RotaryArgs k_args = args;
  k_args.heads = kv_heads;
  k_args.side = RotarySide::key;
  if ((args.batch_stride | args.head_stride | args.length_stride) != 0) {
    return Status::failure(Code::value_range, "head_stride",
                           "rope: strides must be left out to rotate q and k in one call");
  }
  POSENC_RETURN_IF_FAILED(prepare(args, q, q, targets[0]));
  POSENC_RETURN_IF_FAILED(prepare(k_args, k, k, targets[1]));
  POSENC_RETURN_IF_FAILED(detail::check_apart(kName, "k", k, "q", q));
  if (config_.xpos.has_value()) {
    run(turning({targets, 1}, args, Direction::forward));
    run(turning({targets + 1, 1}, k_args, Direction::forward));
  } else {
    run(turning(targets, args, Direction::forward));
  }
  return {};
}

Status Rope::unapply(ConstFloats x, Floats out, const RotaryArgs& args) const noexcept {
  return turn(x, out, args, Direction::inverse);
}

Status Rope::unapply(Floats x, const RotaryArgs& args) const noexcept {
  return turn(x, x, args, Direction::inverse);
}

Status Rope::backward(ConstFloats gradient, Floats out, const RotaryArgs& args) const noexcept {
  return turn(gradient, out, args, Direction::transpose);
}

Status Rope::backward(Floats gradient, const RotaryArgs& args) const noexcept {
  return turn(gradient, gradient, args, Direction::transpose);
}

}  // namespace posenc
