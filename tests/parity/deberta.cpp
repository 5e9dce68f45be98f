#include "posenc/relative/deberta.hpp"

#include "cases.hpp"
#include "sizes.hpp"

namespace posenc::parity {
namespace {

struct Setting {
  DebertaConfig config;
  bool norm, projections;
};

Setting setting_of(std::size_t head_dim, std::size_t index) {
  const bool buckets = index % 2 == 0;
  return {.config = {.heads = 1 + index % 2,
                     .head_dim = head_dim,
                     .c2p = index % 3 != 1,
                     .p2c = index % 3 != 2,
                     .position_buckets = buckets ? 2 * (2 + index % 9) : 0,
                     .max_relative_positions = buckets ? 128 + index % 50 : 1 + index % 20},
          .norm = index / 2 % 2 == 0,
          .projections = index / 4 % 2 == 0};
}

Label label_of(const Setting& setting) {
  const DebertaConfig& config = setting.config;
  Label label;
  label("heads", config.heads)("head_dim", config.head_dim)("c2p", config.c2p ? "yes" : "no");
  label("p2c", config.p2c ? "yes" : "no")("position_buckets", config.position_buckets);
  label("max_relative_positions", config.max_relative_positions);
  return label("norm", setting.norm ? "yes" : "no")("project", setting.projections ? "yes" : "no");
}

Deberta encoding_of(const Setting& setting, Case& one) {
  DebertaConfig config = setting.config;
  const std::size_t width = config.heads * config.head_dim;
  const std::size_t span =
      config.position_buckets != 0 ? config.position_buckets : config.max_relative_positions;
  const auto input = [&](const char* name, Case::Shape shape) {
    return one.input(name, shape, Values::tiny);
  };
  config.rel_embeddings = input("rel_embeddings", {2 * span, width});
  if (setting.norm) {
    config.norm_weight = input("norm_weight", {width});
    config.norm_bias = input("norm_bias", {width});
  }
  if (setting.projections) {
    config.pos_key = {input("key_weight", {width, width}), input("key_bias", {width})};
    config.pos_query = {input("query_weight", {width, width}), {}};
  }
  return Deberta(config);
}

void scores(Cases& cases) {
  std::size_t index = 0;
  for (const std::size_t head_dim : sizes_to(36, {64})) {
    for (std::size_t step = 0; step < 6; ++step, ++index) {
      const Setting setting = setting_of(head_dim, index);
      const std::size_t queries = 1 + index % 5, keys = 1 + index % 20;
      const Place& place = turn(kWholePlaces, index);
      const Label label = label_of(setting)("queries", queries)("keys", keys)("at", place.name);
      cases.add_stored(label, [&](Case& one) {
        const Deberta deberta = encoding_of(setting, one);
        const std::size_t heads = setting.config.heads;
        const auto rows = one.positions("queries", place, queries);
        const auto columns = one.positions("keys", place, keys);
        const auto q = one.input("q", {heads, queries, head_dim}, Values::tiny);
        const auto k = one.input("k", {heads, keys, head_dim}, Values::tiny);
        const auto out = one.output_floats("out", {heads, queries, keys});
        one.succeed(deberta.scores(q, k, rows, columns, out));
      });
    }
  }
}

void bucket(Cases& cases) {
  for (std::size_t index = 0; index < 60; ++index) {
    const Setting setting = setting_of(2, index);
    cases.add(label_of(setting), [&](Case& one) {
      const Deberta deberta = encoding_of(setting, one);
      std::vector<std::int64_t> buckets;
      for (std::int64_t distance = -300; distance <= 300; ++distance) {
        buckets.push_back(deberta.bucket(distance));
      }
      one.result("buckets", buckets);
    });
  }
}

using Lookup = Status (Deberta::*)(const Positions&, const Positions&,
                                   std::span<std::int32_t>) const noexcept;

/// A number for each query and key.
void look_up(Cases& cases, const char* name, Lookup lookup) {
  for (std::size_t index = 0; index < 60; ++index) {
    const Setting setting = setting_of(2, index);
    const std::size_t queries = 1 + index % 5, keys = 1 + index % 20;
    const Place& place = turn(kWholePlaces, index);
    cases.add(label_of(setting)("queries", queries)("keys", keys)("at", place.name),
              [&](Case& one) {
                const Deberta deberta = encoding_of(setting, one);
                const auto lines = one.positions("queries", place, queries);
                const auto columns = one.positions("keys", place, keys);
                std::vector<std::int32_t> numbers(queries * keys);
                one.succeed((deberta.*lookup)(lines, columns, numbers));
                one.result(name, numbers);
              });
  }
}

void relative_positions(Cases& cases) { look_up(cases, "buckets", &Deberta::relative_positions); }

void index(Cases& cases) { look_up(cases, "rows", &Deberta::index); }

void tables(Cases& cases) {
  std::size_t index = 0;
  for (const std::size_t head_dim : sizes_to(36, {64})) {
    const Setting setting = setting_of(head_dim, index++);
    cases.add(label_of(setting), [&](Case& one) {
      const Deberta deberta = encoding_of(setting, one);
      const DebertaConfig& config = deberta.config();
      const auto output = [&](const char* name, bool wanted) {
        const std::size_t rows = wanted ? 2 * config.att_span : 0;
        return one.output_floats(name, {config.heads, rows, head_dim});
      };
      const std::span<float> keys = output("keys", config.c2p);
      one.succeed(deberta.tables(keys, output("queries", config.p2c)));
    });
  }
}

}  // namespace

std::span<const Verb> deberta_verbs() {
  static constexpr Verb kVerbs[] = {{"deberta.scores", scores},
                                    {"deberta.bucket", bucket},
                                    {"deberta.relative_positions", relative_positions},
                                    {"deberta.index", index},
                                    {"deberta.tables", tables}};
  return kVerbs;
}

}  // namespace posenc::parity
