#include "cli/from_config.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cli/angles.hpp"
#include "cli/failure.hpp"
#include "cli/file_bytes.hpp"
#include "cli/options.hpp"
#include "cli/scores.hpp"
#include "cli/tensor_file.hpp"
#include "cli/write_rows.hpp"
#include "posenc/model/model.hpp"

namespace posenc::cli {
namespace {

/// Which encoding of which model.
struct ConfigOptions {
  std::string path;
  std::optional<Site> site;
  std::int64_t layer = 0;
};

void add_config_options(CLI::App& app, ConfigOptions& options) {
  app.add_option("--config", options.path,
                 "A model's config.json, instead of an ENCODING and its flags")
      ->type_name("PATH");
  std::vector<std::pair<std::string, std::optional<Site>>> sites;
  for (const Site site : {Site::text, Site::encoder, Site::decoder, Site::vision, Site::audio}) {
    sites.emplace_back(site_name(site), site);
  }
  add_choice<std::optional<Site>>(app, "--site", options.site, sites,
                                  "The part of the model (its first one)");
  add_whole(app, "--layer", options.layer, "The layer of that part (0)");
}

/// An ENCODING has flags of its own: those before its name would be read and forgotten.
void refuse_flags_before(const CLI::App& app, const CLI::App& command) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->count() == 0) continue;
    throw UsageError(option->get_name().append(" does not go before ").append(command.get_name()));
  }
}

/// Runs `run` when --config was given; else one of the app's commands must have been.
void on_config(CLI::App& app, const std::function<void()>& run) {
  for (CLI::App* command : app.get_subcommands({})) {
    command->preparse_callback(
        [&app, command](std::size_t) { refuse_flags_before(app, *command); });
  }
  app.callback([&app, run] {
    if (app.count("--config") > 0) return run();
    if (app.get_subcommands().empty()) fail_without_command(app, "--config");
  });
}

/// The encoding of the model that is one of `Configs`; the model's warnings go to standard error.
template <class... Configs>
ModelEncoding find_encoding(const ConfigOptions& options, std::string_view wanted) {
  const Model::Reading reading = read_config(options.path);
  if (!reading.ok()) throw UsageError(options.path + ": " + reading.error().message);
  for (const Finding& warning : reading.value().warnings()) {
    std::fprintf(stderr, "posenc: %s: %s\n", options.path.c_str(), warning.message.c_str());
  }
  std::string found;
  for (const ModelEncoding& encoding : reading.value().encodings()) {
    if (options.site.has_value() && encoding.site != *options.site) continue;
    if (!encoding.in_layer(options.layer)) continue;
    if ((std::holds_alternative<Configs>(encoding.config) || ...)) return encoding;
    found.append(found.empty() ? "" : ", ").append(site_name(encoding.site));
    found.append(" ").append(encoding.encoding);
  }
  throw UsageError(options.path + ": layer " + std::to_string(options.layer) + " has no " +
                   std::string(wanted) + (found.empty() ? "" : "; it has " + found));
}

/// --table, the trained weights that some encodings need.
void add_table_place(CLI::App& app, std::string& place) {
  add_place(app, "--table", place, "The model's trained table, where the encoding has one");
}

/// The trained table of an encoding, which must have the shape that the config tells.
FileTensor read_trained(const ModelEncoding& encoding, const std::string& place,
                        const std::string& axes, TableKind kind, std::size_t columns) {
  if (place.empty()) {
    throw UsageError(std::string(encoding.encoding).append(" needs the trained table: --table"));
  }
  FileTensor table = read_tensor(place, axes, kind);
  if (table.columns() == columns) return table;
  throw UsageError(std::string("--table must have ")
                       .append(std::to_string(columns))
                       .append(" columns, as the config says, got ")
                       .append(std::to_string(table.columns())));
}

struct TableOptions {
  std::shared_ptr<ConfigOptions> config = std::make_shared<ConfigOptions>();
  std::string table;
  PositionOptions positions;
  OutputOptions output;
};

void write_table(const TableOptions& options) {
  const ModelEncoding encoding =
      find_encoding<SinusoidalConfig, LearnedConfig>(*options.config, "table of positions");
  options.positions.require();
  if (const auto* config = std::get_if<SinusoidalConfig>(&encoding.config)) {
    write_rows(Sinusoidal(*config), options.positions, options.output);
    return;
  }
  LearnedConfig config = std::get<LearnedConfig>(encoding.config);
  const FileTensor table =
      read_trained(encoding, options.table, "rows, dim", TableKind::absolute, config.dim);
  config.rows = table.data;
  write_rows(Learned(config), options.positions, options.output);
}

struct AnglesOptions {
  std::shared_ptr<ConfigOptions> config = std::make_shared<ConfigOptions>();
  AngleOptions angles;
};

/// The rope for text: a rope of three axes turns as one of one axis does where all axes have the
/// same position.
RopeConfig one_axis(const ModelEncoding& encoding) {
  RopeConfig config = std::get<RopeConfig>(encoding.config);
  if (std::holds_alternative<Axial>(config.axes)) {
    throw UsageError(encoding.encoding +
                     " turns by rows and columns, which --length does not tell");
  }
  config.axes = OneAxis{};
  return config;
}

void write_model_angles(const AnglesOptions& options) {
  RopeConfig config = one_axis(find_encoding<RopeConfig>(*options.config, "rope"));
  options.angles.positions.require();
  // What dynamic NTK and LongRoPE adapt to: the text ends where the positions do.
  config.length = options.angles.positions.offset.value_or(0) +
                  static_cast<std::int64_t>(options.angles.positions.count());
  write_angles(Rope(config), options.angles);
}

struct BiasOptions {
  std::shared_ptr<ConfigOptions> config = std::make_shared<ConfigOptions>();
  std::string table;
  ScoreOptions scores;
};

void write_model_bias(const BiasOptions& options) {
  const ModelEncoding encoding =
      find_encoding<AlibiConfig, T5Config>(*options.config, "bias of positions alone");
  if (const auto* config = std::get_if<AlibiConfig>(&encoding.config)) {
    write_bias(Alibi(*config), options.scores);
    return;
  }
  T5Config config = std::get<T5Config>(encoding.config);
  const FileTensor table =
      read_trained(encoding, options.table, "num_buckets, heads", TableKind::t5, config.heads);
  config.table = table.data;
  write_bias(T5(config), options.scores);
}

}  // namespace

Model::Reading read_config(const std::string& path) {
  const FileBytes file(path);
  const auto text = file.bytes();
  return Model::read({reinterpret_cast<const char*>(text.data()), text.size()});
}

void add_table_from_config(CLI::App& table) {
  const auto options = std::make_shared<TableOptions>();
  add_config_options(table, *options->config);
  add_table_place(table, options->table);
  add_positions(table, options->positions);
  add_output(table, options->output);
  on_config(table, [options] { write_table(*options); });
}

void add_angles_from_config(CLI::App& angles) {
  const auto options = std::make_shared<AnglesOptions>();
  add_config_options(angles, *options->config);
  add_angle_options(angles, options->angles);
  on_config(angles, [options] { write_model_angles(*options); });
}

void add_bias_from_config(CLI::App& bias) {
  const auto options = std::make_shared<BiasOptions>();
  add_config_options(bias, *options->config);
  add_table_place(bias, options->table);
  CLI::Option* keys = add_scores(bias, options->scores)->required(false);
  on_config(bias, [options, keys] {
    if (keys->count() == 0) throw UsageError("--keys is required");
    write_model_bias(*options);
  });
}

}  // namespace posenc::cli
