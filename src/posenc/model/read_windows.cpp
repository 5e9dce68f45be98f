// Rules of vision models whose scores have a bias for each offset within a window.

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "posenc/model/emit.hpp"
#include "posenc/model/patches.hpp"

namespace posenc::detail {
namespace {

/// A stage of a Swin model: its window is the config's unless its grid is smaller.
struct Stages {
  std::vector<std::int64_t> windows{};
  Field<std::vector<std::int64_t>> depths;
  Field<std::vector<std::int64_t>> heads;
  Field<std::int64_t> window;
};

Field<std::vector<std::int64_t>> wholes_or(const Section& section, const char* name,
                                           std::vector<std::int64_t> fallback) {
  return section.wholes(name, 1, kMaxDims)
      .value_or(
          Field<std::vector<std::int64_t>>{std::move(fallback), kClassDefault, section.path(name)});
}

Stages read_stages(const Reading& reading, std::int64_t least_window) {
  const Section& section = reading.section;
  const Patches patches = read_patch_grid(reading);
  Stages stages{.depths = wholes_or(section, "depths", {2, 2, 6, 2}),
                .heads = wholes_or(section, "num_heads", {3, 6, 12, 24}),
                .window = section.whole("window_size", 7, least_window, 4096)};
  if (stages.depths.value.size() != stages.heads.value.size() || stages.heads.value.empty() ||
      stages.heads.value.size() > 16) {
    fail(FindingCode::layer_list_length, stages.heads.path,
         {stages.heads.path, " must have an entry for each of the ", stages.depths.value.size(),
          " stages, got ", stages.heads.value.size()});
  }
  for (std::size_t stage = 0; stage < stages.depths.value.size(); ++stage) {
    const std::int64_t side = std::min(patches.rows, patches.columns) >> stage;
    stages.windows.push_back(std::max<std::int64_t>(std::min(stages.window.value, side), 1));
  }
  return stages;
}

void put_stages(ModelEncoding& encoding, const Stages& stages) {
  put(encoding, "window", Value::Array{stages.window.value, stages.window.value},
      stages.window.source);
  put(encoding, "window_per_stage", stages.windows, derived("window_size, image_size, patch_size"));
  put(encoding, "heads_per_stage", stages.heads);
  put(encoding, "depths", stages.depths);
}

}  // namespace

void read_beit(Reading& reading) {
  const Section& section = reading.section;
  const Patches patches = read_patch_grid(reading);
  const bool absolute = section.flag("use_absolute_position_embeddings", false).value;
  const bool shared = section.flag("use_shared_relative_position_bias", false).value;
  const bool own = section.flag("use_relative_position_bias", false).value;
  if (absolute) emit_patch_table(reading, patches, 1);
  if (shared || own) {
    const auto heads = section.shape(reading.type.spelling.heads, reading.type.shape.heads);
    ModelEncoding& encoding = emit(reading, "swin_bias");
    put(encoding, "window", Value::Array{patches.rows, patches.columns}, patches.source);
    put(encoding, "table_rows", (2 * patches.rows - 1) * (2 * patches.columns - 1) + 3,
        derived("window"));
    put(encoding, "extra_rows", std::int64_t{3}, kModelCode);
    put(encoding, "heads", heads);
    put(encoding, "sharing", shared ? "one table for all layers" : "own table in every layer",
        kModelCode);
    encoding.config = SwinConfig{.window_height = static_cast<std::size_t>(patches.rows),
                                 .window_width = static_cast<std::size_t>(patches.columns),
                                 .heads = static_cast<std::size_t>(heads.value)};
  }
  if (!absolute && !shared && !own) {
    emit_none(reading, "all three position switches are false");
  }
}

void read_swin(Reading& reading) {
  const Stages stages = read_stages(reading, 1);
  if (reading.section.flag("use_absolute_embeddings", false).value) {
    emit_patch_table(reading, read_patch_grid(reading), 0);
  }
  ModelEncoding& encoding = emit(reading, "swin_bias");
  const std::int64_t span = 2 * stages.window.value - 1;
  put_stages(encoding, stages);
  put(encoding, "table_rows", span * span, derived("window_size"));
  put(encoding, "extra_rows", std::int64_t{0}, kModelCode);
  put(encoding, "sharing", "own table in every layer", kModelCode);
  const auto side = static_cast<std::size_t>(stages.window.value);
  encoding.config = SwinConfig{.window_height = side,
                               .window_width = side,
                               .heads = static_cast<std::size_t>(stages.heads.value.front())};
}

void read_swinv2(Reading& reading) {
  const Stages stages = read_stages(reading, 2);
  auto pretrained = reading.section.wholes("pretrained_window_sizes", 0, 4096);
  ModelEncoding& encoding = emit(reading, "swin_cpb");
  put_stages(encoding, stages);
  const Field<std::vector<std::int64_t>> sizes =
      pretrained.value_or(Field<std::vector<std::int64_t>>{
          std::vector<std::int64_t>(stages.windows.size(), 0), kClassDefault, ""});
  if (sizes.value.size() != stages.windows.size()) {
    fail(FindingCode::layer_list_length, sizes.path,
         {sizes.path, " must have an entry for each of the ", stages.windows.size(),
          " stages, got ", sizes.value.size()});
  }
  put(encoding, "pretrained_window", sizes);
  put(encoding, "output", "16 * sigmoid", kModelCode);
  put(encoding, "attention", "cosine", kModelCode);
  const auto side = static_cast<std::size_t>(stages.window.value);
  const auto trained = static_cast<std::size_t>(sizes.value.front());
  encoding.config = SwinCpbConfig{.window_height = side,
                                  .window_width = side,
                                  .pretrained_height = trained,
                                  .pretrained_width = trained,
                                  .heads = static_cast<std::size_t>(stages.heads.value.front())};
}

}  // namespace posenc::detail
