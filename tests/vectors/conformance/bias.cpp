#include <algorithm>

#include "conformance/families.hpp"
#include "posenc/bias/alibi.hpp"
#include "posenc/bias/t5.hpp"

namespace posenc::conformance {
namespace {

/// The rule of every published checkpoint, BLOOM's and MPT's alike.
Alibi alibi_of(Case& c, AlibiForm form = AlibiForm::causal) {
  c.one_of("order", {"paper/BLOOM", "MPT"});
  AlibiConfig config{.heads = c.size("heads"), .form = form};
  if (c.has("alibi_bias_max")) config.alibi_bias_max = c.number("alibi_bias_max");
  return Alibi(config);
}

void slopes(Case& c) {
  const Alibi alibi = alibi_of(c);
  c.output("slopes", {alibi.slopes().size()}, alibi.slopes());
}

/// Queries come last among the keys unless query_offset says otherwise.
struct Scores {
  std::size_t queries;
  std::size_t keys;
  std::int64_t offset;
};

Scores scores_of(Case& c) {
  const std::size_t queries = c.size("query_len");
  const std::size_t keys = c.size("key_len");
  const auto last = static_cast<std::int64_t>(keys) - static_cast<std::int64_t>(queries);
  return {queries, keys, c.whole_or("query_offset", last)};
}

template <class Encoding>
void write_bias(Case& c, const Encoding& encoding) {
  const auto [queries, keys, offset] = scores_of(c);
  const Shape shape{encoding.config().heads, queries, keys};
  std::vector<float> bias = c.room(shape);
  encoding.bias(Positions::from(offset, queries), Positions::from(0, keys), bias).or_throw();
  c.output("bias", shape, bias);
}

void bias_symmetric(Case& c) {
  c.one_of("form", {"symmetric"});
  write_bias(c, alibi_of(c, AlibiForm::symmetric));
}

void bias_causal(Case& c) {
  c.one_of("form", {"causal"});
  write_bias(c, alibi_of(c));
}

/// Positions that do not count masked keys: (running sum of the mask - 1) * mask.
std::vector<std::int64_t> unmasked_positions(std::span<const std::int64_t> mask) {
  std::vector<std::int64_t> positions;
  std::int64_t sum = 0;
  for (const std::int64_t kept : mask) {
    sum += kept;
    positions.push_back((sum - 1) * kept);
  }
  return positions;
}

/// One row of keys per head: [heads, keys], or with a mask [batch * heads, 1, keys].
void bias_bloom(Case& c) {
  c.one_of("form", {"slope*key_index (translation-equivalent to causal form under softmax)",
                    "(cumsum(mask)-1)*mask * slope"});
  const Alibi alibi = alibi_of(c);
  const std::size_t heads = alibi.config().heads;
  const std::size_t keys = c.size("key_len");
  if (!c.has_input("attention_mask")) {
    std::vector<float> bias = c.room({heads, keys});
    alibi.key_bias(Positions::from(0, keys), bias).or_throw();
    return c.output("bias", {heads, keys}, bias);
  }
  const Tensor mask = c.input("attention_mask");
  if (mask.shape.size() != 2 || mask.shape[1] != keys) {
    malformed("input \"attention_mask\" must have the shape [batch, key_len]");
  }
  const std::vector<std::int64_t> kept = c.whole_input("attention_mask");
  const std::size_t batch = mask.shape[0];
  std::vector<float> bias = c.room({batch, heads, keys});
  for (std::size_t b = 0; b < batch; ++b) {
    const std::vector<std::int64_t> positions =
        unmasked_positions(std::span(kept).subspan(b * keys, keys));
    alibi
        .key_bias(Positions::of(std::span(positions)),
                  std::span(bias).subspan(b * heads * keys, heads * keys))
        .or_throw();
  }
  c.output("bias", {batch * heads, 1, keys}, bias);
}

/// MPT's row of keys ends at 0: positions 1 - keys to 0.
void bias_mpt(Case& c) {
  c.one_of("form", {"slope*(key_index-(L-1))"});
  const Alibi alibi = alibi_of(c);
  const std::size_t keys = c.size("key_len");
  const Shape shape{alibi.config().heads, 1, keys};
  std::vector<float> bias = c.room(shape);
  alibi.key_bias(Positions::from(1 - static_cast<std::int64_t>(keys), keys), bias).or_throw();
  c.output("bias", shape, bias);
}

/// Falcon's row of keys, in bfloat16 throughout.
void bias_falcon(Case& c) {
  c.describes({"note"});
  const Alibi alibi = alibi_of(c);
  const std::size_t keys = c.size("key_len");
  const Shape shape{alibi.config().heads, keys};
  std::vector<float> bias = c.room(shape);
  alibi.falcon_key_bias(Positions::from(0, keys), bias).or_throw();
  c.output("bias", shape, bias);
}

T5Config t5_of(Case& c, std::size_t heads) {
  return {.heads = heads,
          .bidirectional = c.flag("bidirectional"),
          .num_buckets = c.size("num_buckets"),
          .max_distance = static_cast<std::int64_t>(c.size("max_distance"))};
}

void t5_bucket(Case& c) {
  const T5 t5(t5_of(c, 1));
  const Shape shape = c.input("relative_position").shape;
  std::vector<double> buckets;
  for (const std::int64_t distance : c.whole_input("relative_position")) {
    buckets.push_back(t5.bucket(distance));
  }
  c.output("bucket", shape, buckets);
}

void t5_bias(Case& c) {
  T5Config config = t5_of(c, c.size("heads"));
  const Tensor table = c.input("table", {config.num_buckets, config.heads});
  config.table = table.values;
  write_bias(c, T5(config));
}

constexpr Family kFamilies[] = {
    {"slopes_paper", slopes},     {"slopes_mpt", slopes},   {"bias_falcon", bias_falcon},
    {"bias_bloom", bias_bloom},   {"bias_mpt", bias_mpt},   {"bias_symmetric", bias_symmetric},
    {"bias_causal", bias_causal}, {"t5_bucket", t5_bucket}, {"t5_bias", t5_bias},
};

}  // namespace

std::span<const Family> bias_families() { return kFamilies; }

}  // namespace posenc::conformance
