#include "posenc/core/check.hpp"
#include "posenc/rotary/rope.hpp"
#include "posenc/rotary/rope_row.hpp"

namespace posenc {
namespace {

Status mismatch(const char* field) noexcept {
  return Status::failure(Code::value_range, "from",
                         "rope: from must be a rope of the same %s for rerotate", field);
}

bool turns_plainly(const RopeConfig& config) noexcept {
  return config.angles != Angles::float32 && !config.xpos.has_value();
}

Status check_pair(const Rope& rope, const Rope& from) noexcept {
  const RopeConfig &a = rope.config(), &b = from.config();
  if (!turns_plainly(a) || !turns_plainly(b)) {
    return Status::failure(Code::value_range, "from",
                           "rope: rerotate needs ropes without xpos and without angles float32, "
                           "whose angles are not sums");
  }
  if (a.head_dim != b.head_dim) return mismatch("head_dim");
  if (a.rotary_dim != b.rotary_dim) return mismatch("rotary_dim");
  if (a.rotary_start != b.rotary_start) return mismatch("rotary_start");
  if (a.layout != b.layout) return mismatch("layout");
  if (rope.axis_count() != from.axis_count()) return mismatch("number of axes");
  if (rope.frequency_heads() != from.frequency_heads()) return mismatch("frequency_heads");
  return {};
}

}  // namespace

Status Rope::rerotate(ConstFloats x, Floats out, const Rope& from, const RotaryArgs& args,
                      const Positions& positions) const noexcept {
  Target target;
  POSENC_RETURN_IF_FAILED(check_pair(*this, from));
  POSENC_RETURN_IF_FAILED(prepare(args, x, out, target));
  POSENC_RETURN_IF_FAILED(from.check_positions("positions", args.positions));
  POSENC_RETURN_IF_FAILED(check_positions("to", positions));
  POSENC_RETURN_IF_FAILED(
      detail::check_shape("rope", "to", positions.size(), "positions", {args.positions.size()}));
  Turn turn = turning({&target, 1}, args, Direction::forward);
  turn.positions = positions;
  turn.from = &from;
  turn.from_positions = args.positions;
  turn.sin_scale = turn.cos_scale = attention_factor_ / from.attention_factor_;
  run(turn);
  return {};
}

Status Rope::rerotate(Floats x, const Rope& from, const RotaryArgs& args,
                      const Positions& positions) const noexcept {
  return rerotate(x, x, from, args, positions);
}

}  // namespace posenc
