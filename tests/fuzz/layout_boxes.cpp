#include "posenc/additive/layout_boxes.hpp"

#include "runner.hpp"

namespace posenc::fuzz {
namespace {

struct LayoutBoxesCall {
  static constexpr const char* kEncoding = "layout_boxes";
  static constexpr std::int64_t kRows = 6;

  LayoutBoxesConfig config;
  std::vector<std::int32_t> boxes;
  Positions positions;
  Floats data;
  bool add = false;

  static LayoutBoxesCall valid(Trial& trial) {
    LayoutBoxesCall call;
    LayoutBoxesConfig& config = call.config;
    config.dim = trial.size(1, 40);
    const auto rows = [&] { return trial.data(kRows * config.dim); };
    config.x_rows = rows();
    config.y_rows = rows();
    config.height_rows = rows();
    config.width_rows = rows();
    const std::size_t tokens = trial.size(1, 5);
    if (trial.random().one_in(2)) {
      config.position_rows = rows();
      call.positions = trial.whole_positions(tokens, 0, kRows - 1);
    }
    for (std::size_t token = 0; token < tokens; ++token) {
      const std::int64_t x = trial.random().between(0, kRows - 1);
      const std::int64_t y = trial.random().between(0, kRows - 1);
      for (const std::int64_t corner :
           {x, y, trial.random().between(x, kRows - 1), trial.random().between(y, kRows - 1)}) {
        call.boxes.push_back(static_cast<std::int32_t>(corner));
      }
    }
    call.data = trial.data(tokens * config.dim);
    call.add = trial.random().one_in(2);
    return call;
  }

  Refusal spoil(Trial& trial) {
    const bool coin = trial.random().one_in(2);
    switch (trial.random().below(7)) {
      case 0:
        config.dim = coin ? 0 : kTooWide;
        return {Code::value_range, "dim"};
      case 1:
        config.y_rows = {};
        return {Code::shape, "y_rows"};
      case 2:
        boxes.pop_back();
        return {Code::shape, "boxes"};
      case 3:
        boxes[trial.random().below(boxes.size())] = coin ? std::numeric_limits<std::int32_t>::min()
                                                         : std::numeric_limits<std::int32_t>::max();
        return {Code::position_range};
      case 4:
        if (config.position_rows.empty()) return {};
        positions = trial.repeated(positions.size(), coin ? -1.0 : 6.0);
        return {Code::position_range, "positions"};
      case 5:
        config.width_rows = resized(data, config.dim);
        return {Code::overlap, add ? "x" : "out"};
      default:
        data = resized(data, data.size() - 1);
        return {Code::shape, add ? "x" : "out"};
    }
  }

  void roughen(Trial& trial) {
    switch (trial.random().below(3)) {
      case 0:
        config.dim = trial.wild_size();
        break;
      case 1:
        for (auto& corner : boxes) corner = static_cast<std::int32_t>(trial.wild_whole());
        break;
      default:
        positions = Positions::from(trial.wild_whole(), trial.wild_size());
        break;
    }
  }

  Status run() const {
    const Result<LayoutBoxes> made = make(config);
    if (!made.ok()) return made.status();
    return add ? made.value().add(boxes, positions, data)
               : made.value().table(boxes, positions, data);
  }
};

}  // namespace

Tally fuzz_layout_boxes(const Options& options) { return Runner<LayoutBoxesCall>(options).run(); }

}  // namespace posenc::fuzz
