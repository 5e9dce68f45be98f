#include "posenc/core/mrope_positions.hpp"

#include <cstdint>
#include <memory>
#include <vector>

#include "cli/options.hpp"
#include "cli/positions.hpp"
#include "cli/whole_rows.hpp"

namespace posenc::cli {
namespace {

struct MropeOptions {
  MropePositionsArgs args;
  WholeRows ids{.name = "--ids"};
  WholeRows mask{.name = "--mask"};
  WholeRows images{.name = "--image-grid"};
  WholeRows videos{.name = "--video-grid"};
  bool delta = false;
  OutputOptions output;
};

std::vector<std::int64_t> grids_of(const WholeRows& rows) {
  const WholeMatrix grids = rows.read();
  if (!grids.data.empty() && grids.columns() != 3) {
    throw UsageError(rows.name + " must be t,h,w, got " + std::to_string(grids.columns()) +
                     " numbers");
  }
  return grids.data;
}

void run(MropeOptions& options) {
  const WholeMatrix ids = options.ids.read();
  const std::vector<std::int64_t> images = grids_of(options.images);
  const std::vector<std::int64_t> videos = grids_of(options.videos);
  options.args.batch = ids.rows;
  std::vector<std::int64_t> positions(3 * ids.data.size());
  std::vector<std::int64_t> delta(ids.rows);
  mrope_positions(options.args, options.ids.as<std::int32_t>(ids),
                  options.mask.as<std::uint8_t>(options.mask.read()), images, videos, positions,
                  delta)
      .or_throw();
  if (options.delta) {
    write_array<std::int64_t>({ids.rows}, delta, options.output);
  } else {
    write_array<std::int64_t>({3, ids.rows, ids.columns()}, positions, options.output);
  }
}

}  // namespace

void add_mrope_positions(CLI::App& positions) {
  CLI::App& app = *positions.add_subcommand(
      "mrope", "Qwen2-VL's time, height and width of a prompt's tokens, [3, batch, tokens]");
  const auto options = std::make_shared<MropeOptions>();
  options->ids.add(app, "A sequence's token ids; again for each, or a file [batch, tokens]")
      ->required();
  options->mask.add(app, "A sequence's mask, 0 for padding; likewise (all tokens are real)");
  options->images.add(app, "An image's grid t,h,w in patches; again for each, or a file [n, 3]");
  options->videos.add(app, "A video's grid t,h,w; likewise");
  add_whole(app, "--image-token", options->args.image_token_id, "The id of image tokens")
      ->required();
  add_whole(app, "--video-token", options->args.video_token_id, "The id of video tokens")
      ->required();
  add_whole(app, "--merge", options->args.spatial_merge_size,
            "Patches of a side that become one token (2)");
  add_whole(app, "--masked-value", options->args.masked_position, "Position of padding (1)");
  app.add_flag("--delta", options->delta,
               "Write [batch] instead: the next token's position less its index");
  add_output(app, options->output);
  app.callback([options] { run(*options); });
}

}  // namespace posenc::cli
