#include "posenc/relative/cope.hpp"

#include "cases.hpp"
#include "sizes.hpp"

namespace posenc::parity {
namespace {

struct Setting {
  std::size_t head_dim, max_pos, heads, queries, keys;
  bool causal;
};

/// `call(encoding, setting, case, logits, queries, keys)`
template <class Call>
void for_each_case(Cases& cases, const Call& call) {
  std::size_t index = 0;
  for (const std::size_t size : sizes_to(36, {64})) {
    for (std::size_t step = 0; step < 4; ++step, ++index) {
      const bool wide = step % 2 == 0;
      const Setting setting{.head_dim = wide ? size : 1 + index % 9,
                            .max_pos = wide ? 1 + index % 20 : size,
                            .heads = 1 + index % 3,
                            .queries = 1 + index % 4,
                            .keys = wide ? 1 + index % 12 : size,
                            .causal = step < 2};
      Label label;
      label("head_dim", setting.head_dim)("max_pos", setting.max_pos)("heads", setting.heads);
      label("queries", setting.queries)("keys", setting.keys);
      cases.add_stored(label("causal", setting.causal ? "yes" : "no"), [&](Case& one) {
        const Cope cope(
            {.head_dim = setting.head_dim,
             .max_pos = setting.max_pos,
             .table = one.input("table", {setting.max_pos, setting.head_dim}, Values::tiny),
             .causal = setting.causal});
        const auto logits =
            one.input("logits", {setting.heads, setting.queries, setting.keys}, Values::tiny);
        const auto last = static_cast<std::int64_t>(setting.keys);
        call(cope, setting, one, logits, Positions::from(last / 2, setting.queries),
             Positions::from(0, setting.keys));
      });
    }
  }
}

void positions(Cases& cases) {
  for_each_case(cases, [](const Cope& cope, const Setting& setting, Case& one, ConstFloats logits,
                          const Positions& queries, const Positions& keys) {
    const auto out = one.output("out", {setting.heads, setting.queries, setting.keys});
    one.succeed(cope.positions(logits, queries, keys, out));
  });
}

void scores(Cases& cases) {
  for_each_case(cases, [](const Cope& cope, const Setting& setting, Case& one, ConstFloats logits,
                          const Positions& queries, const Positions& keys) {
    const auto q = one.input("q", {setting.heads, setting.queries, setting.head_dim}, Values::tiny);
    const auto out = one.output_floats("out", {setting.heads, setting.queries, setting.keys});
    one.succeed(cope.scores(q, logits, queries, keys, out));
  });
}

}  // namespace

std::span<const Verb> cope_verbs() {
  static constexpr Verb kVerbs[] = {{"cope.positions", positions}, {"cope.scores", scores}};
  return kVerbs;
}

}  // namespace posenc::parity
