#include "posenc/bias/swin_cpb.hpp"

#include "mlp_layers.hpp"
#include "runner.hpp"

namespace posenc::fuzz {
namespace {

struct SwinCpbCall {
  static constexpr const char* kEncoding = "swin_cpb";

  SwinCpbConfig config;
  ConstFloats output;
  Floats data, coordinates;
  enum class Verb : std::uint8_t { bias, from_output, coordinates } verb = Verb::bias;

  static SwinCpbCall valid(Trial& trial) {
    SwinCpbCall call;
    const std::size_t height = trial.size(1, 4), width = trial.size(1, 4);
    call.config = {.window_height = height, .window_width = width, .heads = trial.size(1, 3)};
    if (trial.random().one_in(2)) call.config.pretrained_height = call.config.pretrained_width = 6;
    if (trial.random().one_in(2)) call.config.coordinates = SwinCoordinates::logarithmic;
    call.config.layers = layers_of(trial, 2, call.config.heads);
    call.output = trial.data((2 * height - 1) * (2 * width - 1) * call.config.heads);
    call.data = trial.data(call.config.heads * height * width * height * width);
    call.coordinates = trial.data((2 * height - 1) * (2 * width - 1) * 2);
    call.verb = static_cast<Verb>(trial.random().below(3));
    return call;
  }

  Refusal spoil(Trial& trial) {
    const bool coin = trial.random().one_in(2);
    switch (trial.random().below(7)) {
      case 0:
        config.window_width = coin ? 0 : 4097;
        return {Code::value_range, "window_width"};
      case 1:
        config.pretrained_height = 3;
        config.pretrained_width = 0;
        return {Code::value_range, "pretrained_width"};
      case 2:
        config.heads = coin ? 0 : 1025;
        return {Code::value_range, "heads"};
      case 3:
        return spoil_layers(config.layers, trial);
      case 4:
        if (verb != Verb::from_output) return {};
        output = resized(output, output.size() - 1);
        return {Code::shape, "output"};
      case 5:
        if (verb == Verb::coordinates) return {};
        if (verb == Verb::bias) return overlap();
        if (output.size() > data.size()) return {};
        output = resized(data, output.size());
        return {Code::overlap, "out"};
      default:
        data = resized(data, data.size() - 1);
        coordinates = resized(coordinates, coordinates.size() - 1);
        return {Code::shape, "out"};
    }
  }

  /// Puts a layer where the verb writes.
  Refusal overlap() {
    ConstFloats& bias = config.layers[0].bias;
    if (bias.size() > data.size()) return {};
    bias = resized(data, bias.size());
    return {Code::overlap, "out"};
  }

  void roughen(Trial& trial) {
    std::size_t* sizes[] = {&config.window_height, &config.window_width, &config.pretrained_height,
                            &config.pretrained_width, &config.heads};
    *trial.random().pick(sizes) = trial.wild_size();
  }

  Status run() const {
    const Result<SwinCpb> made = make(config);
    if (!made.ok()) return made.status();
    if (verb == Verb::coordinates) return made.value().coordinates(coordinates);
    return verb == Verb::bias ? made.value().bias(data)
                              : made.value().bias_from_output(output, data);
  }
};

}  // namespace

Tally fuzz_swin_cpb(const Options& options) { return Runner<SwinCpbCall>(options).run(); }

}  // namespace posenc::fuzz
