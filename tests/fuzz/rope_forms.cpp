// Rope with the rarer scalings and sets of axes, xPos and rerotation.

#include <utility>

#include "posenc/rotary/rope.hpp"
#include "runner.hpp"

namespace posenc::fuzz {
namespace {

struct RopeFormCall {
  static constexpr const char* kEncoding = "rope";

  RopeConfig config;
  std::size_t axes = 1, pairs = 0;
  RotaryArgs args;
  Positions to;
  Floats x, k;
  /// What the rope is adapted to before the verb.
  std::int64_t length = 0;
  enum class Verb : std::uint8_t { apply, apply_both, rerotate } verb = Verb::apply;

  static RopeFormCall valid(Trial& trial) {
    tests::Generator& random = trial.random();
    RopeFormCall call;
    call.pairs = 2 * trial.size(1, 16);
    call.config.head_dim = 2 * call.pairs;
    if (random.one_in(2)) call.config.layout = RopeLayout::interleaved;
    call.choose_form(trial);
    call.verb = call.config.xpos ? Verb::apply : static_cast<Verb>(random.below(3));
    const std::size_t length = trial.size(1, 10), batch = trial.size(1, 2),
                      heads = trial.size(1, 3);
    call.args = {.batch = batch, .heads = heads, .length = length};
    call.args.positions = trial.positions(call.axes * length, 1000.0);
    call.to = trial.positions(call.axes * length, 1000.0);
    if (random.one_in(2)) call.args.side = RotarySide::key;
    call.x = trial.data(batch * heads * length * call.config.head_dim);
    call.k = trial.data(batch * length * call.config.head_dim);
    return call;
  }

  void choose_form(Trial& trial) {
    switch (trial.random().below(7)) {
      case 0:
        config.axes = Mrope{.sections = {pairs - 2 * (pairs / 4), pairs / 4, pairs / 4}};
        axes = 3;
        break;
      case 1:
        config.axes = Axial{.bands = static_cast<AxialBands>(trial.random().below(4))};
        axes = 2;
        break;
      case 2:
        config.xpos = Xpos{.scale_base = 64.0};
        break;
      case 3:
        config.scaling = LongRope{.short_factor = std::vector<double>(pairs, 1.25),
                                  .long_factor = std::vector<double>(pairs, 7.5),
                                  .original_max_position_embeddings = 4096,
                                  .factor = 32.0};
        config.length = trial.random().between(0, 10000);
        length = trial.random().between(0, 10000);
        break;
      case 4:
        config.scaling = Proportional{.partial_rotary_factor = 0.25, .factor = 2.0};
        break;
      case 5:
        config.scaling =
            CustomFrequencies{.inv_freq = std::vector<double>(2 * pairs, 0.3), .axes = 2};
        axes = 2;
        break;
      default:
        break;
    }
  }

  Refusal spoil(Trial& trial) {
    const bool coin = trial.random().one_in(2);
    switch (trial.random().below(9)) {
      case 0:
        config.axes = Mrope{.sections = {pairs, 1, 0}};
        return {Code::value_range};
      case 1:
        config.axes = Axial{.bands = AxialBands::pixel_log, .max_resolution = coin ? kNan : 1.0};
        return {Code::value_range};
      case 2:
        config.xpos = Xpos{.scale_base = coin ? 0.0 : kNan};
        return {Code::value_range};
      case 3:
        config.axes = RopeConfig().axes;  // axial ones take no scaling of this kind at all
        config.scaling = LongRope{.short_factor = std::vector<double>(pairs + 1, 1.0),
                                  .long_factor = std::vector<double>(pairs, 1.0),
                                  .original_max_position_embeddings = 4096};
        return {coin ? Code::ok : Code::shape};
      case 4:
        config.scaling = Proportional{.partial_rotary_factor = coin ? 1.5 : kNan};
        return {Code::value_range};
      case 5:
        config.scaling = CustomFrequencies{.inv_freq = std::vector<double>(pairs, kNan)};
        return {Code::value_range};
      case 6:
        (coin ? config.length : length) = -1;
        return {Code::value_range, "length"};
      case 7:
        args.positions = trial.repeated(axes * args.length, coin ? kNan : 0x1.1p50);
        return {Code::position_range, "positions"};
      default:
        x = resized(x, x.size() - 1);
        return {Code::shape};
    }
  }

  void roughen(Trial& trial) {
    std::size_t* sizes[] = {&config.head_dim, &config.rotary_dim, &config.rotary_start,
                            &args.batch,      &args.heads,        &args.length};
    const double real = trial.wild_real();
    switch (trial.random().below(7)) {
      case 0:
        config.scaling = Llama3{.factor = real,
                                .low_freq_factor = trial.wild_real(),
                                .high_freq_factor = trial.wild_real(),
                                .original_max_position_embeddings = trial.wild_whole()};
        break;
      case 1:
        config.scaling = Proportional{.partial_rotary_factor = real, .factor = trial.wild_real()};
        break;
      case 2:
        config.scaling = CustomFrequencies{.inv_freq = {real}, .axes = trial.wild_size()};
        break;
      case 3:
        config.xpos = Xpos{.scale_base = real, .origin = trial.wild_real()};
        break;
      case 4:
        config.axes = Mrope{.sections = {trial.wild_size(), trial.wild_size(), trial.wild_size()},
                            .interleaved = true};
        break;
      case 5:
        config.length = trial.wild_whole();
        length = trial.wild_whole();
        break;
      default:
        *trial.random().pick(sizes) = trial.wild_size();
        break;
    }
  }

  Status run() const {
    const Result<Rope> made = make(config);
    if (!made.ok()) return made.status();
    Rope rope = made.value();
    const Status adapted = rope.set_length(length);
    if (!adapted.ok()) return adapted;
    if (verb == Verb::apply_both) return rope.apply(x, k, args, 1);
    return verb == Verb::rerotate ? rope.rerotate(x, rope, args, to) : rope.apply(x, args);
  }
};

}  // namespace

Tally fuzz_rope_forms(const Options& options) { return Runner<RopeFormCall>(options).run(); }

}  // namespace posenc::fuzz
