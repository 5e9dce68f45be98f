#include <emscripten/bind.h>

#include "glue.hpp"
#include "posenc/core/grid_positions.hpp"
#include "posenc/core/mrope_positions.hpp"
#include "posenc/core/ragged_positions.hpp"
#include "posenc/rotary/permute_pairs.hpp"

namespace posenc::wasm {
namespace {

using Ids = std::int64_t;

int grid(std::size_t height, std::size_t width, std::size_t frames, std::size_t merge,
         unsigned coordinates, unsigned extent, double offset, double reference_height,
         double reference_width, bool columns_first, Address out, std::size_t size) {
  return guarded([&] {
    return grid_positions({.height = height,
                           .width = width,
                           .frames = frames,
                           .merge = merge,
                           .coordinates = static_cast<GridCoordinates>(coordinates),
                           .extent = static_cast<GridExtent>(extent),
                           .offset = offset,
                           .reference_height = reference_height,
                           .reference_width = reference_width,
                           .columns_first = columns_first},
                          span_of<double>(out, size));
  });
}

/// `positions` are 3 * tokens values, `delta` batch ones.
int mrope(std::size_t batch, int image_token, int video_token, int merge, double masked,
          Address ids, std::size_t tokens, Address mask, std::size_t mask_size, Address images,
          std::size_t image_values, Address videos, std::size_t video_values, Address positions,
          Address delta) {
  return guarded([&] {
    return mrope_positions(
        {.batch = batch,
         .image_token_id = image_token,
         .video_token_id = video_token,
         .spatial_merge_size = merge,
         .masked_position = static_cast<Ids>(masked)},
        span_of<const std::int32_t>(ids, tokens), span_of<const std::uint8_t>(mask, mask_size),
        span_of<const Ids>(images, image_values), span_of<const Ids>(videos, video_values),
        span_of<Ids>(positions, 3 * tokens), span_of<Ids>(delta, batch));
  });
}

int offsets(Address first, std::size_t batch, Address out, std::size_t size) {
  return guarded(
      [&] { return offset_positions(span_of<const Ids>(first, batch), span_of<Ids>(out, size)); });
}

int packed(Address first, std::size_t batch, Address starts, std::size_t start_count, Address out,
           std::size_t size) {
  return guarded([&] {
    return packed_positions(span_of<const Ids>(first, batch),
                            span_of<const Ids>(starts, start_count), span_of<Ids>(out, size));
  });
}

PermutePairsArgs permute_args(std::size_t heads, std::size_t head_dim, std::size_t rotary_dim,
                              std::size_t columns, unsigned from, unsigned to) noexcept {
  return {.heads = heads,
          .head_dim = head_dim,
          .rotary_dim = rotary_dim,
          .columns = columns,
          .from = static_cast<RopeLayout>(from),
          .to = static_cast<RopeLayout>(to)};
}

int permute(Address weight, std::size_t size, Address out, std::size_t out_size, std::size_t heads,
            std::size_t head_dim, std::size_t rotary_dim, std::size_t columns, unsigned from,
            unsigned to) {
  return guarded([&] {
    return permute_pairs(floats(weight, size), floats(out, out_size),
                         permute_args(heads, head_dim, rotary_dim, columns, from, to));
  });
}

int permute_rows(Address out, std::size_t size, std::size_t heads, std::size_t head_dim,
                 std::size_t rotary_dim, unsigned from, unsigned to) {
  return guarded([&] {
    return permute_pairs_rows(permute_args(heads, head_dim, rotary_dim, 1, from, to),
                              span_of<std::int32_t>(out, size));
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(rotary_positions) {
  emscripten::function("grid_positions", &grid);
  emscripten::function("mrope_positions", &mrope);
  emscripten::function("offset_positions", &offsets);
  emscripten::function("packed_positions", &packed);
  emscripten::function("permute_pairs", &permute);
  emscripten::function("permute_pairs_rows", &permute_rows);
}

}  // namespace posenc::wasm
