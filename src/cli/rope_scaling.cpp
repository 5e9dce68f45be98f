#include "cli/rope_scaling.hpp"

#include <algorithm>
#include <iterator>

#include "cli/failure.hpp"
#include "cli/options.hpp"

namespace posenc::cli {
namespace {

/// The words of the kinds, in their order.
constexpr const char* kWords[] = {"none",        "linear",       "static_ntk",
                                  "dynamic_ntk", "yarn",         "long_rope",
                                  "llama3",      "proportional", "custom_frequencies"};

}  // namespace

void RopeScalingOptions::add_yarn(CLI::App& app) {
  const std::vector<Kind> yarn{Kind::yarn};
  flags_.push_back({add_number(app, "--beta-fast", yarn_.beta_fast,
                               "yarn: pairs that turn more often keep their frequency (32)"),
                    yarn});
  flags_.push_back({add_number(app, "--beta-slow", yarn_.beta_slow,
                               "yarn: pairs that turn less often are divided by the factor (1)"),
                    yarn});
  flags_.push_back(
      {add_number(app, "--mscale", yarn_.mscale, "yarn: DeepSeek's mscale (0: none)"), yarn});
  flags_.push_back({add_number(app, "--mscale-all-dim", yarn_.mscale_all_dim,
                               "yarn: DeepSeek's mscale_all_dim (0: none)"),
                    yarn});
  flags_.push_back({app.add_flag("--no-truncate", no_truncate_,
                                 "yarn: the ramp's ends stay fractions (gpt-oss)"),
                    yarn});
}

void RopeScalingOptions::add_others(CLI::App& app) {
  flags_.push_back({add_numbers(app, "--short-factor", long_rope_.short_factor,
                                "long_rope: divisors up to the trained length, one for each pair"),
                    {Kind::long_rope}});
  flags_.push_back(
      {add_numbers(app, "--long-factor", long_rope_.long_factor, "long_rope: divisors beyond it"),
       {Kind::long_rope}});
  flags_.push_back({add_number(app, "--low-freq-factor", llama3_.low_freq_factor,
                               "llama3: turns below which frequencies are divided (1)"),
                    {Kind::llama3}});
  flags_.push_back({add_number(app, "--high-freq-factor", llama3_.high_freq_factor,
                               "llama3: turns above which they are kept (4)"),
                    {Kind::llama3}});
  flags_.push_back({add_number(app, "--partial-rotary-factor", proportional_.partial_rotary_factor,
                               "proportional: the share of the pairs that turns (1)"),
                    {Kind::proportional}});
  flags_.push_back({add_numbers(app, "--inv-freq", custom_.inv_freq,
                                "custom_frequencies: radians per position of each pair"),
                    {Kind::custom_frequencies}});
}

void RopeScalingOptions::add(CLI::App& app) {
  std::vector<std::pair<std::string, Kind>> choices;
  choices.reserve(std::size(kWords));
  for (std::size_t i = 0; i < std::size(kWords); ++i) {
    choices.emplace_back(kWords[i], static_cast<Kind>(i));
  }
  add_choice<Kind>(app, "--scaling", kind_, choices,
                   "How the frequencies are changed for longer texts (none)");
  flags_.push_back(
      {add_number(app, "--factor", factor_, "By how much texts are longer (1; llama3: 8)"),
       {Kind::linear, Kind::static_ntk, Kind::dynamic_ntk, Kind::yarn, Kind::long_rope,
        Kind::llama3, Kind::proportional}});
  flags_.push_back({add_whole(app, "--trained-length", trained_length_,
                              "The length that the model was trained on: "
                              "(original_)max_position_embeddings (llama3: 8192)"),
                    {Kind::dynamic_ntk, Kind::yarn, Kind::long_rope, Kind::llama3}});
  flags_.push_back({add_number(app, "--attention-factor", attention_factor_,
                               "What cosines and sines are multiplied by (by rule)"),
                    {Kind::yarn, Kind::long_rope, Kind::custom_frequencies}});
  add_yarn(app);
  add_others(app);
}

void RopeScalingOptions::check_flags() const {
  for (const auto& [option, kinds] : flags_) {
    if (option->count() == 0 || std::ranges::find(kinds, kind_) != kinds.end()) continue;
    std::string words;
    for (const Kind kind : kinds) {
      if (!words.empty()) words += '|';
      words += kWords[static_cast<std::size_t>(kind)];
    }
    throw UsageError(option->get_name() + " goes with --scaling " + words);
  }
}

RopeScaling RopeScalingOptions::scaling() const {
  check_flags();
  const double factor = factor_.value_or(1.0);
  const std::int64_t trained = trained_length_.value_or(0);
  switch (kind_) {
    case Kind::none:
      break;
    case Kind::linear:
      return Linear{factor};
    case Kind::static_ntk:
      return StaticNtk{factor};
    case Kind::dynamic_ntk:
      return DynamicNtk{factor, trained};
    case Kind::yarn: {
      Yarn yarn = yarn_;
      yarn.factor = factor;
      yarn.original_max_position_embeddings = trained;
      yarn.truncate = !no_truncate_;
      yarn.attention_factor = attention_factor_;
      return yarn;
    }
    case Kind::long_rope: {
      LongRope rope = long_rope_;
      rope.factor = factor;
      rope.original_max_position_embeddings = trained;
      rope.short_attention_factor = rope.long_attention_factor = attention_factor_;
      return rope;
    }
    case Kind::llama3: {
      Llama3 llama3 = llama3_;
      llama3.factor = factor_.value_or(llama3.factor);
      llama3.original_max_position_embeddings =
          trained_length_.value_or(llama3.original_max_position_embeddings);
      return llama3;
    }
    case Kind::proportional: {
      Proportional proportional = proportional_;
      proportional.factor = factor;
      return proportional;
    }
    case Kind::custom_frequencies: {
      CustomFrequencies custom = custom_;
      custom.attention_factor = attention_factor_.value_or(1.0);
      return custom;
    }
  }
  return NoScaling{};
}

}  // namespace posenc::cli
