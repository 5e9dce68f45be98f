#include "cli/options.hpp"

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <string_view>
#include <system_error>

namespace posenc::cli {
namespace {

std::vector<double> parse_numbers(const std::string& name, std::string_view text) {
  std::vector<double> numbers;
  for (const std::string& item : split_list(text)) numbers.push_back(parse_number(name, item));
  return numbers;
}

}  // namespace

std::int64_t parse_whole(const std::string& name, const std::string& text, std::int64_t least,
                         std::int64_t most) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  const bool whole = result.ptr == end && result.ec != std::errc::invalid_argument;
  if (whole && result.ec == std::errc{} && value >= least && value <= most) return value;
  throw UsageError(name + " must be a whole number from " + std::to_string(least) + " to " +
                   std::to_string(most) + ", got '" + text + "'");
}

double parse_number(const std::string& name, const std::string& text) {
  // strtod alone would take " 1", "0x1p3" and "nan" too.
  const bool decimal =
      !text.empty() && text.find_first_not_of("0123456789+-.eE") == std::string::npos;
  char* end = nullptr;
  const double value = decimal ? std::strtod(text.c_str(), &end) : 0.0;
  if (!decimal || end != text.c_str() + text.size() || !std::isfinite(value)) {
    throw UsageError(name + " must be a finite number, got '" + text + "'");
  }
  return value;
}

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> items;
  while (true) {
    const std::size_t comma = text.find(',');
    items.emplace_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return items;
    text.remove_prefix(comma + 1);
  }
}

CLI::Option* add_text(CLI::App& app, const std::string& name, const std::string& type,
                      const std::function<void(const std::string&)>& set,
                      const std::string& description) {
  const auto take = [set](const CLI::results_t& texts) {
    set(texts.front());
    return true;
  };
  return app.add_option(name, CLI::callback_t(take), description)->type_name(type);
}

CLI::Option* add_number(CLI::App& app, const std::string& name, double& target,
                        const std::string& description) {
  const auto set = [&target, name](const std::string& text) { target = parse_number(name, text); };
  return add_text(app, name, "X", set, description);
}

void require_command(CLI::App& app) {
  app.callback([&app] {
    if (app.get_subcommands().empty()) fail_without_command(app, "");
  });
}

void fail_without_command(const CLI::App& app, const std::string& instead) {
  std::string names;
  for (const CLI::App* command : app.get_subcommands({})) {
    names.append(names.empty() ? "" : ", ").append(command->get_name());
  }
  std::string message = instead;
  if (!instead.empty()) message += " or ";
  throw UsageError(message.append("one of these commands is required: ").append(names));
}

CLI::Option* add_number(CLI::App& app, const std::string& name, std::optional<double>& target,
                        const std::string& description) {
  const auto set = [&target, name](const std::string& text) { target = parse_number(name, text); };
  return add_text(app, name, "X", set, description);
}

CLI::Option* add_numbers(CLI::App& app, const std::string& name, std::vector<double>& target,
                         const std::string& description) {
  const auto set = [&target, name](const std::string& text) { target = parse_numbers(name, text); };
  return add_text(app, name, "X,X,...", set, description);
}

CLI::Option* add_number_lists(CLI::App& app, const std::string& name,
                              std::vector<std::vector<double>>& target,
                              const std::string& description) {
  const auto take = [&target, name](const CLI::results_t& texts) {
    for (const std::string& text : texts) target.push_back(parse_numbers(name, text));
    return true;
  };
  return app.add_option(name, CLI::callback_t(take), description)
      ->type_name("X,X,...")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void PositionOptions::require() const {
  if (length.has_value() == explicit_positions.empty()) return;
  throw UsageError(length ? "--length and --positions exclude each other"
                          : "--length or --positions is required");
}

std::uint64_t PositionOptions::count() const {
  return length ? *length : explicit_positions.size();
}

Positions PositionOptions::block(std::uint64_t first, std::size_t count) const {
  if (length) return Positions::from(offset.value_or(0) + static_cast<std::int64_t>(first), count);
  return Positions::of(std::span(explicit_positions)).slice(static_cast<std::size_t>(first), count);
}

void add_positions(CLI::App& app, PositionOptions& options) {
  add_whole(app, "--length", options.length, "How many consecutive positions");
  add_whole(app, "--offset", options.offset, "The first of them (0)")->needs("--length");
  add_numbers(app, "--positions", options.explicit_positions,
              "Positions one by one instead, fractional and negative ones too: 0,5,7.5");
}

void add_output(CLI::App& app, OutputOptions& options) {
  app.add_option("--out", options.path, "File to write; - or none: standard output")
      ->type_name("PATH");
  add_choice<std::optional<Format>>(
      app, "--format", options.format,
      {{"npy", Format::npy}, {"csv", Format::csv}, {"json", Format::json}},
      "Default: by the file's extension, csv on standard output");
  CLI::Option* progress = app.add_flag("--progress", options.progress,
                                       "Report progress on standard error even for short work or "
                                       "into a file");
  app.add_flag("--quiet", options.quiet, "Report no progress")->excludes(progress);
  app.footer(
      "npy: NumPy's format, float32. csv: one line per row, a row being the last axis; axes "
      "before\n"
      "the last two follow one another without a gap. json: {\"shape\":[...],\"data\":[...]}, "
      "with\n"
      "\"inf\", \"-inf\" and \"nan\" as strings. Decimals are the shortest that read back as the "
      "same\n"
      "float32. A file appears whole or not at all.");
}

}  // namespace posenc::cli
