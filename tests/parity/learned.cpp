#include "posenc/additive/learned.hpp"

#include "cases.hpp"
#include "sizes.hpp"

namespace posenc::parity {
namespace {

constexpr std::size_t kRows = 11;

/// `call(encoding, case, positions, count)` for every width and both offsets of published models.
template <class Call>
void for_each_case(Cases& cases, const Call& call) {
  for (const std::size_t dim : sizes_to(68, {127, 128, 129, 255, 256, 257})) {
    for (const std::int64_t offset : {0, 2}) {
      for (const std::size_t count : sizes_to(0, {1, 3, 8})) {
        cases.add_stored(
            Label()("dim", dim)("row_offset", offset)("positions", count), [&](Case& one) {
              const auto rows = one.input("rows", {kRows, dim});
              const Learned encoding({.rows = rows, .dim = dim, .row_offset = offset});
              const Positions positions =
                  one.positions_between("positions", -offset, encoding.max_positions() - 1, count);
              call(encoding, one, positions, count);
            });
      }
    }
  }
}

void table(Cases& cases) {
  for_each_case(
      cases, [](const Learned& encoding, Case& one, const Positions& positions, std::size_t count) {
        one.succeed(encoding.table(positions, one.output("out", {count, encoding.config().dim})));
      });
}

void add(Cases& cases) {
  for_each_case(
      cases, [](const Learned& encoding, Case& one, const Positions& positions, std::size_t count) {
        one.succeed(encoding.add(positions, one.in_place("x", {count, encoding.config().dim})));
      });
}

}  // namespace

std::span<const Verb> learned_verbs() {
  static constexpr Verb kVerbs[] = {{"learned.table", table}, {"learned.add", add}};
  return kVerbs;
}

}  // namespace posenc::parity
