#include "posenc/interpolate/interpolate.hpp"

#include "cases.hpp"
#include "sizes.hpp"

namespace posenc::parity {
namespace {

/// The forms that checkpoints were trained with.
struct Form {
  const char* name;
  InterpolateConfig config;
};
const Form kForms[] = {
    {"cubic", {}},
    {"cubic-antialias", {.antialias = true}},
    {"cubic-offset", {.size_offset = 0.1}},
    {"linear", {.mode = InterpolationMode::linear}},
    {"linear-corners", {.mode = InterpolationMode::linear, .align_corners = true}},
    {"linear-antialias", {.mode = InterpolationMode::linear, .antialias = true}},
    {"geometric",
     {.mode = InterpolationMode::linear, .spacing = GridSpacing::geometric, .suffix_rows = 3}},
};

struct Sides {
  std::size_t from_height, from_width, to_height, to_width;
};
constexpr Sides kSides[] = {{3, 3, 5, 5},  {5, 7, 3, 9},   {1, 1, 3, 3}, {9, 5, 9, 5},
                            {7, 1, 13, 1}, {13, 13, 7, 7}, {3, 5, 1, 1}};

void apply(Cases& cases) {
  std::size_t index = 0;
  for (const std::size_t dim : sizes_to(36, {63, 64, 65, 130})) {
    for (const Form& form : kForms) {
      const Sides& sides = turn(kSides, index++);
      InterpolateConfig config = form.config;
      config.from_height = sides.from_height;
      config.from_width = sides.from_width;
      config.to_height = sides.to_height;
      config.to_width = sides.to_width;
      config.dim = dim;
      config.prefix_rows = index % 2;
      if (!check(config).ok()) continue;
      Label label;
      label("dim", dim)("form", form.name)("from_height", config.from_height);
      label("from_width", config.from_width)("to_height", config.to_height);
      label("to_width", config.to_width)("prefix_rows", config.prefix_rows);
      cases.add_stored(label, [&](Case& one) {
        const Interpolate interpolate(config);
        const std::size_t more = config.prefix_rows + config.suffix_rows;
        const auto table =
            one.input("table", {more + sides.from_height * sides.from_width, dim}, Values::rare);
        std::vector<double> workspace(interpolate.workspace_size());
        const auto out = one.output("out", {more + sides.to_height * sides.to_width, dim});
        one.succeed(interpolate.apply(table, workspace, out));
      });
    }
  }
}

}  // namespace

std::span<const Verb> interpolate_verbs() {
  static constexpr Verb kVerbs[] = {{"interpolate.apply", apply}};
  return kVerbs;
}

}  // namespace posenc::parity
