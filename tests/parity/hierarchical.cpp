#include "posenc/additive/hierarchical.hpp"

#include "cases.hpp"
#include "sizes.hpp"

namespace posenc::parity {
namespace {

template <class Call>
void for_each_case(Cases& cases, const Call& call) {
  constexpr double kAlphas[] = {0.4, 0, 0.5, -3, 0.999};
  std::size_t index = 0;
  for (const std::size_t dim : sizes_to(36, {128, 129, 257})) {
    for (std::size_t step = 0; step < 4; ++step, ++index) {
      const double alpha = turn(kAlphas, index);
      const std::size_t rows = 2 + index % 9, count = 1 + index % 5;
      const Label label = Label()("dim", dim)("rows", rows)("alpha", alpha);
      cases.add_stored(Label(label)("positions", count), [&](Case& one) {
        const Hierarchical encoding(
            {.rows = one.input("rows", {rows, dim}), .dim = dim, .alpha = alpha});
        const Positions positions =
            one.positions_between("positions", 0, encoding.max_positions() - 1, count);
        call(encoding, one, positions, count);
      });
    }
  }
}

void table(Cases& cases) {
  for_each_case(cases, [](const Hierarchical& encoding, Case& one, const Positions& positions,
                          std::size_t count) {
    one.succeed(encoding.table(positions, one.output("out", {count, encoding.config().dim})));
  });
}

void add(Cases& cases) {
  for_each_case(cases, [](const Hierarchical& encoding, Case& one, const Positions& positions,
                          std::size_t count) {
    one.succeed(encoding.add(positions, one.in_place("x", {count, encoding.config().dim})));
  });
}

}  // namespace

std::span<const Verb> hierarchical_verbs() {
  static constexpr Verb kVerbs[] = {{"hierarchical.table", table}, {"hierarchical.add", add}};
  return kVerbs;
}

}  // namespace posenc::parity
