#include "posenc/additive/multiscale.hpp"

#include "cases.hpp"
#include "sizes.hpp"

namespace posenc::parity {
namespace {

template <class Call>
void for_each_case(Cases& cases, const Call& call) {
  constexpr double kBases[] = {10000, 100, 1, 1e6};
  constexpr double kScales[] = {1, 0.5, -2, 0.1};
  std::size_t index = 0;
  for (const std::size_t pairs : sizes_to(34, {64, 65})) {
    for (std::size_t step = 0; step < 8; ++step, ++index) {
      const bool sum = index % 2 == 0, interleaved = index / 2 % 2 == 0;
      const std::size_t levels = 1 + index % 3, tokens = 1 + index % 4;
      std::vector<MultiscaleLevel> list;
      for (std::size_t level = 0; level < levels; ++level) {
        list.push_back({.dim = 2 * (sum ? pairs : pairs + level),
                        .base = turn(kBases, index + level),
                        .scale = turn(kScales, index / 4 + level)});
      }
      const Place& place = turn(kPlaces, index / 2);
      Label label;
      label("pairs", pairs)("levels", levels)("tokens", tokens)("at", place.name);
      label("combine", sum ? "sum" : "concatenate")("interleaved", interleaved ? "yes" : "no");
      label("base", list[0].base)("scale", list[0].scale);
      cases.add_stored(label, [&](Case& one) {
        const Multiscale encoding(
            {.levels = list,
             .combine = sum ? MultiscaleCombine::sum : MultiscaleCombine::concatenate,
             .interleaved = interleaved});
        std::vector<Positions> positions;
        for (std::size_t level = 0; level < levels; ++level) {
          positions.push_back(one.positions("positions", place, tokens));
        }
        call(encoding, one, positions, tokens);
      });
    }
  }
}

void table(Cases& cases) {
  for_each_case(
      cases, [](const Multiscale& encoding, Case& one, const auto& positions, std::size_t tokens) {
        one.succeed(encoding.table(positions, one.output("out", {tokens, encoding.dim()})));
      });
}

void add(Cases& cases) {
  for_each_case(
      cases, [](const Multiscale& encoding, Case& one, const auto& positions, std::size_t tokens) {
        one.succeed(encoding.add(positions, one.in_place("x", {tokens, encoding.dim()})));
      });
}

}  // namespace

std::span<const Verb> multiscale_verbs() {
  static constexpr Verb kVerbs[] = {{"multiscale.table", table}, {"multiscale.add", add}};
  return kVerbs;
}

}  // namespace posenc::parity
