// Rope beyond one axis of unscaled exact angles: every scaling, kind of angle and set of axes.

#include "cases.hpp"
#include "posenc/rotary/rope.hpp"
#include "sizes.hpp"

namespace posenc::parity {
namespace {

struct Form {
  const char* name;
  RopeConfig config;
};

std::vector<double> factors(std::size_t pairs, double first, double step) {
  std::vector<double> list;
  for (std::size_t i = 0; i < pairs; ++i) list.push_back(first + step * static_cast<double>(i));
  return list;
}

/// Forms that change frequencies; `pairs` is at least 2.
std::vector<Form> scaling_forms(std::size_t pairs) {
  const auto scaled = [](RopeScaling scaling, std::int64_t length = 0) {
    return RopeConfig{.scaling = std::move(scaling), .length = length};
  };
  const LongRope long_rope{.short_factor = factors(pairs, 1.0, 0.01),
                           .long_factor = factors(pairs, 1.5, 0.7),
                           .original_max_position_embeddings = 4096,
                           .factor = 32.0};
  const Yarn yarn{.factor = 40.0, .original_max_position_embeddings = 4096};
  return {
      {"ntk", scaled(StaticNtk{.factor = 4.0})},
      {"dynamic-short", scaled(DynamicNtk{.factor = 2.0, .max_position_embeddings = 2048}, 100)},
      {"dynamic-long", scaled(DynamicNtk{.factor = 2.0, .max_position_embeddings = 2048}, 10000)},
      {"yarn", scaled(yarn)},
      {"yarn-untruncated",
       scaled(Yarn{.factor = 32.0, .original_max_position_embeddings = 4096, .truncate = false})},
      {"yarn-deepseek", scaled(Yarn{.factor = 40.0,
                                    .original_max_position_embeddings = 4096,
                                    .mscale = 0.707,
                                    .mscale_all_dim = 1.0})},
      {"longrope-short", scaled(long_rope, 4096)},
      {"longrope-long", scaled(long_rope, 4097)},
      {"llama3", scaled(Llama3{.factor = 8.0})},
      {"proportional", scaled(Proportional{.partial_rotary_factor = 0.5, .factor = 2.0})},
      {"custom",
       scaled(CustomFrequencies{.inv_freq = factors(pairs, 0.9, -0.37), .attention_factor = 1.1})},
      {"mixed", scaled(CustomFrequencies{.inv_freq = factors(2 * pairs, 0.9, -0.013), .axes = 2})},
  };
}

std::vector<Form> other_forms(std::size_t pairs) {
  const auto axes = [](RopeAxes value) { return RopeConfig{.axes = value}; };
  std::vector<Form> forms = {
      {"float32", {.angles = Angles::float32}},
      {"float32-frequencies", {.angles = Angles::float32_frequencies}},
      {"mrope", axes(Mrope{.sections = {pairs - pairs / 2, pairs / 2 - pairs / 4, pairs / 4}})},
      {"mrope-interleaved", axes(Mrope{.sections = {pairs - 2 * (pairs / 3), pairs / 3, pairs / 3},
                                       .interleaved = true})},
      {"xpos", {.xpos = Xpos{}}},
      {"xpos-centred", {.xpos = Xpos{.scale_base = 64.0, .origin = std::nullopt}}},
  };
  if (pairs % 2 != 0) return forms;
  for (const auto bands : {AxialBands::geometric, AxialBands::dealt, AxialBands::turns,
                           AxialBands::pixel_linear, AxialBands::pixel_log}) {
    forms.push_back({"axial", axes(Axial{.bands = bands})});
  }
  forms.push_back({"axial-alternating", axes(Axial{.order = AxialOrder::alternating})});
  return forms;
}

/// Every form for every width; `visit(label, config, index)`.
template <class Visit>
void for_each_form(const Visit& visit) {
  std::size_t index = 0;
  for (const std::size_t pairs : sizes_to(34, {64, 65, 130})) {
    if (pairs < 2) continue;
    std::vector<Form> forms = scaling_forms(pairs);
    for (Form& form : other_forms(pairs)) forms.push_back(std::move(form));
    for (Form& form : forms) {
      RopeConfig& config = form.config;
      config.head_dim = 2 * pairs;
      config.layout = index % 2 == 0 ? RopeLayout::half : RopeLayout::interleaved;
      config.base = index % 3 == 0 ? 500000.0 : 10000.0;
      if (!check(config).ok()) continue;
      Label label;
      label("form", form.name)("head_dim", config.head_dim)("base", config.base);
      label("layout", config.layout == RopeLayout::half ? "half" : "interleaved");
      if (const auto* axial = std::get_if<Axial>(&config.axes)) {
        label("bands", static_cast<int>(axial->bands));
      }
      visit(label, config, index++);
    }
  }
}

void frequencies(Cases& cases) {
  for_each_form([&](const Label& label, const RopeConfig& config, std::size_t) {
    cases.add(label, [&](Case& one) {
      const Rope rope(config);
      one.result("inv_freq", rope.inv_freq());
      const double factors[] = {rope.attention_factor(), rope.softmax_scale()};
      one.result("factors", factors);
    });
  });
}

/// Positions within reach of every form: near ones, whole or fractional; nearer ones for xPos.
const Place& near_place(const RopeConfig& config, std::size_t index) {
  const std::size_t places = config.xpos.has_value() ? 4 : 5;
  return index % 3 == 0 ? kPlaces[10] : kPlaces[index % places];
}

void angles(Cases& cases) {
  for_each_form([&](Label label, const RopeConfig& config, std::size_t index) {
    if (config.xpos.has_value()) return;
    const std::size_t rows = 1 + index % 3;
    const Place& place = near_place(config, index);
    cases.add(label("at", place.name)("rows", rows), [&](Case& one) {
      const Rope rope(config);
      const auto positions = one.positions("positions", place, rope.axis_count() * rows);
      const std::size_t pairs = rope.config().rotary_dim / 2;
      const auto cos = one.output_floats("cos", {rows, pairs});
      const auto sin = one.output_floats("sin", {rows, pairs});
      one.succeed(rope.angles(positions, cos, sin));
    });
  });
}

/// `call(rope, case, args)` with a tensor [2, 2, length, head_dim].
template <class Call>
void turns(Cases& cases, const Call& call) {
  for_each_form([&](Label label, const RopeConfig& config, std::size_t index) {
    const std::size_t length = 1 + index % 10;
    const Place& place = near_place(config, index);
    const bool query = index % 2 == 0;
    label("length", length)("at", place.name)("side", query ? "query" : "key");
    cases.add_stored(label, [&](Case& one) {
      const Rope rope(config);
      const RotaryArgs args{
          .batch = 2,
          .heads = 2,
          .positions = one.positions("positions", place, rope.axis_count() * length),
          .length = length,
          .side = query ? RotarySide::query : RotarySide::key};
      call(rope, one, args);
    });
  });
}

std::size_t size_of(const Rope& rope, const RotaryArgs& args) {
  return 4 * args.length * rope.config().head_dim;
}

void apply(Cases& cases) {
  turns(cases, [](const Rope& rope, Case& one, const RotaryArgs& args) {
    const auto x = one.input("x", {size_of(rope, args)});
    one.succeed(rope.apply(x, one.output("out", {size_of(rope, args)}), args));
    const auto q = one.in_place("q", {size_of(rope, args)});
    const auto k = one.in_place("k", {size_of(rope, args) / 2});
    if (!rope.config().xpos.has_value()) one.succeed(rope.apply(q, k, args, 1));
  });
}

void unapply(Cases& cases) {
  turns(cases, [](const Rope& rope, Case& one, const RotaryArgs& args) {
    const auto x = one.input("x", {size_of(rope, args)});
    one.succeed(rope.unapply(x, one.output("out", {size_of(rope, args)}), args));
  });
}

void backward(Cases& cases) {
  turns(cases, [](const Rope& rope, Case& one, const RotaryArgs& args) {
    const auto gradient = one.input("gradient", {size_of(rope, args)});
    one.succeed(rope.backward(gradient, one.output("out", {size_of(rope, args)}), args));
  });
}

void rerotate(Cases& cases) {
  turns(cases, [](const Rope& rope, Case& one, const RotaryArgs& args) {
    if (rope.config().xpos.has_value() || rope.config().angles == Angles::float32) return;
    const auto to = one.positions("to", kPlaces[4], args.positions.size());
    const auto x = one.input("x", {size_of(rope, args)});
    const auto out = one.output("out", {size_of(rope, args)});
    one.succeed(rope.rerotate(x, out, rope, args, to));
  });
}

}  // namespace

std::span<const Verb> rope_form_verbs() {
  static constexpr Verb kVerbs[] = {{"rope.forms.frequencies", frequencies},
                                    {"rope.forms.angles", angles},
                                    {"rope.forms.apply", apply},
                                    {"rope.forms.unapply", unapply},
                                    {"rope.forms.backward", backward},
                                    {"rope.forms.rerotate", rerotate}};
  return kVerbs;
}

}  // namespace posenc::parity
