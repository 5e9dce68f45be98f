// posenc positions left_padding, next, opt, roberta: of padded batches.

#include <cstdint>
#include <memory>
#include <vector>

#include "cli/options.hpp"
#include "cli/positions.hpp"
#include "cli/whole_rows.hpp"
#include "posenc/core/position_ids.hpp"

namespace posenc::cli {
namespace {

struct PaddedOptions {
  WholeRows mask{.name = "--mask"};
  WholeRows ids{.name = "--ids"};
  std::int64_t masked_value = 1;
  std::int64_t offset = 2;
  std::int64_t padding_id = 1;
  std::uint32_t past_length = 0;
  OutputOptions output;
};

/// 1 for every number that is not 0.
std::vector<std::uint8_t> mask_of(const WholeMatrix& matrix) {
  std::vector<std::uint8_t> mask;
  mask.reserve(matrix.data.size());
  for (const std::int64_t value : matrix.data) mask.push_back(value != 0 ? 1 : 0);
  return mask;
}

void write_left_padding(const PaddedOptions& options) {
  const WholeMatrix mask = options.mask.read();
  std::vector<std::int64_t> out(mask.data.size());
  left_padding_positions(mask_of(mask), mask.rows, options.masked_value, std::span(out)).or_throw();
  write_array<std::int64_t>({mask.rows, mask.columns()}, out, options.output);
}

void write_next(const PaddedOptions& options) {
  const WholeMatrix mask = options.mask.read();
  std::vector<std::int64_t> out(mask.rows);
  next_positions(mask_of(mask), std::span(out)).or_throw();
  write_array<std::int64_t>({mask.rows}, out, options.output);
}

void write_opt(const PaddedOptions& options) {
  const WholeMatrix mask = options.mask.read();
  const std::size_t past = options.past_length;
  if (past > mask.columns()) {
    throw UsageError("--past-length must be at most the mask's " + std::to_string(mask.columns()) +
                     " tokens, got " + std::to_string(past));
  }
  const std::size_t tokens = mask.columns() - past;
  std::vector<std::int64_t> out(mask.rows * tokens);
  opt_positions(mask_of(mask), mask.rows, past, options.offset, std::span(out)).or_throw();
  write_array<std::int64_t>({mask.rows, tokens}, out, options.output);
}

void write_roberta(const PaddedOptions& options) {
  const WholeMatrix ids = options.ids.read();
  std::vector<std::int64_t> out(ids.data.size());
  roberta_positions(std::span(ids.data), ids.rows, options.padding_id,
                    std::int64_t{options.past_length}, std::span(out))
      .or_throw();
  write_array<std::int64_t>({ids.rows, ids.columns()}, out, options.output);
}

constexpr const char* kMask =
    "A sequence's mask, 0 for padding: 0,0,1,1; again for each sequence, or a file [batch, tokens]";
constexpr const char* kPast = "Tokens that are cached already (0)";

}  // namespace

void add_padded_positions(CLI::App& positions) {
  const auto options = std::make_shared<PaddedOptions>();
  CLI::App& left = *positions.add_subcommand(
      "left_padding", "Real tokens count from 0, [batch, tokens]: transformers' generation");
  options->mask.add(left, kMask)->required();
  add_whole(left, "--masked-value", options->masked_value, "Of padding (1; 0 in BLOOM)");
  add_output(left, options->output);
  left.callback([options] { write_left_padding(*options); });

  CLI::App& next =
      *positions.add_subcommand("next", "Where each sequence's next token goes, [batch]");
  options->mask.add(next, kMask)->required();
  add_output(next, options->output);
  next.callback([options] { write_next(*options); });

  CLI::App& opt = *positions.add_subcommand("opt", "Rows of OPT's table, [batch, tokens]");
  options->mask.add(opt, kMask)->required();
  add_whole(opt, "--offset", options->offset, "The row of position 0 (2)");
  add_whole(opt, "--past-length", options->past_length, kPast);
  add_output(opt, options->output);
  opt.callback([options] { write_opt(*options); });

  CLI::App& roberta = *positions.add_subcommand(
      "roberta", "Rows of RoBERTa's table, by the ids of tokens, [batch, tokens]");
  options->ids
      .add(roberta, "A sequence's token ids; again for each sequence, or a file [batch, tokens]")
      ->required();
  add_whole(roberta, "--padding-id", options->padding_id, "The id of padding (1)");
  add_whole(roberta, "--past-length", options->past_length, kPast);
  add_output(roberta, options->output);
  roberta.callback([options] { write_roberta(*options); });
}

}  // namespace posenc::cli
