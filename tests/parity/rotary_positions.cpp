// Positions of image grids and of ragged batches.

#include <vector>

#include "cases.hpp"
#include "posenc/core/grid_positions.hpp"
#include "posenc/core/ragged_positions.hpp"
#include "sizes.hpp"

namespace posenc::parity {
namespace {

void grids(Cases& cases) {
  constexpr GridCoordinates kCoordinates[] = {GridCoordinates::cells, GridCoordinates::centres,
                                              GridCoordinates::corners};
  constexpr GridExtent kExtents[] = {GridExtent::separate, GridExtent::max, GridExtent::min};
  std::size_t index = 0;
  for (const std::size_t height : sizes_to(6, {14})) {
    for (const std::size_t width : sizes_to(6, {37})) {
      for (const auto coordinates : kCoordinates) {
        GridPositionsArgs args{.height = height, .width = width, .coordinates = coordinates};
        args.extent = turn(kExtents, index / 3);
        args.frames = 1 + index % 2;
        args.merge = height % 2 == 0 && width % 2 == 0 ? 2 : 1;
        args.offset = index % 5 == 0 ? 0.1 : 0.0;
        if (index % 4 == 0) args.reference_height = args.reference_width = 16;
        args.columns_first = index++ % 2 == 0;
        Label label;
        label("height", height)("width", width)("coordinates", static_cast<int>(coordinates));
        cases.add(label, [&](Case& one) {
          std::vector<double> out(2 * args.frames * height * width);
          one.succeed(grid_positions(args, out));
          one.result("positions", out);
        });
      }
    }
  }
}

void packed(Cases& cases) {
  for (const std::int64_t length : {0, 1, 5, 40}) {
    for (const std::int64_t offset : {std::int64_t{0}, std::int64_t{-7}, kMaxPosition / 2}) {
      cases.add(Label()("length", length)("offset", offset), [&](Case& one) {
        const std::int64_t starts[] = {0, length, length, 2 * length + 3};
        const std::int64_t offsets[] = {offset, 5, -offset};
        std::vector<std::int64_t> out(static_cast<std::size_t>(2 * length + 3)), padded(12);
        one.succeed(packed_positions(offsets, starts, out));
        one.succeed(offset_positions(offsets, padded));
        one.result("packed", out);
        one.result("padded", padded);
      });
    }
  }
}

}  // namespace

std::span<const Verb> rotary_position_verbs() {
  static constexpr Verb kVerbs[] = {{"grid_positions", grids}, {"ragged_positions", packed}};
  return kVerbs;
}

}  // namespace posenc::parity
