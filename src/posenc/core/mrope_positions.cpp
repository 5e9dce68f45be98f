#include "posenc/core/mrope_positions.hpp"

#include <algorithm>

#include "posenc/core/check.hpp"

namespace posenc {
namespace {

constexpr char kName[] = "mrope_positions";
constexpr std::int64_t kMaxSide = std::int64_t{1} << 20;

struct Call {
  const MropePositionsArgs& args;
  std::span<const std::int32_t> ids;
  std::span<const std::uint8_t> mask;
  std::span<const std::int64_t> images, videos;
  std::size_t length;

  bool visible(std::size_t at) const noexcept { return mask.empty() || mask[at] != 0; }
};

/// The grids not used yet, and where positions go; nowhere while the input is only checked.
struct Walk {
  std::size_t image = 0, video = 0;
  std::span<std::int64_t> positions;
  std::span<std::int64_t> delta;
};

void write(const Call& call, const Walk& walk, std::size_t at, std::int64_t t, std::int64_t h,
           std::int64_t w) noexcept {
  if (walk.positions.empty()) return;
  const std::size_t plane = call.args.batch * call.length;
  walk.positions[at] = t;
  walk.positions[plane + at] = h;
  walk.positions[2 * plane + at] = w;
}

void write_masked(const Call& call, const Walk& walk, std::size_t at) noexcept {
  const std::int64_t masked = call.args.masked_position;
  write(call, walk, at, masked, masked, masked);
}

Status missing(const char* field, const char* what) noexcept {
  return Status::failure(Code::shape, field, "mrope_positions: %s must have a grid for every %s",
                         field, what);
}

/// The tokens of one grid from `at` on; moves `at` past them and `next` past their positions.
Status walk_grid(const Call& call, Walk& walk, std::size_t end, std::size_t& at,
                 std::int64_t& next) noexcept {
  const std::int32_t token = call.ids[at];
  const bool image = token == call.args.image_token_id;
  const auto grids = image ? call.images : call.videos;
  std::size_t& used = image ? walk.image : walk.video;
  const char* field = image ? "image_grids" : "video_grids";
  if (3 * used >= grids.size())
    return missing(field, image ? "image of the ids" : "video of the ids");
  const auto grid = grids.subspan(3 * used++, 3);
  const std::int64_t merge = call.args.spatial_merge_size;
  const std::int64_t height = grid[1] / merge, width = grid[2] / merge;
  std::int64_t t = 0, h = 0, w = 0;
  while (t < grid[0]) {
    while (at < end && !call.visible(at)) write_masked(call, walk, at++);
    if (at == end || call.ids[at] != token) {
      return Status::failure(
          Code::shape, field,
          "mrope_positions: %s must fit the ids: grid %zu has %lld tokens more "
          "than the ids show",
          field, used - 1, static_cast<long long>((grid[0] - t) * height * width - h * width - w));
    }
    write(call, walk, at++, next + t, next + h, next + w);
    if (++w < width) continue;
    w = 0;
    if (++h < height) continue;
    h = 0;
    ++t;
  }
  next += std::max({grid[0], height, width});
  return {};
}

Status walk_sequence(const Call& call, Walk& walk, std::size_t sequence) noexcept {
  std::size_t at = sequence * call.length;
  const std::size_t end = at + call.length;
  std::int64_t next = 0;
  while (at < end) {
    if (!call.visible(at)) {
      write_masked(call, walk, at++);
      continue;
    }
    const std::int32_t token = call.ids[at];
    if (token == call.args.image_token_id || token == call.args.video_token_id) {
      POSENC_RETURN_IF_FAILED(walk_grid(call, walk, end, at, next));
    } else {
      write(call, walk, at++, next, next, next);
      ++next;
    }
  }
  if (!walk.delta.empty()) walk.delta[sequence] = next - static_cast<std::int64_t>(call.length);
  return {};
}

Status walk_all(const Call& call, Walk walk) noexcept {
  for (std::size_t sequence = 0; sequence < call.args.batch; ++sequence) {
    POSENC_RETURN_IF_FAILED(walk_sequence(call, walk, sequence));
  }
  const char* field = 3 * walk.image != call.images.size() ? "image_grids" : "video_grids";
  if (3 * walk.image == call.images.size() && 3 * walk.video == call.videos.size()) return {};
  return Status::failure(Code::shape, field,
                         "mrope_positions: %s must have as many grids as the ids show, got more",
                         field);
}

Status check_grids(const char* field, std::span<const std::int64_t> grids,
                   std::int64_t merge) noexcept {
  POSENC_RETURN_IF_FAILED(
      detail::check_shape(kName, field, grids.size(), "count * 3", {grids.size() / 3, 3}));
  for (std::size_t i = 0; i < grids.size(); ++i) {
    const std::int64_t unit = i % 3 == 0 ? 1 : merge;
    if (grids[i] >= 1 && grids[i] <= kMaxSide && grids[i] % unit == 0) continue;
    return Status::failure(Code::value_range, field,
                           "mrope_positions: %s must be positive, height and width divisible by "
                           "spatial_merge_size = %lld, got %lld",
                           field, static_cast<long long>(merge), static_cast<long long>(grids[i]));
  }
  return {};
}

}  // namespace

Status mrope_positions(const MropePositionsArgs& args, std::span<const std::int32_t> input_ids,
                       std::span<const std::uint8_t> attention_mask,
                       std::span<const std::int64_t> image_grids,
                       std::span<const std::int64_t> video_grids, std::span<std::int64_t> positions,
                       std::span<std::int64_t> delta) noexcept {
  POSENC_RETURN_IF_FAILED(detail::check_width(kName, "batch", args.batch));
  const std::size_t length = input_ids.size() / args.batch;
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "input_ids", input_ids.size(),
                                              "batch * length", {args.batch, length}));
  if (!attention_mask.empty()) {
    POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "attention_mask", attention_mask.size(),
                                                "batch * length", {args.batch, length}));
  }
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "positions", positions.size(),
                                              "3 * batch * length", {3, args.batch, length}));
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "delta", delta.size(), "batch", {args.batch}));
  POSENC_RETURN_IF_FAILED(detail::check_number(
      kName, "spatial_merge_size", static_cast<double>(args.spatial_merge_size), 1.0, 64.0));
  POSENC_RETURN_IF_FAILED(check_grids("image_grids", image_grids, args.spatial_merge_size));
  POSENC_RETURN_IF_FAILED(check_grids("video_grids", video_grids, args.spatial_merge_size));
  const Call call{args, input_ids, attention_mask, image_grids, video_grids, length};
  POSENC_RETURN_IF_FAILED(walk_all(call, {}));
  return walk_all(call, {.positions = positions, .delta = delta});
}

}  // namespace posenc
