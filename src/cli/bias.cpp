// posenc bias: what bias encodings add to the scores, [heads, queries, keys].

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/npy.hpp"
#include "cli/options.hpp"
#include "cli/writer.hpp"
#include "posenc/bias/alibi.hpp"
#include "posenc/bias/t5.hpp"

namespace posenc::cli {
namespace {

std::vector<float> allocate(std::uint64_t heads, std::uint64_t count) {
  if (count != 0 && heads > PTRDIFF_MAX / sizeof(float) / count) throw std::bad_alloc();
  return std::vector<float>(static_cast<std::size_t>(heads * count));
}

/// Which scores the bias is for.
struct ScoreOptions {
  std::optional<std::uint64_t> queries;
  std::uint64_t keys = 0;
  std::optional<std::int64_t> query_offset;
  bool distances = false;
  OutputOptions output;
};

void add_scores(CLI::App& app, ScoreOptions& options) {
  add_whole(app, "--queries", options.queries, "How many queries");
  add_whole(app, "--keys", options.keys, "How many keys, at positions 0, 1, ...")->required();
  add_whole(app, "--query-offset", options.query_offset,
            "Position of the first query (keys - queries: the queries come last)");
  app.add_flag("--distances", options.distances,
               "Write one value per distance key - query instead, [heads, queries + keys - 1], the "
               "smallest distance first");
  add_output(app, options.output);
}

/// The bias depends on key - query alone, so row q of head h is a piece of that head's vector of
/// distances: nothing larger than these vectors is kept in memory.
template <class Encoding>
void write_bias(const Encoding& encoding, const ScoreOptions& options) {
  if (!options.queries) throw UsageError("--queries is required");
  const std::uint64_t heads = encoding.config().heads;
  const std::uint64_t queries = *options.queries;
  const std::uint64_t keys = options.keys;
  const auto offset = options.query_offset.value_or(static_cast<std::int64_t>(keys - queries));
  const std::uint64_t count = queries == 0 || keys == 0 ? 0 : queries + keys - 1;
  const std::int64_t first = -(offset + static_cast<std::int64_t>(queries) - 1);
  std::vector<float> vectors = allocate(heads, count);
  encoding.distances(first, vectors).or_throw();

  const auto fill = [&](std::uint64_t row, std::span<float> out) {
    for (; !out.empty(); out = out.subspan(static_cast<std::size_t>(keys)), ++row) {
      const std::uint64_t start = row / queries * count + (queries - 1 - row % queries);
      const auto from = vectors.begin() + static_cast<std::ptrdiff_t>(start);
      std::copy_n(from, static_cast<std::size_t>(keys), out.begin());
    }
  };
  const auto copy = [&](std::uint64_t head, std::span<float> out) {
    std::copy_n(vectors.begin() + static_cast<std::ptrdiff_t>(head * count), out.size(),
                out.begin());
  };
  if (options.distances) {
    write_tensor({.shape = {heads, count}, .fill = copy}, options.output);
  } else {
    write_tensor({.shape = {heads, queries, keys}, .fill = fill}, options.output);
  }
}

enum class AlibiOutput : std::uint8_t { causal, symmetric, key };

struct AlibiOptions {
  AlibiConfig config;
  std::uint32_t heads = 0;
  AlibiOutput form = AlibiOutput::causal;
  ScoreOptions scores;
};

/// BLOOM's form [heads, keys].
void write_key_bias(const Alibi& alibi, const ScoreOptions& options) {
  if (options.queries || options.query_offset || options.distances) {
    throw UsageError(
        "--form key is the same for every query: leave out --queries, --query-offset "
        "and --distances");
  }
  const std::uint64_t heads = alibi.config().heads;
  std::vector<float> values = allocate(heads, options.keys);
  alibi.key_bias(Positions::from(0, static_cast<std::size_t>(options.keys)), values).or_throw();
  const auto fill = [&](std::uint64_t head, std::span<float> out) {
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(head * options.keys), out.size(),
                out.begin());
  };
  write_tensor({.shape = {heads, options.keys}, .fill = fill}, options.output);
}

void run_alibi(AlibiOptions& options) {
  options.config.heads = options.heads;
  if (options.form == AlibiOutput::symmetric) options.config.form = AlibiForm::symmetric;
  const Alibi alibi(options.config);
  if (options.form == AlibiOutput::key) {
    write_key_bias(alibi, options.scores);
  } else {
    write_bias(alibi, options.scores);
  }
}

void add_alibi(CLI::App& bias) {
  CLI::App& app = *bias.add_subcommand("alibi", "A penalty linear in the distance");
  const auto options = std::make_shared<AlibiOptions>();
  add_whole(app, "--heads", options->heads, "How many heads")->required();
  add_choice<AlibiSlopes>(app, "--slopes", options->config.slopes,
                          {{"checkpoint", AlibiSlopes::checkpoint}, {"paper", AlibiSlopes::paper}},
                          "The rule of the trained checkpoints (default) or the paper's; they "
                          "differ when the heads are "
                          "no power of two");
  add_choice<AlibiOutput>(
      app, "--form", options->form,
      {{"causal", AlibiOutput::causal},
       {"symmetric", AlibiOutput::symmetric},
       {"key", AlibiOutput::key}},
      "-inf for keys after the query (causal, the default), the same both ways, or BLOOM's "
      "slope * key, [heads, keys]");
  add_scores(app, options->scores);
  app.callback([options] { run_alibi(*options); });
}

struct T5Options {
  std::string table;
  bool bidirectional = false;
  bool causal = false;
  std::optional<std::uint32_t> num_buckets;
  std::int64_t max_distance = T5Config{}.max_distance;
  ScoreOptions scores;
};

void run_t5(const T5Options& options) {
  if (options.bidirectional == options.causal) {
    throw UsageError("--bidirectional (encoders) or --causal (decoders) is required");
  }
  const NpyArray table = read_matrix(options.table, "num_buckets, heads");
  const T5 t5({.heads = static_cast<std::size_t>(table.shape[1]),
               .bidirectional = options.bidirectional,
               .num_buckets = static_cast<std::size_t>(
                   options.num_buckets.value_or(static_cast<std::uint32_t>(table.shape[0]))),
               .max_distance = options.max_distance,
               .table = table.data});
  write_bias(t5, options.scores);
}

void add_t5(CLI::App& bias) {
  CLI::App& app = *bias.add_subcommand("t5", "A trained value per bucket of distances");
  const auto options = std::make_shared<T5Options>();
  app.add_option("--table", options->table,
                 "The trained table: a .npy file, float32 [num_buckets, heads]")
      ->required()
      ->type_name("PATH");
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
  app.callback([options] { run_t5(*options); });
}

}  // namespace

void add_bias(CLI::App& app) {
  CLI::App& bias = *app.add_subcommand("bias", "Write the bias of an encoding");
  require_command(bias);
  add_alibi(bias);
  add_t5(bias);
}

}  // namespace posenc::cli
