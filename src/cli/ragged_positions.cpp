// posenc positions offset, packed, shard: of sequences in progress, and parts of a range.

#include "posenc/core/ragged_positions.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cli/options.hpp"
#include "cli/positions.hpp"
#include "cli/write_whole.hpp"

namespace posenc::cli {
namespace {

struct RaggedOptions {
  std::vector<std::int64_t> offsets, starts;
  std::uint32_t tokens = 0, index = 0, count = 1;
  std::uint64_t length = 0;
  std::int64_t offset = 0;
  OutputOptions output;
};

void write_offset(const RaggedOptions& options) {
  const std::uint64_t count = count_of({options.offsets.size(), options.tokens});
  std::vector<std::int64_t> out(static_cast<std::size_t>(count));
  offset_positions(options.offsets, out).or_throw();
  write_array<std::int64_t>({options.offsets.size(), options.tokens}, out, options.output);
}

void write_packed(const RaggedOptions& options) {
  const std::int64_t tokens = options.starts.back();
  if (tokens < 0) throw UsageError("--starts must not decrease");
  std::vector<std::int64_t> out(
      static_cast<std::size_t>(count_of({static_cast<std::uint64_t>(tokens)})));
  packed_positions(options.offsets, std::span<const std::int64_t>(options.starts), out).or_throw();
  write_array<std::int64_t>({out.size()}, out, options.output);
}

/// Of any length: one line for each position.
void write_shard(const RaggedOptions& options) {
  if (options.index >= options.count) {
    throw UsageError("--index must be less than --count = " + std::to_string(options.count) +
                     ", got " + std::to_string(options.index));
  }
  const std::uint64_t least = options.length / options.count, more = options.length % options.count;
  const std::uint64_t first = options.index * least + std::min<std::uint64_t>(options.index, more);
  const std::int64_t start = options.offset + static_cast<std::int64_t>(first);
  const auto fill = [&](std::uint64_t row, std::span<std::int64_t> out) {
    for (std::int64_t& value : out) value = start + static_cast<std::int64_t>(row++);
  };
  const std::uint64_t rows = least + (options.index < more ? 1 : 0);
  write_positions<std::int64_t>({.shape = {rows, 1}, .fill = fill}, options.output);
}

}  // namespace

void add_ragged_positions(CLI::App& positions) {
  const auto options = std::make_shared<RaggedOptions>();
  CLI::App& offset = *positions.add_subcommand(
      "offset", "Chunks of sequences, each from its own offset on, [batch, tokens]");
  add_wholes(offset, "--offsets", options->offsets, "The first position of each sequence")
      ->required();
  add_whole(offset, "--tokens", options->tokens, "Tokens of each sequence")->required();
  add_output(offset, options->output);
  offset.callback([options] { write_offset(*options); });

  CLI::App& packed = *positions.add_subcommand(
      "packed", "Sequences one after the other without padding, [tokens]");
  add_wholes(packed, "--starts", options->starts, "Where each begins and the last ends: 0,3,8")
      ->required();
  add_wholes(packed, "--offsets", options->offsets, "The first position of each (0)");
  add_output(packed, options->output);
  packed.callback([options] { write_packed(*options); });

  CLI::App& shard = *positions.add_subcommand(
      "shard", "One of several nearly equal parts of a range, [positions, 1]");
  add_whole(shard, "--length", options->length, "Positions of the range")->required();
  add_whole(shard, "--offset", options->offset, "The first of them (0)");
  add_whole(shard, "--index", options->index, "Which part, from 0 on")->required();
  add_whole(shard, "--count", options->count, "Of how many")->required();
  add_output(shard, options->output);
  shard.callback([options] { write_shard(*options); });
}

}  // namespace posenc::cli
