#include "posenc/core/grid_positions.hpp"

#include "runner.hpp"

namespace posenc::fuzz {
namespace {

struct GridCall {
  static constexpr const char* kEncoding = "grid_positions";

  GridPositionsArgs args;
  std::span<double> out;

  static GridCall valid(Trial& trial) {
    GridCall call;
    const std::size_t merge = trial.size(1, 3);
    call.args = {.height = merge * trial.size(1, 4),
                 .width = merge * trial.size(1, 4),
                 .frames = trial.size(1, 3),
                 .merge = merge,
                 .coordinates = static_cast<GridCoordinates>(trial.random().below(3))};
    if (trial.random().one_in(2)) call.args.columns_first = true;
    const std::size_t cells = call.args.frames * call.args.height * call.args.width;
    call.out = trial.whole_numbers<double>(2 * cells);
    return call;
  }

  Refusal spoil(Trial& trial) {
    const bool coin = trial.random().one_in(2);
    switch (trial.random().below(5)) {
      case 0:
        args.height = coin ? 0 : kTooWide;
        return {Code::value_range, "height"};
      case 1:
        args.frames = coin ? 0 : kTooWide;
        return {Code::value_range, "frames"};
      case 2:
        args.merge = args.height + args.width;
        return {Code::value_range};
      case 3:
        args.offset = coin ? kNan : 0x1.1p50;
        return {Code::value_range, "offset"};
      default:
        out = out.first(out.size() - 1);
        return {Code::shape, "out"};
    }
  }

  void roughen(Trial& trial) {
    std::size_t* sizes[] = {&args.height, &args.width, &args.frames, &args.merge};
    double* reals[] = {&args.offset, &args.reference_height, &args.reference_width};
    if (trial.random().one_in(2)) {
      *trial.random().pick(reals) = trial.wild_real();
    } else {
      *trial.random().pick(sizes) = trial.wild_size();
    }
  }

  Status run() const { return grid_positions(args, out); }
};

}  // namespace

Tally fuzz_grid_positions(const Options& options) { return Runner<GridCall>(options).run(); }

}  // namespace posenc::fuzz
