#include "posenc/interpolate/interpolate.hpp"

#include "runner.hpp"

namespace posenc::fuzz {
namespace {

struct InterpolateCall {
  static constexpr const char* kEncoding = "interpolate";

  InterpolateConfig config;
  ConstFloats table;
  std::vector<double> workspace;
  Floats out;

  static InterpolateCall valid(Trial& trial) {
    tests::Generator& random = trial.random();
    InterpolateCall call;
    InterpolateConfig& config = call.config;
    config = {.from_height = trial.size(1, 7),
              .from_width = trial.size(1, 7),
              .to_height = trial.size(1, 9),
              .to_width = trial.size(1, 9),
              .dim = trial.size(1, 70),
              .mode = random.one_in(2) ? InterpolationMode::linear : InterpolationMode::cubic,
              .antialias = random.one_in(2),
              .prefix_rows = trial.size(0, 2),
              .suffix_rows = trial.size(0, 2)};
    if (!config.antialias && random.one_in(2)) config.align_corners = true;
    if (!config.align_corners && random.one_in(2)) config.size_offset = 0.1;
    const std::size_t more = config.prefix_rows + config.suffix_rows;
    call.table = trial.data((more + config.from_height * config.from_width) * config.dim);
    call.out = trial.data((more + config.to_height * config.to_width) * config.dim);
    call.workspace.resize(Interpolate(config).workspace_size());
    return call;
  }

  Refusal spoil(Trial& trial) {
    const bool coin = trial.random().one_in(2);
    std::size_t* sides[] = {&config.from_height, &config.from_width, &config.to_height,
                            &config.to_width};
    switch (trial.random().below(8)) {
      case 0:
        *trial.random().pick(sides) = coin ? 0 : kTooWide;
        return {Code::value_range};
      case 1:
        config.dim = coin ? 0 : kTooWide;
        return {Code::value_range, "dim"};
      case 2:
        config.size_offset = coin ? 1.0 : kNan;
        return {Code::value_range};
      case 3:
        config.antialias = config.align_corners = true;
        return {Code::value_range, "antialias"};
      case 4:
        table = resized(table, table.size() - 1);
        return {Code::shape, "table"};
      case 5:
        out = resized(out, out.size() - 1);
        return {Code::shape, "out"};
      case 6:
        if (workspace.empty()) return {};
        workspace.pop_back();
        return {Code::shape, "workspace"};
      default:
        if (table.size() > out.size()) return {};
        table = resized(out, table.size());
        return {Code::overlap, "out"};
    }
  }

  void roughen(Trial& trial) {
    std::size_t* sizes[] = {&config.from_height, &config.from_width,  &config.to_height,
                            &config.to_width,    &config.prefix_rows, &config.suffix_rows,
                            &config.dim};
    switch (trial.random().below(4)) {
      case 0:
        config.size_offset = trial.wild_real();
        break;
      case 1:
        config.spacing = GridSpacing::geometric;
        break;
      default:
        *trial.random().pick(sizes) = trial.wild_size();
        break;
    }
  }

  Status run() const {
    const Result<Interpolate> made = make(config);
    if (!made.ok()) return made.status();
    std::vector<double> space = workspace;
    return made.value().apply(table, space, out);
  }
};

}  // namespace

Tally fuzz_interpolate(const Options& options) { return Runner<InterpolateCall>(options).run(); }

}  // namespace posenc::fuzz
