// Parts of tables and rotations are the bits of the whole.

#include "parts.hpp"

#include "helpers.hpp"
#include "posenc/additive/detr_sine.hpp"
#include "posenc/additive/hierarchical.hpp"
#include "posenc/additive/layout_boxes.hpp"
#include "posenc/additive/learned.hpp"
#include "posenc/additive/multiscale.hpp"
#include "posenc/additive/sincos_grid.hpp"
#include "posenc/additive/sinusoidal.hpp"
#include "posenc/rotary/rope.hpp"
#include "ropes.hpp"

namespace posenc {
namespace {

using namespace tests;

/// `table` and `add` of an encoding whose rows are computed by `call(encoding, out, slice)`.
void expect_rows(const char* name, std::size_t rows, std::size_t width,
                 const std::function<Status(Floats, Slice)>& table,
                 const std::function<Status(Floats, Slice)>& add) {
  expect_parts_equal_whole({name, {rows}, width, [&](Slices s, StorageType type) {
                              return written(size_of(s, width), type,
                                             [&](Floats out) { return table(out, s[0]); });
                            }});
  const std::vector<float> x = Random(7).floats(rows * width);
  expect_parts_equal_whole({name, {rows}, width, [&](Slices s, StorageType type) {
                              return written_over(taken(x, {rows}, {s[0]}, width), type,
                                                  [&](Floats out) { return add(out, s[0]); });
                            }});
}

/// The same for an encoding that takes positions.
template <class Encoding>
void expect_rows_of(const char* name, const Encoding& encoding, const Positions& positions,
                    std::size_t width) {
  expect_rows(
      name, positions.size(), width,
      [&](Floats out, Slice s) { return encoding.table(positions.slice(s.first, s.count), out); },
      [&](Floats x, Slice s) { return encoding.add(positions.slice(s.first, s.count), x); });
}

TEST(Parts, OfSinusoidalTables) {
  Random random;
  std::vector<double> far(23);
  for (double& position : far) position = random.uniform(-0x1p24, 0x1p24);
  for (const SinusoidalLayout layout : {SinusoidalLayout::interleaved, SinusoidalLayout::half}) {
    for (const std::size_t dim : {3u, 259u, 600u}) {
      const Sinusoidal encoding({.dim = dim, .layout = layout, .scale = 0.7});
      expect_rows_of("sinusoidal", encoding, Positions::of(far), dim);
      expect_rows_of("sinusoidal", encoding, Positions::from(-9, 23), dim);
    }
  }
}

TEST(Parts, OfGridTables) {
  Random random;
  const std::size_t cells = 19;
  std::vector<double> at(2 * cells);
  for (double& one : at) one = random.uniform(-500, 500);
  const auto coordinates = [&](Slice s) {
    return std::span<const double>(at).subspan(2 * s.first, 2 * s.count);
  };
  for (const SincosGridLayout layout :
       {SincosGridLayout::axis_blocks, SincosGridLayout::function_blocks,
        SincosGridLayout::interleaved}) {
    const SincosGrid encoding({.dim = 292, .layout = layout});
    expect_rows(
        "sincos_grid", cells, 292,
        [&](Floats out, Slice s) { return encoding.table(coordinates(s), out); },
        [&](Floats x, Slice s) { return encoding.add(coordinates(s), x); });
  }
  std::vector<std::uint8_t> mask(5 * 4 * 7);
  for (std::uint8_t& pixel : mask) pixel = static_cast<std::uint8_t>(random.integer(0, 4));
  const auto images = [&](Slice s) {
    return std::span<const std::uint8_t>(mask).subspan(28 * s.first, 28 * s.count);
  };
  for (const DetrOrder order : {DetrOrder::channels_first, DetrOrder::channels_last}) {
    const DetrSine encoding({.num_pos_feats = 20, .normalize = true, .order = order});
    expect_rows(
        "detr_sine", 5, 28 * 40,
        [&](Floats out, Slice s) { return encoding.table(images(s), {s.count, 4, 7}, out); },
        [&](Floats x, Slice s) { return encoding.add(images(s), {s.count, 4, 7}, x); });
  }
}

TEST(Parts, OfTrainedTablesAndLevels) {
  Random random;
  const std::size_t tokens = 17, dim = 270, rows = 12;
  std::vector<std::int64_t> positions(tokens), small(tokens);
  for (std::int64_t& one : positions) one = random.integer(0, rows * rows - 1);
  for (std::int64_t& one : small) one = random.integer(0, rows - 1);
  const Positions far = Positions::of(std::span<const std::int64_t>(positions)),
                  near = Positions::of(std::span<const std::int64_t>(small));
  const std::vector<float> table = random.floats(rows * dim);
  expect_rows_of("learned", Learned({.rows = table, .dim = dim, .scale = 0.3}), near, dim);
  expect_rows_of("hierarchical", Hierarchical({.rows = table, .dim = dim}), far, dim);

  const LayoutBoxes boxes({.dim = dim,
                           .x_rows = table,
                           .y_rows = table,
                           .height_rows = table,
                           .width_rows = table,
                           .position_rows = table});
  std::vector<std::int32_t> corners;
  for (std::size_t i = 0; i < tokens; ++i) {
    for (const int corner : {2, 1, 7, 9}) {
      corners.push_back(corner + static_cast<std::int32_t>(random.integer(0, 2)));
    }
  }
  const auto box = [&](Slice s) {
    return std::span<const std::int32_t>(corners).subspan(4 * s.first, 4 * s.count);
  };
  expect_rows(
      "layout_boxes", tokens, dim,
      [&](Floats out, Slice s) { return boxes.table(box(s), near.slice(s.first, s.count), out); },
      [&](Floats x, Slice s) { return boxes.add(box(s), near.slice(s.first, s.count), x); });

  const MultiscaleLevel levels[] = {{dim, 100.0, 0.5}, {dim, 1000.0}};
  for (const MultiscaleCombine combine : {MultiscaleCombine::concatenate, MultiscaleCombine::sum}) {
    const Multiscale multiscale({.levels = levels, .combine = combine});
    const auto both = [&](Slice s) {
      return std::vector<Positions>{near.slice(s.first, s.count), far.slice(s.first, s.count)};
    };
    expect_rows(
        "multiscale", tokens, multiscale.dim(),
        [&](Floats out, Slice s) { return multiscale.table(both(s), out); },
        [&](Floats x, Slice s) { return multiscale.add(both(s), x); });
  }
}

TEST(Parts, OfRotations) {
  Random random;
  const std::size_t batch = 3, heads = 4, length = 7;
  const std::vector<std::size_t> shape{batch, heads, length};
  for (const std::size_t dim : {32u, 136u}) {
    const std::vector<float> x = random.floats(batch * heads * length * dim);
    for (const auto& [name, config] : ropes_of_every_kind(dim)) {
      const Rope rope(config);
      const std::size_t axes = rope.axis_count();
      std::vector<double> positions(axes * batch * length);
      for (double& position : positions) position = random.uniform(-9000, 9000);
      for (const bool inverse : {false, true}) {
        expect_parts_equal_whole(
            {name, shape, dim, [&](Slices s, StorageType type) {
               const std::vector<float> in = taken(x, shape, {s[0], s[1], s[2]}, dim);
               const std::vector<double> at =
                   taken(positions, {axes, batch, length}, {{0, axes}, s[0], s[2]});
               const RotaryArgs args{.batch = s[0].count,
                                     .heads = s[1].count,
                                     .positions = Positions::of(at),
                                     .length = s[2].count,
                                     .side = RotarySide::key};
               return written(in.size(), type, [&](Floats out) {
                 return inverse ? rope.unapply(in, out, args) : rope.apply(in, out, args);
               });
             }});
      }
    }
  }
}

TEST(Parts, OfAnglesAndRerotations) {
  Random random;
  const std::size_t rows = 13, dim = 72, heads = 2;
  const std::vector<float> x = random.floats(heads * rows * dim);
  std::vector<double> from(rows), to(rows);
  for (double& position : from) position = random.uniform(-9000, 9000);
  for (double& position : to) position = random.uniform(-9000, 9000);
  const Rope plain({.head_dim = dim}), yarn({.head_dim = dim, .scaling = Yarn{16, 4096}});
  const auto some = [](const std::vector<double>& all, Slice s) {
    return Positions::of(std::span<const double>(all).subspan(s.first, s.count));
  };
  for (const Rope* rope : {&plain, &yarn}) {
    for (const bool cosines : {false, true}) {
      expect_parts_equal_whole({"rope angles", {rows}, dim / 2, [&](Slices s, StorageType) {
                                  std::vector<float> cos(s[0].count * dim / 2), sin(cos.size());
                                  EXPECT_TRUE(succeeded(rope->angles(some(from, s[0]), cos, sin)));
                                  return cosines ? cos : sin;
                                }});
    }
    expect_parts_equal_whole(
        {"rerotate", {heads, rows}, dim, [&](Slices s, StorageType type) {
           const std::vector<float> in = taken(x, {heads, rows}, {s[0], s[1]}, dim);
           return written(in.size(), type, [&](Floats out) {
             return rope->rerotate(in, out, plain,
                                   {.heads = s[0].count, .positions = some(from, s[1])},
                                   some(to, s[1]));
           });
         }});
  }
}

}  // namespace
}  // namespace posenc
