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

void scatter(Cases& cases) {
  for (const std::size_t dim : sizes_to(36, {128, 129, 257})) {
    for (const double scale : {1.0, 0.125, 0.1}) {
      const std::size_t count = 1 + dim % 7;
      cases.add_stored(Label()("dim", dim)("scale", scale)("positions", count), [&](Case& one) {
        const auto rows = one.input("rows", {kRows, dim});
        const Learned encoding({.rows = rows, .dim = dim, .scale = scale, .padding_row = 1});
        const Positions positions = one.positions_between("positions", 0, 4, count);
        const auto gradient = one.input("gradient", {count, dim}, Values::rare);
        const auto sums = one.in_place_floats("rows_gradient", {kRows, dim}, Values::tiny);
        one.succeed(encoding.scatter(positions, gradient, sums));
      });
    }
  }
}

/// Rows that are scaled before they are added.
void scaled(Cases& cases) {
  for (const std::size_t dim : sizes_to(36, {128, 129, 257})) {
    const double scale = dim % 2 == 0 ? 0.1 : -3.0;
    cases.add_stored(Label()("dim", dim)("scale", scale), [&](Case& one) {
      const auto rows = one.input("rows", {kRows, dim});
      const Learned encoding({.rows = rows, .dim = dim, .scale = scale});
      const Positions positions = one.positions_between("positions", 0, 9, 3);
      one.succeed(encoding.table(positions, one.output("out", {3, dim})));
      one.succeed(encoding.add(positions, one.in_place("x", {3, dim})));
    });
  }
}

}  // namespace

std::span<const Verb> learned_verbs() {
  static constexpr Verb kVerbs[] = {{"learned.table", table},
                                    {"learned.add", add},
                                    {"learned.scatter", scatter},
                                    {"learned.scaled", scaled}};
  return kVerbs;
}

}  // namespace posenc::parity
