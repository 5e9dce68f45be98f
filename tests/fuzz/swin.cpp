#include "posenc/bias/swin.hpp"

#include "runner.hpp"

namespace posenc::fuzz {
namespace {

struct SwinCall {
  static constexpr const char* kEncoding = "swin";

  SwinConfig config;
  Floats data;
  std::span<std::int32_t> rows;
  bool index = false;

  static SwinCall valid(Trial& trial) {
    SwinCall call;
    const std::size_t height = trial.size(1, 5), width = trial.size(1, 5);
    call.config = {.window_height = height, .window_width = width, .heads = trial.size(1, 4)};
    call.config.table = trial.data((2 * height - 1) * (2 * width - 1) * call.config.heads);
    call.data = trial.data(call.config.heads * height * width * height * width);
    call.rows = trial.whole_numbers<std::int32_t>(height * width * height * width);
    call.index = trial.random().one_in(3);
    return call;
  }

  Refusal spoil(Trial& trial) {
    const bool coin = trial.random().one_in(2);
    switch (trial.random().below(6)) {
      case 0:
        config.window_height = coin ? 0 : 4097;
        return {Code::value_range, "window_height"};
      case 1:
        config.heads = coin ? 0 : kTooWide;
        return {Code::value_range, "heads"};
      case 2:
        if (index && config.table.size() == 1) return {};  // without a table it has an index
        config.table = resized(config.table, config.table.size() - 1);
        return {Code::shape, "table"};
      case 3:
        if (index) return {};
        config.table = {};
        return {Code::shape, "table"};
      case 4:
        if (index || config.table.size() > data.size()) return {};
        config.table = resized(data, config.table.size());
        return {Code::overlap, "out"};
      default:
        data = resized(data, data.size() - 1);
        rows = rows.first(rows.size() - 1);
        return {Code::shape, "out"};
    }
  }

  void roughen(Trial& trial) {
    std::size_t* sizes[] = {&config.window_height, &config.window_width, &config.heads};
    *trial.random().pick(sizes) = trial.wild_size();
  }

  Status run() const {
    const Result<Swin> made = make(config);
    if (!made.ok()) return made.status();
    return index ? made.value().index(rows) : made.value().bias(data);
  }
};

}  // namespace

Tally fuzz_swin(const Options& options) { return Runner<SwinCall>(options).run(); }

}  // namespace posenc::fuzz
