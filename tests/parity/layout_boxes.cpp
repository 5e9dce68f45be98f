#include "posenc/additive/layout_boxes.hpp"

#include "cases.hpp"
#include "sizes.hpp"

namespace posenc::parity {
namespace {

constexpr std::int64_t kRows = 12;

/// Boxes whose corners and sides have rows.
std::vector<std::int32_t> boxes_of(std::size_t tokens, tests::Generator& generator) {
  std::vector<std::int32_t> boxes;
  for (std::size_t token = 0; token < tokens; ++token) {
    const std::int64_t x = generator.between(0, kRows - 1), y = generator.between(0, kRows - 1);
    for (const std::int64_t corner :
         {x, y, generator.between(x, kRows - 1), generator.between(y, kRows - 1)}) {
      boxes.push_back(static_cast<std::int32_t>(corner));
    }
  }
  return boxes;
}

template <class Call>
void for_each_case(Cases& cases, const Call& call) {
  for (const std::size_t dim : sizes_to(36, {128, 129, 257})) {
    for (const bool with_positions : {true, false}) {
      const std::size_t tokens = 1 + dim % 4;
      const Label label = Label()("dim", dim)("tokens", tokens);
      cases.add_stored(Label(label)("positions", with_positions ? "yes" : "no"), [&](Case& one) {
        const auto rows = [&](const char* name) { return one.input(name, {kRows, dim}); };
        LayoutBoxesConfig config{.dim = dim,
                                 .x_rows = rows("x_rows"),
                                 .y_rows = rows("y_rows"),
                                 .height_rows = rows("height_rows"),
                                 .width_rows = rows("width_rows")};
        if (with_positions) config.position_rows = rows("position_rows");
        const auto boxes = boxes_of(tokens, one.generator());
        Positions positions;
        if (with_positions) positions = one.positions_between("positions", 0, kRows - 1, tokens);
        call(LayoutBoxes(config), one, boxes, positions, tokens);
      });
    }
  }
}

void table(Cases& cases) {
  for_each_case(cases, [](const LayoutBoxes& encoding, Case& one, const auto& boxes,
                          const Positions& positions, std::size_t tokens) {
    const Floats out = one.output("out", {tokens, encoding.config().dim});
    one.succeed(encoding.table(boxes, positions, out));
  });
}

void add(Cases& cases) {
  for_each_case(cases, [](const LayoutBoxes& encoding, Case& one, const auto& boxes,
                          const Positions& positions, std::size_t tokens) {
    const Floats x = one.in_place("x", {tokens, encoding.config().dim});
    one.succeed(encoding.add(boxes, positions, x));
  });
}

}  // namespace

std::span<const Verb> layout_boxes_verbs() {
  static constexpr Verb kVerbs[] = {{"layout_boxes.table", table}, {"layout_boxes.add", add}};
  return kVerbs;
}

}  // namespace posenc::parity
