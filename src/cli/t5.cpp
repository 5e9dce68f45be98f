#include "posenc/bias/t5.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "cli/encodings.hpp"
#include "cli/scores.hpp"
#include "cli/tensor_file.hpp"

namespace posenc::cli {
namespace {

struct T5Options {
  std::string table;
  bool bidirectional = false;
  bool causal = false;
  std::optional<std::uint32_t> num_buckets;
  std::int64_t max_distance = T5Config{}.max_distance;
  ScoreOptions scores;
};

void run(const T5Options& options) {
  if (options.bidirectional == options.causal) {
    throw UsageError("--bidirectional (encoders) or --causal (decoders) is required");
  }
  const FileTensor table = read_tensor(options.table, "num_buckets, heads", TableKind::t5);
  const T5 t5({.heads = table.columns(),
               .bidirectional = options.bidirectional,
               .num_buckets = static_cast<std::size_t>(
                   options.num_buckets.value_or(static_cast<std::uint32_t>(table.rows()))),
               .max_distance = options.max_distance,
               .table = table.data});
  write_bias(t5, options.scores);
}

}  // namespace

void add_t5(CLI::App& bias) {
  CLI::App& app = *bias.add_subcommand("t5", "A trained value per bucket of distances");
  const auto options = std::make_shared<T5Options>();
  add_place(app, "--table", options->table, "The trained table [num_buckets, heads]")->required();
  CLI::Option* bidirectional =
      app.add_flag("--bidirectional", options->bidirectional,
                   "Encoders: keys after the query have their own buckets");
  app.add_flag("--causal", options->causal,
               "Decoders: keys after the query share bucket 0 (masking them is attention's part)")
      ->excludes(bidirectional);
  add_whole(app, "--num-buckets", options->num_buckets, "Must be the table's rows (the default)");
  add_whole(app, "--max-distance", options->max_distance,
            "Distances from N on share the last bucket (128)");
  add_scores(app, options->scores);
  app.callback([options] { run(*options); });
}

}  // namespace posenc::cli
