#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "posenc/rotary/scaling.hpp"

namespace posenc::cli {

/// --scaling and the flags of all scalings. Not to be moved after `add`.
class RopeScalingOptions {
 public:
  void add(CLI::App& app);

  /// The scaling that --scaling names; throws UsageError for a flag of another one.
  RopeScaling scaling() const;

 private:
  /// The alternatives of RopeScaling, by their words.
  enum class Kind : std::uint8_t {
    none,
    linear,
    static_ntk,
    dynamic_ntk,
    yarn,
    long_rope,
    llama3,
    proportional,
    custom_frequencies,
  };
  /// A flag and the scalings that it goes with.
  struct Flag {
    const CLI::Option* option;
    std::vector<Kind> kinds;
  };

  void add_yarn(CLI::App& app);
  void add_others(CLI::App& app);
  void check_flags() const;

  Kind kind_ = Kind::none;
  std::vector<Flag> flags_;
  std::optional<double> factor_;
  std::optional<std::int64_t> trained_length_;
  std::optional<double> attention_factor_;
  Yarn yarn_;
  bool no_truncate_ = false;
  LongRope long_rope_;
  Llama3 llama3_;
  Proportional proportional_;
  CustomFrequencies custom_;
};

}  // namespace posenc::cli
