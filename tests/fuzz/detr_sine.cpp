#include "posenc/additive/detr_sine.hpp"

#include "runner.hpp"

namespace posenc::fuzz {
namespace {

struct DetrSineCall {
  static constexpr const char* kEncoding = "detr_sine";

  DetrSineConfig config;
  DetrShape shape;
  std::vector<std::uint8_t> mask;
  Floats data;
  /// The mask is read from where the verb writes.
  bool over = false;
  bool add = false;

  static DetrSineCall valid(Trial& trial) {
    tests::Generator& random = trial.random();
    DetrSineCall call;
    call.config.num_pos_feats = 2 * trial.size(1, 20);
    call.config.normalize = random.one_in(2);
    call.config.centered = random.one_in(2);
    if (random.one_in(2)) call.config.order = DetrOrder::channels_last;
    call.shape = {.batch = trial.size(1, 2), .height = trial.size(1, 5), .width = trial.size(1, 5)};
    call.mask.resize(call.shape.batch * call.shape.height * call.shape.width);
    for (auto& pixel : call.mask) pixel = static_cast<std::uint8_t>(random.below(3));
    call.data = trial.data(2 * call.config.num_pos_feats * call.mask.size());
    call.add = random.one_in(2);
    return call;
  }

  Refusal spoil(Trial& trial) {
    const bool coin = trial.random().one_in(2);
    switch (trial.random().below(7)) {
      case 0:
        config.num_pos_feats = coin ? 0 : config.num_pos_feats + 1;
        return {Code::value_range, "num_pos_feats"};
      case 1:
        config.temperature = coin ? kNan : 0.5;
        return {Code::value_range, "temperature"};
      case 2:
        config.scale = coin ? 0.0 : kInfinity;
        return {Code::value_range, "scale"};
      case 3:
        config.eps = coin ? 0.0 : kNan;
        return {Code::value_range, "eps"};
      case 4:
        over = true;
        return {Code::overlap, add ? "x" : "out"};
      case 5:
        mask.pop_back();
        return {Code::shape, "mask"};
      default:
        data = resized(data, data.size() - 1);
        return {Code::shape, add ? "x" : "out"};
    }
  }

  void roughen(Trial& trial) {
    std::size_t* sizes[] = {&config.num_pos_feats, &shape.batch, &shape.height, &shape.width};
    if (trial.random().one_in(3)) {
      mask.clear();
      data = resized(data, 0);
      *trial.random().pick(sizes) = 0;
    }
    *trial.random().pick(sizes) = trial.wild_size();
  }

  Status run() const {
    const Result<DetrSine> made = make(config);
    if (!made.ok()) return made.status();
    const auto* written = static_cast<const std::uint8_t*>(data.data());
    const std::span<const std::uint8_t> real(over ? written : mask.data(), mask.size());
    return add ? made.value().add(real, shape, data) : made.value().table(real, shape, data);
  }
};

}  // namespace

Tally fuzz_detr_sine(const Options& options) { return Runner<DetrSineCall>(options).run(); }

}  // namespace posenc::fuzz
