// posenc explain: which position encodings a config.json asks for.

#include "posenc/model/explain.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.hpp"
#include "cli/failure.hpp"
#include "cli/from_config.hpp"
#include "cli/output.hpp"

namespace posenc::cli {
namespace {

struct ExplainOptions {
  std::vector<std::string> paths{};
  bool json = false;
};

void explain(const ExplainOptions& options) {
  Value::Array results;
  std::string pages, first_error;
  for (const std::string& path : options.paths) {
    const Model::Reading reading = read_config(path);
    if (!reading.ok() && first_error.empty()) {
      first_error = path + ": " + reading.error().message;
    }
    if (options.json) {
      results.push_back(explain_value(reading));
    } else {
      if (!pages.empty()) pages += "\n";
      pages += explain_page(reading, path);
    }
  }
  if (options.json) {
    Value(std::move(results)).append_json(pages);
    pages += "\n";
  }
  Output output("-");
  output.write(pages);
  output.commit();
  if (!first_error.empty()) throw UsageError(first_error);
}

}  // namespace

void add_explain(CLI::App& app) {
  CLI::App& explain_app = *app.add_subcommand(
      "explain", "Tell which position encodings a model's config.json asks for");
  const auto options = std::make_shared<ExplainOptions>();
  explain_app.add_option("CONFIG", options->paths, "config.json files of published models")
      ->required();
  explain_app.add_flag("--json", options->json, "An array with one object per file");
  explain_app.callback([options] { explain(*options); });
}

}  // namespace posenc::cli
