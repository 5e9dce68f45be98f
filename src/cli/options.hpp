#pragma once

#include <CLI/CLI.hpp>
#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/failure.hpp"
#include "cli/writer.hpp"
#include "posenc/core/positions.hpp"

namespace posenc::cli {

/// Options whose text is read by our own rules, because CLI11's depend on its version and on the
/// width of the type: 1.5 is no whole number, 2^64 does not wrap, nan is no number. All throw
/// UsageError.

std::int64_t parse_whole(const std::string& name, const std::string& text, std::int64_t least,
                         std::int64_t most);
double parse_number(const std::string& name, const std::string& text);
/// The items of a list "0,5,7.5", one at least.
std::vector<std::string> split_list(std::string_view text);

/// An option whose text goes to `set`; `type` is what --help shows for it.
CLI::Option* add_text(CLI::App& app, const std::string& name, const std::string& type,
                      const std::function<void(const std::string&)>& set,
                      const std::string& description);

template <class Target>
struct ValueOf {
  using type = Target;
};
template <class Value>
struct ValueOf<std::optional<Value>> {
  using type = Value;
};

template <std::integral Integer>
constexpr std::int64_t clamp_to_positions(Integer limit) {
  if (std::cmp_greater(limit, kMaxPosition)) return kMaxPosition;
  if (std::cmp_less(limit, -kMaxPosition)) return -kMaxPosition;
  return static_cast<std::int64_t>(limit);
}

/// A whole number within what `target` holds and a position may be. The target may be optional.
template <class Target>
CLI::Option* add_whole(CLI::App& app, const std::string& name, Target& target,
                       const std::string& description) {
  using Integer = typename ValueOf<Target>::type;
  constexpr auto kLeast = clamp_to_positions(std::numeric_limits<Integer>::min());
  constexpr auto kMost = clamp_to_positions(std::numeric_limits<Integer>::max());
  const auto set = [&target, name](const std::string& text) {
    target = static_cast<Integer>(parse_whole(name, text, kLeast, kMost));
  };
  return add_text(app, name, "N", set, description);
}

/// A finite number.
CLI::Option* add_number(CLI::App& app, const std::string& name, double& target,
                        const std::string& description);

CLI::Option* add_number(CLI::App& app, const std::string& name, std::optional<double>& target,
                        const std::string& description);

/// Whole numbers, "4,8", each as `add_whole` takes it.
template <std::integral Integer>
CLI::Option* add_wholes(CLI::App& app, const std::string& name, std::vector<Integer>& target,
                        const std::string& description) {
  constexpr auto kLeast = clamp_to_positions(std::numeric_limits<Integer>::min());
  constexpr auto kMost = clamp_to_positions(std::numeric_limits<Integer>::max());
  const auto set = [&target, name](const std::string& text) {
    for (const std::string& item : split_list(text)) {
      target.push_back(static_cast<Integer>(parse_whole(name, item, kLeast, kMost)));
    }
  };
  return add_text(app, name, "N,N,...", set, description);
}

/// Finite numbers, "0,5,7.5".
CLI::Option* add_numbers(CLI::App& app, const std::string& name, std::vector<double>& target,
                         const std::string& description);

/// Several lists of finite numbers: the flag may be given again and again.
CLI::Option* add_number_lists(CLI::App& app, const std::string& name,
                              std::vector<std::vector<double>>& target,
                              const std::string& description);

/// One of several words.
template <class Value>
CLI::Option* add_choice(CLI::App& app, const std::string& name, Value& target,
                        const std::vector<std::pair<std::string, Value>>& choices,
                        const std::string& description) {
  std::string words;
  for (const auto& [word, value] : choices) words += (words.empty() ? "" : "|") + word;
  const auto set = [&target, name, choices, words](const std::string& text) {
    for (const auto& [word, value] : choices) {
      if (word != text) continue;
      target = value;
      return;
    }
    throw UsageError(name + " must be one of " + words + ", got '" + text + "'");
  };
  return add_text(app, name, words, set, description);
}

/// Makes it an error to give none of the app's commands; CLI11's own message would not say which
/// there are, nor what was written instead.
void require_command(CLI::App& app);
/// That error, with what else would do.
[[noreturn]] void fail_without_command(const CLI::App& app, const std::string& instead);

/// --length, --offset and --positions.
struct PositionOptions {
  std::optional<std::uint64_t> length;
  std::optional<std::int64_t> offset;
  std::vector<double> explicit_positions;

  /// Throws UsageError unless exactly one of --length and --positions was given.
  void require() const;
  std::uint64_t count() const;
  Positions block(std::uint64_t first, std::size_t count) const;
};

void add_positions(CLI::App& app, PositionOptions& options);

/// --out, --format, --progress and --quiet.
void add_output(CLI::App& app, OutputOptions& options);

}  // namespace posenc::cli
