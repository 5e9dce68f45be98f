#include "posenc/core/mrope_positions.hpp"

#include "runner.hpp"

namespace posenc::fuzz {
namespace {

struct MropePositionsCall {
  static constexpr const char* kEncoding = "mrope_positions";
  static constexpr std::int32_t kImage = 7;

  MropePositionsArgs args;
  std::vector<std::int32_t> ids;
  std::vector<std::uint8_t> mask;
  std::vector<std::int64_t> grids;
  std::span<std::int64_t> positions, delta;

  /// Texts with an image each.
  static MropePositionsCall valid(Trial& trial) {
    MropePositionsCall call;
    const std::size_t batch = trial.size(1, 3), words = trial.size(0, 5);
    const std::size_t height = trial.size(1, 3), width = trial.size(1, 4);
    call.args = {.batch = batch, .image_token_id = kImage, .video_token_id = 8};
    for (std::size_t row = 0; row < batch; ++row) {
      call.ids.insert(call.ids.end(), words, 1);
      call.ids.insert(call.ids.end(), height * width, kImage);
      call.grids.insert(call.grids.end(), {1, static_cast<std::int64_t>(2 * height),
                                           static_cast<std::int64_t>(2 * width)});
    }
    if (trial.random().one_in(2)) call.mask.assign(call.ids.size(), 1);
    call.positions = trial.whole_numbers<std::int64_t>(3 * call.ids.size());
    call.delta = trial.whole_numbers<std::int64_t>(batch);
    return call;
  }

  Refusal spoil(Trial& trial) {
    const bool coin = trial.random().one_in(2);
    switch (trial.random().below(8)) {
      case 0:
        args.batch = coin ? 0 : kTooWide;
        return {Code::value_range, "batch"};
      case 1:
        args.spatial_merge_size = coin ? 0 : 65;
        return {Code::value_range, "spatial_merge_size"};
      case 2:
        grids[1] = coin ? 3 : 0;
        return {Code::value_range, "image_grids"};
      case 3:
        grids.pop_back();
        return {Code::shape, "image_grids"};
      case 4:
        grids.insert(grids.end(), {1, 2, 2});
        return {Code::shape, "image_grids"};
      case 5:
        ids[0] = ids[0] == kImage ? 1 : kImage;
        return {Code::shape};
      case 6:
        mask.assign(ids.size() + 1, 1);
        return {Code::shape, "attention_mask"};
      default:
        positions = positions.first(positions.size() - 1);
        return {Code::shape, "positions"};
    }
  }

  void roughen(Trial& trial) {
    switch (trial.random().below(4)) {
      case 0:
        args.masked_position = trial.wild_whole();
        break;
      case 1:
        ids[trial.random().below(ids.size())] = static_cast<std::int32_t>(trial.wild_whole());
        break;
      case 2:
        args.batch = trial.wild_size();
        break;
      default:
        grids[trial.random().below(grids.size())] = trial.wild_whole() & ~std::int64_t{1};
        break;
    }
  }

  Status run() const { return mrope_positions(args, ids, mask, grids, {}, positions, delta); }
};

}  // namespace

Tally fuzz_mrope_positions(const Options& options) {
  return Runner<MropePositionsCall>(options).run();
}

}  // namespace posenc::fuzz
