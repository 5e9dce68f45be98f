#pragma once

// The cases of biases that are functions of positions: `distances` and `bias` have the same
// arguments in every encoding that has them.

#include "cases.hpp"
#include "sizes.hpp"

namespace posenc::parity {

struct FirstDistance {
  const char* name;
  std::int64_t value;
};
inline constexpr FirstDistance kFirstDistances[] = {
    {"-20", -20},
    {"0", 0},
    {"1", 1},
    {"-3", -3},
    {"-2^24", -(std::int64_t{1} << 24)},
    {"2^31", std::int64_t{1} << 31},
    {"-2^50", -kMaxPosition},
    {"2^50-64", kMaxPosition - 64},
};

/// `make(index)` gives a setting, `label(setting)` its label and `encoding(setting, case)` the
/// encoding, with `config().heads`.
template <class Make, class Name, class Encode>
void add_distances(Cases& cases, std::size_t settings, const Make& make, const Name& label,
                   const Encode& encode) {
  for (std::size_t index = 0; index < settings; ++index) {
    const auto setting = make(index);
    const FirstDistance& first = turn(kFirstDistances, index);
    const std::size_t count = 1 + index % 37;
    const Label name = Label(label(setting))("case", index)("first", first.name);
    cases.add_stored(Label(name)("count", count), [&](Case& one) {
      const auto encoding = encode(setting, one);
      const auto out = one.output("out", {encoding.config().heads, count});
      one.succeed(encoding.distances(first.value, out));
    });
  }
}

/// `call(encoding, case, queries, keys)` of the same; places are those that the encoding can take.
template <class Places, class Make, class Name, class Encode, class Call>
void add_pairs(Cases& cases, const Places& places, std::size_t settings, const Make& make,
               const Name& label, const Encode& encode, const Call& call) {
  for (std::size_t index = 0; index < settings; ++index) {
    const auto setting = make(index);
    const Place& place = turn(places, index);
    const Place& query_place = index % 3 == 0 ? turn(places, index / 3) : place;
    const std::size_t keys = 1 + index % 35, queries = 1 + index % 4;
    Label name = label(setting);
    name("case", index)("queries", queries)("from", query_place.name)("keys", keys)("at",
                                                                                    place.name);
    cases.add_stored(name, [&](Case& one) {
      const auto encoding = encode(setting, one);
      const Positions from = one.positions("queries", query_place, queries);
      const Positions to = one.positions("keys", place, keys);
      call(encoding, one, from, to);
    });
  }
}

/// The verb `bias` of all of them.
inline constexpr auto kCallBias = [](const auto& encoding, Case& one, const Positions& queries,
                                     const Positions& keys) {
  const auto out = one.output("out", {encoding.config().heads, queries.size(), keys.size()});
  one.succeed(encoding.bias(queries, keys, out));
};

}  // namespace posenc::parity
