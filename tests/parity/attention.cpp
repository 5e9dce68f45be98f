#include "posenc/attention/attention.hpp"

#include <cmath>
#include <limits>

#include "cases.hpp"
#include "sizes.hpp"

namespace posenc::parity {
namespace {

/// What is added to the scores.
enum class Terms : std::uint8_t { none, distances, bias, key_bias, all };
constexpr const char* kTermNames[] = {"none", "distances", "bias", "key_bias", "all"};

struct Heads {
  std::size_t queries, keys;
};
constexpr Heads kHeads[] = {{1, 0}, {4, 2}, {3, 1}, {2, 2}};

/// The scale of a case, NaN standing for the default.
constexpr double kDefaultScale = std::numeric_limits<double>::quiet_NaN();
constexpr double kScales[] = {kDefaultScale, 1, kDefaultScale, -0.5, kDefaultScale, 1e30};

struct QueryOffset {
  const char* name;
  std::optional<std::int64_t> value;
};
const QueryOffset kOffsets[] = {{"default", {}}, {"0", 0}, {"default", {}}, {"-2", -2}, {"7", 7}};

struct Setting {
  AttentionArgs args;
  Terms terms = Terms::none;
  Values values = Values::ordinary;
  bool probabilities = false;
  const char* offset = "";
};

Setting setting_of(std::size_t head_dim, std::size_t value_dim, std::size_t queries,
                   std::size_t keys, std::size_t index) {
  constexpr Values kValues[] = {Values::ordinary, Values::tiny, Values::rare};
  const Heads heads = turn(kHeads, index / 2);
  const double scale = turn(kScales, index);
  const QueryOffset& offset = turn(kOffsets, index / 3);
  Setting setting{.args = {.heads = heads.queries,
                           .kv_heads = heads.keys,
                           .query_count = queries,
                           .key_count = keys,
                           .head_dim = head_dim,
                           .value_dim = value_dim,
                           .causal = index / 7 % 2 == 0,
                           .query_offset = offset.value},
                  .terms = static_cast<Terms>(index % 5),
                  .values = turn(kValues, index / 5),
                  .probabilities = index / 2 % 2 == 0,
                  .offset = offset.name};
  if (!std::isnan(scale)) setting.args.scale = scale;
  return setting;
}

Label label_of(const Setting& setting) {
  constexpr const char* kValueNames[] = {"ordinary", "tiny", "rare"};
  const AttentionArgs& args = setting.args;
  Label label;
  label("heads", args.heads)("kv_heads", args.kv_heads)("queries", args.query_count);
  label("keys", args.key_count)("head_dim", args.head_dim)("value_dim", args.value_dim);
  args.scale ? label("scale", *args.scale) : label("scale", "default");
  label("causal", args.causal ? "yes" : "no")("offset", setting.offset);
  label("terms", kTermNames[static_cast<std::size_t>(setting.terms)]);
  label("values", kValueNames[static_cast<std::size_t>(setting.values)]);
  return label("probabilities", setting.probabilities ? "yes" : "no");
}

void add_terms(Case& one, Terms terms, AttentionArgs& args) {
  const auto queries = static_cast<std::int64_t>(args.query_count);
  const auto keys = static_cast<std::int64_t>(args.key_count);
  if (terms == Terms::distances || terms == Terms::all) {
    const std::int64_t offset = args.query_offset.value_or(keys - queries);
    args.terms.first_distance = -(offset + queries - 1) - 2;
    const std::size_t count = args.query_count + args.key_count + 3;
    args.terms.distances = one.input_floats("distances", {args.heads, count}, Values::ordinary);
  }
  if (terms == Terms::bias || terms == Terms::all) {
    args.terms.bias =
        one.input_floats("bias", {args.heads, args.query_count, args.key_count}, Values::masked);
  }
  if (terms == Terms::key_bias || terms == Terms::all) {
    args.terms.key_bias =
        one.input_floats("key_bias", {args.heads, args.key_count}, Values::masked);
  }
}

void add_case(Cases& cases, const Setting& setting) {
  cases.add_stored(label_of(setting), [&](Case& one) {
    AttentionArgs args = setting.args;
    const std::size_t kv_heads = args.kv_heads == 0 ? args.heads : args.kv_heads;
    const std::size_t queries = args.query_count, keys = args.key_count;
    const std::size_t value_dim = args.value_dim == 0 ? args.head_dim : args.value_dim;
    const auto q = one.input("q", {args.heads, queries, args.head_dim}, setting.values);
    const auto k = one.input("k", {kv_heads, keys, args.head_dim}, setting.values);
    const auto v = one.input("v", {kv_heads, keys, value_dim}, setting.values);
    add_terms(one, setting.terms, args);
    const std::size_t size = attention_workspace_size(args, v.type());
    const std::int64_t needed[] = {static_cast<std::int64_t>(size)};
    one.result("workspace_size", needed);
    const auto out = one.output("out", {args.heads, queries, value_dim});
    Floats probabilities;
    if (setting.probabilities) {
      probabilities = one.output("probabilities", {args.heads, queries, keys});
    }
    std::vector<float> workspace(size);
    one.succeed(attention(q, k, v, out, args, workspace, probabilities));
  });
}

void scores(Cases& cases) {
  for (std::size_t index = 0; index < 600; ++index) {
    const Setting setting = setting_of(1 + index % 35, 1, 1 + index % 4, index % 50, index);
    cases.add_stored(label_of(setting), [&](Case& one) {
      AttentionArgs args = setting.args;
      const std::size_t kv_heads = args.kv_heads == 0 ? args.heads : args.kv_heads;
      const auto q = one.input("q", {args.heads, args.query_count, args.head_dim}, setting.values);
      const auto k = one.input("k", {kv_heads, args.key_count, args.head_dim}, setting.values);
      add_terms(one, setting.terms, args);
      std::vector<float> workspace(attention_workspace_size(args));
      const auto out = one.output("out", {args.heads, args.query_count, args.key_count});
      one.succeed(attention_scores(q, k, out, args, workspace));
    });
  }
}

/// Each width in turn from 1 past twice the widest vector, the keys past three blocks.
void attention_cases(Cases& cases) {
  std::size_t index = 0;
  for (const std::size_t head_dim : sizes_to(36, {64, 100, 128})) {
    for (std::size_t step = 0; step < 15; ++step, ++index) {
      add_case(cases, setting_of(head_dim, 0, 2, 5 + index % 30, index));
    }
  }
  for (const std::size_t value_dim : sizes_to(36, {64, 100, 128})) {
    for (std::size_t step = 0; step < 15; ++step, ++index) {
      add_case(cases, setting_of(1 + index % 11, value_dim, 3, 3 + index % 19, index));
    }
  }
  for (const std::size_t keys : sizes_to(68, {0, 127, 128, 129, 300})) {
    for (std::size_t step = 0; step < 30; ++step, ++index) {
      add_case(cases, setting_of(1 + index % 9, 1 + index % 5, 1 + index % 6, keys, index));
    }
  }
}

}  // namespace

std::span<const Verb> attention_verbs() {
  static constexpr Verb kVerbs[] = {{"attention", attention_cases}, {"attention_scores", scores}};
  return kVerbs;
}

}  // namespace posenc::parity
