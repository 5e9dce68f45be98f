#pragma once

#include <cstdio>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "case.hpp"

namespace posenc::parity {

/// The parameters in a case's name: Label()("dim", 7)("layout", "half") is "dim=7,layout=half".
class Label {
 public:
  Label& operator()(const char* key, std::string_view value) {
    text_.append(text_.empty() ? "" : ",").append(key).append("=").append(value);
    return *this;
  }
  template <class T>
    requires std::is_arithmetic_v<T>
  Label& operator()(const char* key, T value) {
    if constexpr (std::is_floating_point_v<T>) {
      char digits[32];
      std::snprintf(digits, sizeof digits, "%g", static_cast<double>(value));
      return (*this)(key, std::string_view(digits));
    } else {
      return (*this)(key, std::string_view(std::to_string(value)));
    }
  }

  const std::string& text() const noexcept { return text_; }

 private:
  std::string text_;
};

/// Runs the cases of a verb one after the other and reports each.
class Cases {
 public:
  struct Options {
    /// Print the arrays of this case, and nothing of the others.
    std::string dump;
    /// Spoil the first case of this verb that can be: a wrong build, for testing the test.
    std::string spoil;
  };

  Cases(const char* verb, const Options& options) : verb_(verb), options_(options) {}

  /// `body(case)` makes the inputs, calls the verb and hands over the outputs.
  template <class Body>
  void add(const Label& label, const Body& body) {
    add_one(label, {}, body);
  }

  /// The same for a verb whose data have a storage type: once with float32, and once with the
  /// storage types whose turn it is.
  template <class Body>
  void add_stored(const Label& label, const Body& body) {
    constexpr StorageType kFloat = StorageType::float32;
    constexpr StorageType kHalf = StorageType::float16;
    constexpr StorageType kBrain = StorageType::bfloat16;
    constexpr Storage kTurns[] = {{kHalf, kHalf},  {kBrain, kBrain}, {kHalf, kFloat},
                                  {kFloat, kHalf}, {kBrain, kFloat}, {kFloat, kBrain},
                                  {kHalf, kBrain}};
    add_one(label, {}, body);
    const Storage storage = kTurns[turn_++ % std::size(kTurns)];
    const std::string types =
        std::string(storage_name(storage.in)) + ">" + storage_name(storage.out);
    add_one(Label(label)("storage", types), storage, body);
  }

  std::size_t problems() const noexcept { return problems_; }

 private:
  template <class Body>
  void add_one(const Label& label, Storage storage, const Body& body) {
    std::string name = std::string(verb_) + "/" + label.text();
    const bool shown = options_.dump.empty() || options_.dump == name;
    const bool spoil = !spoiled_ && options_.spoil == verb_;
    if (!shown && !spoil) return;
    Case one(std::move(name), storage);
    try {
      body(one);
    } catch (const Error& error) {
      one.succeed(error.status());
    }
    one.finish();
    if (spoil) spoiled_ = one.spoil();
    if (shown) report(one);
  }

  void report(const Case& one) {
    if (!one.problem().empty()) {
      ++problems_;
      std::fprintf(stderr, "parity: %s: %s\n", one.name().c_str(), one.problem().c_str());
    }
    if (!options_.dump.empty()) {
      one.dump(stdout);
    } else {
      std::printf("%s %016llx\n", one.name().c_str(), static_cast<unsigned long long>(one.hash()));
    }
  }

  const char* verb_;
  const Options& options_;
  std::size_t turn_ = 0;
  bool spoiled_ = false;
  std::size_t problems_ = 0;
};

/// A verb and the function that adds its cases.
struct Verb {
  const char* name;
  void (*cases)(Cases&);
};

// The verbs of each family, in the file of its name.
std::span<const Verb> sinusoidal_verbs();
std::span<const Verb> learned_verbs();
std::span<const Verb> hierarchical_verbs();
std::span<const Verb> multiscale_verbs();
std::span<const Verb> sincos_grid_verbs();
std::span<const Verb> detr_sine_verbs();
std::span<const Verb> layout_boxes_verbs();
std::span<const Verb> interpolate_verbs();
std::span<const Verb> rope_verbs();
std::span<const Verb> rope_form_verbs();
std::span<const Verb> rotary_position_verbs();
std::span<const Verb> permute_pairs_verbs();
std::span<const Verb> position_id_verbs();
std::span<const Verb> alibi_verbs();
std::span<const Verb> t5_verbs();
std::span<const Verb> kerple_verbs();
std::span<const Verb> fire_verbs();
std::span<const Verb> dynamic_position_bias_verbs();
std::span<const Verb> swin_verbs();
std::span<const Verb> swin_cpb_verbs();
std::span<const Verb> shaw_verbs();
std::span<const Verb> deberta_verbs();
std::span<const Verb> transformer_xl_verbs();
std::span<const Verb> cope_verbs();
std::span<const Verb> decomposed_verbs();
std::span<const Verb> forgetting_bias_verbs();
std::span<const Verb> gated_position_bias_verbs();
std::span<const Verb> pope_verbs();
std::span<const Verb> attention_verbs();
std::span<const Verb> attention_more_verbs();
std::span<const Verb> attention_backward_verbs();

inline constexpr std::span<const Verb> (*kFamilies[])() = {
    sinusoidal_verbs,
    learned_verbs,
    hierarchical_verbs,
    multiscale_verbs,
    sincos_grid_verbs,
    detr_sine_verbs,
    layout_boxes_verbs,
    interpolate_verbs,
    rope_verbs,
    rope_form_verbs,
    rotary_position_verbs,
    permute_pairs_verbs,
    position_id_verbs,
    alibi_verbs,
    t5_verbs,
    kerple_verbs,
    fire_verbs,
    dynamic_position_bias_verbs,
    swin_verbs,
    swin_cpb_verbs,
    shaw_verbs,
    deberta_verbs,
    transformer_xl_verbs,
    cope_verbs,
    decomposed_verbs,
    forgetting_bias_verbs,
    gated_position_bias_verbs,
    pope_verbs,
    attention_verbs,
    attention_more_verbs,
    attention_backward_verbs,
};

}  // namespace posenc::parity
