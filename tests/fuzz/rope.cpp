#include "posenc/rotary/rope.hpp"

#include "runner.hpp"

namespace posenc::fuzz {
namespace {

struct RopeCall {
  static constexpr const char* kEncoding = "rope";

  RopeConfig config;
  RotaryArgs args;
  ConstFloats x;
  Floats out;
  std::span<float> cos, sin;
  enum class Verb : std::uint8_t { apply, unapply, backward, rotate, angles } verb = Verb::apply;

  bool by_tables() const { return verb == Verb::rotate || verb == Verb::angles; }

  static RopeCall valid(Trial& trial) {
    tests::Generator& random = trial.random();
    RopeCall call;
    RopeConfig& config = call.config;
    config.head_dim = 2 * trial.size(1, 40);
    if (random.one_in(2)) config.rotary_dim = 2 * trial.size(1, config.head_dim / 2);
    config.base = random.one_in(2) ? 10000.0 : 5e5;
    if (random.one_in(2)) config.layout = RopeLayout::interleaved;
    if (random.one_in(4)) config.angles = Angles::float32;
    call.choose_scaling(trial);
    call.verb = static_cast<Verb>(random.below(5));
    call.choose_tensor(trial);
    return call;
  }

  std::size_t pairs() const {
    return (config.rotary_dim != 0 ? config.rotary_dim : config.head_dim) / 2;
  }

  void choose_scaling(Trial& trial) {
    const double factor = static_cast<double>(trial.size(1, 16));
    switch (trial.random().below(8)) {
      case 0:
        config.scaling = Linear{.factor = factor};
        break;
      case 1:
        if (pairs() > 1) config.scaling = StaticNtk{.factor = factor};
        break;
      case 2:
        if (pairs() > 1) {
          config.scaling = DynamicNtk{.factor = factor, .max_position_embeddings = 2048};
          config.length = trial.random().between(0, 100000);
        }
        break;
      case 3:
        config.scaling = Yarn{.factor = factor, .original_max_position_embeddings = 4096};
        break;
      case 4:
        config.scaling = Llama3{.factor = factor};
        break;
      default:
        break;
    }
  }

  void choose_tensor(Trial& trial) {
    tests::Generator& random = trial.random();
    args.batch = trial.size(1, 3);
    args.heads = trial.size(1, 3);
    args.length = trial.size(1, 10);
    if (random.one_in(2)) args.order = RotaryOrder::length_first;
    const bool own = random.one_in(2);
    const std::size_t rows = (own ? args.batch : 1) * args.length;
    args.positions = trial.positions(rows, random.one_in(2) ? 1000.0 : 0x1p40);
    const std::size_t size = args.batch * args.heads * args.length * config.head_dim;
    out = trial.data(size);
    x = random.one_in(2) ? ConstFloats(out) : ConstFloats(trial.data(size));
    cos = trial.floats(rows * pairs());
    sin = trial.floats(rows * pairs());
  }

  Refusal spoil(Trial& trial) {
    const bool coin = trial.random().one_in(2);
    switch (trial.random().below(8)) {
      case 0:
        config.head_dim = coin ? 0 : config.head_dim + 1;
        return {Code::value_range, "head_dim"};
      case 1:
        config.rotary_dim = coin ? config.head_dim + 2 : 1;
        return {Code::value_range, "rotary_dim"};
      case 2:
        config.base = coin ? kNan : 0.5;
        return {Code::value_range, "base"};
      case 3:
        config.scaling = Linear{.factor = coin ? 0.0 : kNan};
        return {Code::value_range, "scaling.factor"};
      case 4:
        config.scaling =
            Yarn{.factor = coin ? -2.0 : kInfinity, .original_max_position_embeddings = 4096};
        return {Code::value_range, "scaling.factor"};
      case 5:
        return misplace(trial);
      default:
        return verb == Verb::angles ? shorten_tables(trial) : misshape(trial);
    }
  }

  Refusal misplace(Trial& trial) {
    if (verb == Verb::rotate) return {};
    const double position = trial.random().one_in(2) ? kNan : 0x1.1p50;
    args.positions = trial.repeated(args.positions.size(), position);
    return {Code::position_range, "positions"};
  }

  Refusal shorten_tables(Trial& trial) {
    auto& table = trial.random().one_in(2) ? cos : sin;
    const bool is_cos = table.data() == cos.data();
    table = table.first(table.size() - 1);
    return {Code::shape, is_cos ? "cos" : "sin"};
  }

  Refusal misshape(Trial& trial) {
    switch (trial.random().below(6)) {
      case 0:
        x = resized(x, x.size() - 1);
        return {Code::shape, "x"};
      case 1:
        out = resized(out, out.size() - 1);
        return {Code::shape, x.size() == out.size() + 1 ? "out" : "x"};
      case 2:
        args.heads += 1;
        return {Code::shape, "x"};
      case 3:
        args.head_stride = 1;
        args.length_stride = 1;
        if (args.heads == 1 && args.length == 1) return {};
        return {Code::value_range};
      case 4:
        // x starts one element after out
        if (x.data() == out.data() || args.heads * args.length < 2) return {};
        x = {out.data(), x.size(), out.type()};
        x = {static_cast<const char*>(x.data()) + storage_size(x.type()), x.size() - 1, x.type()};
        return {Code::shape, "x"};
      default:
        args.batch = kHuge;
        args.heads = kHuge;
        return {Code::size_limit, "x"};
    }
  }

  void roughen(Trial& trial) {
    std::size_t* sizes[] = {&config.head_dim,   &config.rotary_dim, &config.rotary_start,
                            &args.batch,        &args.heads,        &args.length,
                            &args.batch_stride, &args.head_stride,  &args.length_stride};
    const auto scale = trial.wild_real();
    switch (trial.random().below(8)) {
      case 0:
        config.base = trial.wild_real();
        break;
      case 1:
        config.scaling = Linear{.factor = scale};
        break;
      case 2:
        config.scaling = Yarn{.factor = scale,
                              .original_max_position_embeddings = trial.wild_whole(),
                              .beta_fast = trial.wild_real(),
                              .beta_slow = trial.wild_real()};
        break;
      case 3:
        config.scaling = DynamicNtk{.factor = scale, .max_position_embeddings = trial.wild_whole()};
        config.length = trial.wild_whole();
        break;
      case 4:
        args.positions = Positions::from(trial.wild_whole(), trial.wild_size());
        break;
      default:
        *trial.random().pick(sizes) = trial.wild_size();
        break;
    }
  }

  Status run() const {
    const Result<Rope> made = make(config);
    if (!made.ok()) return made.status();
    const Rope& rope = made.value();
    switch (verb) {
      case Verb::apply:
        return rope.apply(x, out, args);
      case Verb::unapply:
        return rope.unapply(x, out, args);
      case Verb::backward:
        return rope.backward(x, out, args);
      case Verb::rotate:
        return rope.rotate(x, out, cos, sin, args);
      case Verb::angles:
        break;
    }
    return rope.angles(args.positions, cos, sin);
  }
};

}  // namespace

Tally fuzz_rope(const Options& options) { return Runner<RopeCall>(options).run(); }

}  // namespace posenc::fuzz
