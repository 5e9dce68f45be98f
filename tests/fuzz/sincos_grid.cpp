#include "posenc/additive/sincos_grid.hpp"

#include "runner.hpp"

namespace posenc::fuzz {
namespace {

struct SincosGridCall {
  static constexpr const char* kEncoding = "sincos_grid";

  SincosGridConfig config;
  Grid grid;
  Floats data;
  /// In place of the grid, if there are any.
  std::vector<double> coordinates;
  bool add = false;

  static SincosGridCall valid(Trial& trial) {
    tests::Generator& random = trial.random();
    SincosGridCall call;
    SincosGridConfig& config = call.config;
    config.layout = static_cast<SincosGridLayout>(random.below(3));
    config.axes = trial.size(2, 3);
    config.dim =
        trial.size(1, 20) * (config.layout == SincosGridLayout::interleaved ? 1 : 2 * config.axes);
    config.axis_order = random.one_in(2) ? AxisOrder::xy : AxisOrder::yx;
    config.prefix_rows = trial.size(0, 2);
    call.grid = {.height = trial.size(1, 4),
                 .width = trial.size(1, 4),
                 .depth = config.axes == 3 ? trial.size(1, 3) : 1,
                 .step_y = random.real(-3, 3),
                 .first_x = random.real(-3, 20),
                 .order = random.one_in(2) ? CellOrder::row_major : CellOrder::column_major};
    const std::size_t cells = call.grid.height * call.grid.width * call.grid.depth;
    if (random.one_in(3)) {
      call.coordinates.resize(cells * config.axes);
      for (double& coordinate : call.coordinates) coordinate = random.real(-20, 40);
    }
    const std::size_t prefix = call.coordinates.empty() ? config.prefix_rows : 0;
    call.data = trial.data((prefix + cells) * config.dim);
    call.add = random.one_in(2);
    return call;
  }

  Refusal spoil(Trial& trial) {
    const bool coin = trial.random().one_in(2);
    switch (trial.random().below(8)) {
      case 0:
        config.dim = coin ? 0 : kTooWide;
        return {Code::value_range, "dim"};
      case 1:
        config.axes = coin ? 1 : 4;
        return {Code::value_range, "axes"};
      case 2:
        config.base = coin ? kNan : 0.5;
        return {Code::value_range, "base"};
      case 3:
        config.frequency_denominator = coin ? kNan : -2.0;
        return {Code::value_range, "frequency_denominator"};
      case 4:
        if (!coordinates.empty()) {
          coordinates.back() = coin ? kNan : 0x1.1p50;
          return {Code::position_range, "coordinates"};
        }
        grid.first_y = coin ? kNan : 0x1.1p50;
        return {Code::position_range, "first_y"};
      case 5:
        if (!coordinates.empty()) return {};
        grid.height = kHuge;
        grid.width = 3;
        return {Code::size_limit, add ? "x" : "out"};
      case 6:
        if (config.axes == 3 || !coordinates.empty()) return {};
        grid.depth = 2;
        return {Code::value_range, "depth"};
      default:
        data = resized(data, data.size() - 1);
        return {Code::shape, add ? "x" : "out"};
    }
  }

  void roughen(Trial& trial) {
    std::size_t* sizes[] = {&config.dim,  &config.axes, &config.prefix_rows,
                            &grid.height, &grid.width,  &grid.depth};
    double* reals[] = {&grid.step_y,  &grid.step_x,  &grid.step_z,
                       &grid.first_y, &grid.first_x, &config.base};
    if (trial.random().one_in(2)) {
      *trial.random().pick(sizes) = trial.wild_size();
    } else if (trial.random().one_in(4)) {
      data = resized(data, 0);
      config.prefix_rows = 0;
      *trial.random().pick(sizes) = 0;
    } else {
      *trial.random().pick(reals) = trial.wild_real();
    }
  }

  Status run() const {
    const Result<SincosGrid> made = make(config);
    if (!made.ok()) return made.status();
    const SincosGrid& encoding = made.value();
    if (!coordinates.empty()) {
      return add ? encoding.add(coordinates, data) : encoding.table(coordinates, data);
    }
    return add ? encoding.add(grid, data) : encoding.table(grid, data);
  }
};

}  // namespace

Tally fuzz_sincos_grid(const Options& options) { return Runner<SincosGridCall>(options).run(); }

}  // namespace posenc::fuzz
