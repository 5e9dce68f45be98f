// Random configs and calls, half of them spoilt: a result or a named failure each time, nothing
// outside the output written, and after a failure nothing at all.

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string_view>
#include <vector>

#include "helpers.hpp"
#include "posenc/core/grid_positions.hpp"
#include "posenc/core/mrope_positions.hpp"
#include "posenc/core/ragged_positions.hpp"
#include "posenc/rotary/permute_pairs.hpp"
#include "posenc/rotary/rope.hpp"

namespace posenc {
namespace {

using namespace tests;

constexpr int kRuns = 10000;

class Fuzz {
 public:
  explicit Fuzz(std::uint64_t stream) : random_(stream) {}

  bool one_in(std::int64_t n) { return random_.integer(0, n - 1) == 0; }
  std::size_t size(std::size_t most) {
    return static_cast<std::size_t>(random_.integer(0, static_cast<std::int64_t>(most)));
  }
  /// A number that suits, or in spoilt runs now and then one that does not.
  double number(double low, double high) {
    constexpr double kOdd[] = {0.0, -1.0, 1e300, -1e300, 1e-320, kNaN, kInfinity, -kInfinity};
    if (spoilt && one_in(8)) return kOdd[size(7)];
    return random_.uniform(low, high);
  }
  std::int64_t whole(std::int64_t low, std::int64_t high) {
    if (spoilt && one_in(8)) return random_.integer(0, 1) == 0 ? -1 : INT64_MAX;
    return random_.integer(low, high);
  }
  std::vector<double> numbers(std::size_t count, double low, double high) {
    std::vector<double> values(count);
    for (double& value : values) value = number(low, high);
    return values;
  }
  std::vector<float> floats(std::size_t count) { return random_.floats(count); }

  bool spoilt = false;

 private:
  Random random_;
};

RopeScaling scaling_of(Fuzz& fuzz, std::size_t pairs) {
  if (fuzz.spoilt && fuzz.one_in(6)) pairs = fuzz.size(40);
  switch (fuzz.size(8)) {
    case 1:
      return Linear{fuzz.number(0.01, 40)};
    case 2:
      return StaticNtk{fuzz.number(0.5, 40)};
    case 3:
      return DynamicNtk{fuzz.number(1, 40), fuzz.whole(1, 1 << 20)};
    case 4:
      return Yarn{fuzz.number(1, 40),  fuzz.whole(1, 1 << 20), fuzz.number(2, 64),
                  fuzz.number(0.1, 2), fuzz.one_in(2),         fuzz.number(0, 2),
                  fuzz.number(0, 2)};
    case 5:
      return LongRope{fuzz.numbers(pairs, 1, 60), fuzz.numbers(pairs, 1, 60),
                      fuzz.whole(2, 1 << 20), fuzz.number(0.5, 40)};
    case 6:
      return Llama3{fuzz.number(1, 40), fuzz.number(0.5, 2), fuzz.number(2, 8),
                    fuzz.whole(1, 1 << 20)};
    case 7:
      return Proportional{fuzz.number(0, 1), fuzz.number(1, 8)};
    case 8: {
      const std::size_t axes = 1 + fuzz.size(2), heads = 1 + fuzz.size(2);
      return CustomFrequencies{fuzz.numbers(axes * heads * pairs, -1, 1), axes, heads,
                               fuzz.number(0.5, 2)};
    }
    default:
      return NoScaling{};
  }
}

RopeAxes axes_of(Fuzz& fuzz, std::size_t pairs) {
  if (fuzz.one_in(4)) {
    const std::size_t third = pairs / 3;
    Mrope mrope{{pairs - 2 * third, third, third}, fuzz.one_in(2)};
    if (fuzz.spoilt && fuzz.one_in(3)) mrope.sections[fuzz.size(2)] = fuzz.size(50);
    return mrope;
  }
  if (fuzz.one_in(4)) {
    return Axial{static_cast<AxialBands>(fuzz.size(4)), static_cast<AxialOrder>(fuzz.size(1)),
                 fuzz.number(4, 500)};
  }
  return OneAxis{};
}

RopeConfig config_of(Fuzz& fuzz) {
  const std::size_t pairs = 1 + fuzz.size(35);
  RopeConfig config{.head_dim = 2 * pairs, .base = fuzz.number(1, 1e6)};
  if (fuzz.one_in(3)) {
    config.rotary_dim = 2 * pairs;
    config.rotary_start = fuzz.size(3);
    config.head_dim += config.rotary_start + (config.rotary_start % 2) + 2 * fuzz.size(2);
  }
  if (fuzz.spoilt && fuzz.one_in(4)) config.head_dim = fuzz.size(80);
  config.layout = static_cast<RopeLayout>(fuzz.size(1));
  config.scaling = scaling_of(fuzz, pairs);
  config.length = fuzz.whole(0, 1 << 22);
  config.angles = static_cast<Angles>(fuzz.size(2));
  if (std::holds_alternative<NoScaling>(config.scaling)) config.axes = axes_of(fuzz, pairs);
  if (fuzz.one_in(8)) config.xpos = Xpos{fuzz.number(1, 1000), fuzz.number(-50, 50)};
  return config;
}

struct Outcome {
  std::size_t done = 0, refused = 0;

  /// After a failure the output is as it was before.
  void see(const Status& status, bool untouched) {
    ++(status.ok() ? done : refused);
    if (status.ok()) return;
    EXPECT_TRUE(untouched) << status.message();
    EXPECT_FALSE(status.message().empty());
    EXPECT_FALSE(status.field().empty()) << status.message();
  }
};

template <class Values>
bool same(const Values& a, const Values& b) {
  return std::ranges::equal(a, b);
}

void call(Fuzz& fuzz, const Rope& rope, Outcome& outcome) {
  const std::size_t heads = rope.frequency_heads() > 1 ? rope.frequency_heads() : 1 + fuzz.size(2);
  const std::size_t rows = fuzz.size(10), batch = 1 + fuzz.size(1);
  const std::vector<double> positions = fuzz.numbers(rope.axis_count() * rows, -20, 5000);
  const std::vector<double> to = fuzz.numbers(positions.size(), -20, 5000);
  RotaryArgs args{.batch = batch, .heads = heads, .positions = Positions::of(positions)};
  args.length = fuzz.one_in(2) ? rows : 0;
  args.order = static_cast<RotaryOrder>(fuzz.size(1));
  args.side = static_cast<RotarySide>(fuzz.size(1));
  std::size_t size = batch * heads * rows * rope.config().head_dim;
  if (fuzz.spoilt && fuzz.one_in(3)) size = fuzz.size(2000);
  if (fuzz.spoilt && fuzz.one_in(6)) args.head_stride = fuzz.size(300);
  const std::vector<float> x = fuzz.floats(size);
  Guarded out(size);
  const auto write = [&]() -> Status {
    switch (fuzz.size(3)) {
      case 0:
        return rope.apply(x, out.span(), args);
      case 1:
        return rope.unapply(x, out.span(), args);
      case 2:
        return rope.backward(x, out.span(), args);
      default:
        return rope.rerotate(x, out.span(), rope, args, Positions::of(to));
    }
  };
  const Status status = write();
  outcome.see(status, out.untouched());
}

TEST(RopeFuzz, ConfigsAndCallsWorkOrAreRefused) {
  Fuzz fuzz(0x70be);
  Outcome configs, calls;
  for (int run = 0; run < kRuns; ++run) {
    fuzz.spoilt = run % 2 == 1;
    const RopeConfig config = config_of(fuzz);
    Result<Rope> made = make(config);
    configs.see(made.status(), true);
    EXPECT_EQ(check(config).ok(), made.ok());
    if (!made.ok()) continue;
    call(fuzz, made.value(), calls);
  }
  std::printf("rope, seed %llu: %zu configs made, %zu refused; %zu calls done, %zu refused\n",
              static_cast<unsigned long long>(seed()), configs.done, configs.refused, calls.done,
              calls.refused);
  EXPECT_GT(calls.done, 1000u);
  EXPECT_GT(calls.refused, 100u);
  EXPECT_GT(configs.refused, 1000u);
}

TEST(RopeFuzz, WeightsArePermutedOrRefused) {
  Fuzz fuzz(0x9e41);
  Outcome outcome;
  for (int run = 0; run < kRuns; ++run) {
    fuzz.spoilt = run % 2 == 1;
    PermutePairsArgs args{.heads = 1 + fuzz.size(3), .head_dim = 2 + 2 * fuzz.size(20)};
    args.rotary_dim = 2 * fuzz.size(args.head_dim / 2);
    args.columns = 1 + fuzz.size(8);
    args.from = static_cast<RopeLayout>(fuzz.size(1));
    args.to = static_cast<RopeLayout>(fuzz.size(1));
    if (fuzz.spoilt && fuzz.one_in(2)) args.head_dim = fuzz.size(50);
    if (fuzz.spoilt && fuzz.one_in(4)) args.columns = fuzz.size(3);
    std::size_t size = args.heads * args.head_dim * args.columns;
    if (fuzz.spoilt && fuzz.one_in(4)) size = fuzz.size(900);
    const std::vector<float> weight = fuzz.floats(size);
    Guarded out(size);
    const Status status = permute_pairs(weight, out.span(), args);
    outcome.see(status, out.untouched());
  }
  EXPECT_GT(outcome.done, 5000u);
  EXPECT_GT(outcome.refused, 500u);
}

TEST(RopeFuzz, PositionsAreWrittenOrRefused) {
  Fuzz fuzz(0x3c0d);
  Outcome grids, images, ragged;
  for (int run = 0; run < kRuns; ++run) {
    fuzz.spoilt = run % 2 == 1;
    GridPositionsArgs grid{.height = 2 * fuzz.size(4), .width = 2 * fuzz.size(4)};
    grid.frames = fuzz.size(2);
    grid.merge = 1 + fuzz.size(2);
    grid.coordinates = static_cast<GridCoordinates>(fuzz.size(2));
    grid.extent = static_cast<GridExtent>(fuzz.size(2));
    grid.offset = fuzz.number(-1, 1);
    std::vector<double> cells(2 * grid.frames * grid.height * grid.width + fuzz.spoilt, 7);
    const std::vector<double> before = cells;
    const Status written = grid_positions(grid, cells);
    grids.see(written, same(cells, before));

    std::vector<std::int32_t> ids(fuzz.size(20));
    for (std::int32_t& id : ids) id = fuzz.one_in(2) ? 103 : 7;
    std::vector<std::int64_t> sides(3 * fuzz.size(2));
    for (std::int64_t& side : sides) side = fuzz.whole(1, 2);
    std::vector<std::int64_t> three(3 * ids.size(), -9), delta(1, -9);
    const std::vector<std::int64_t> three_before = three;
    const Status walked =
        mrope_positions({.image_token_id = 103, .video_token_id = 104, .spatial_merge_size = 1},
                        ids, {}, sides, {}, three, delta);
    images.see(walked, same(three, three_before) && delta[0] == -9);

    std::vector<std::int64_t> starts(1 + fuzz.size(3)), offsets(starts.size() - 1);
    for (std::size_t i = 1; i < starts.size(); ++i)
      starts[i] = fuzz.spoilt && fuzz.one_in(8)
                      ? -1
                      : starts[i - 1] + static_cast<std::int64_t>(fuzz.size(5));
    for (std::int64_t& offset : offsets) offset = fuzz.whole(0, 1000);
    const auto token_count =
        static_cast<std::size_t>(std::clamp<std::int64_t>(starts.back(), 0, 40));
    std::vector<std::int64_t> tokens(token_count, -9);
    const std::vector<std::int64_t> tokens_before = tokens;
    const Status packed = packed_positions(offsets, starts, tokens);
    ragged.see(packed, same(tokens, tokens_before));
  }
  EXPECT_GT(grids.done, 500u);
  EXPECT_GT(images.done, 200u);
  EXPECT_GT(ragged.done, 5000u);
  EXPECT_GT(grids.refused + images.refused + ragged.refused, 5000u);
}

}  // namespace
}  // namespace posenc
