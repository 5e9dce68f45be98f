#pragma once

#include <cstdint>
#include <vector>

#include "cases.hpp"
#include "posenc/attention/attention.hpp"
#include "posenc/rotary/rope.hpp"

namespace posenc::parity {

/// Options of attention beside its shape, by the bits of a number, with the memory that they view.
struct AttentionOptions {
  std::vector<std::uint8_t> mask;
  std::vector<std::int32_t> index;
  std::vector<float> tables[4];

  /// 1 key mask, 2 window, 4 soft cap, 8 rotation, 16 relative keys, 32 queries, 64 values, 128
  /// biases of the query, 256 distances, 512 bias, 1024 key bias.
  static constexpr std::size_t kKinds = 2048;

  AttentionOptions(Case& one, std::size_t kinds, AttentionArgs& args) {
    if ((kinds & 1) != 0) add_mask(one, args);
    if ((kinds & 2) != 0) args.window = 1 + one.generator().below(2 * args.key_count + 3);
    if ((kinds & 4) != 0) args.softcap = one.generator().one_in(2) ? 30.0 : 0.25;
    if ((kinds & 8) != 0 && args.head_dim > 1) add_rotary(one, args);
    if ((kinds & 0xf0) != 0) add_relative(one, kinds, args);
    if ((kinds & 256) != 0) {
      args.terms.first_distance = first_distance(args);
      args.terms.distances =
          one.input_floats("distances", {args.heads, distances(args)}, Values::ordinary);
    }
    if ((kinds & 512) != 0) {
      args.terms.bias =
          one.input_floats("bias", {args.heads, args.query_count, args.key_count}, Values::masked);
    }
    if ((kinds & 1024) != 0) {
      args.terms.key_bias =
          one.input_floats("key_bias", {args.heads, args.key_count}, Values::masked);
    }
  }

  static std::size_t distances(const AttentionArgs& args) {
    return args.query_count + args.key_count + 1;
  }
  static std::int64_t first_distance(const AttentionArgs& args) {
    const auto queries = static_cast<std::int64_t>(args.query_count);
    const auto keys = static_cast<std::int64_t>(args.key_count);
    return -(args.query_offset.value_or(keys - queries) + queries);
  }

 private:
  void add_mask(Case& one, AttentionArgs& args) {
    for (std::size_t key = 0; key < args.key_count; ++key) {
      mask.push_back(one.generator().one_in(3) ? 0 : 1);
    }
    args.key_mask = mask;
  }

  void add_rotary(Case& one, AttentionArgs& args) {
    tests::Generator& random = one.generator();
    RotaryTables& rotary = args.rotary;
    rotary.rotary_dim = 2 * (1 + random.below(args.head_dim / 2));
    rotary.rotary_start = random.below(args.head_dim - rotary.rotary_dim + 1);
    rotary.layout = random.one_in(2) ? RopeLayout::half : RopeLayout::interleaved;
    const Rope rope({.head_dim = rotary.rotary_dim});
    const std::size_t pairs = rotary.rotary_dim / 2;
    const std::size_t rows[] = {args.query_count, args.key_count};
    for (std::size_t side = 0; side < 2; ++side) {
      std::vector<float>&cos = tables[2 * side], &sin = tables[2 * side + 1];
      cos.resize(rows[side] * pairs);
      sin.resize(rows[side] * pairs);
      one.succeed(rope.angles(Positions::from(100, rows[side]), cos, sin));
    }
    rotary.query_cos = tables[0];
    rotary.query_sin = tables[1];
    rotary.key_cos = tables[2];
    rotary.key_sin = tables[3];
  }

  void add_relative(Case& one, std::size_t kinds, AttentionArgs& args) {
    RelativeTerms& relative = args.terms.relative;
    const std::size_t rows = 1 + one.generator().below(20);
    const std::size_t owners = one.generator().one_in(2) ? 1 : args.heads;
    const std::size_t value_dim = args.value_dim == 0 ? args.head_dim : args.value_dim;
    for (std::size_t i = 0; i < distances(args); ++i) {
      index.push_back(static_cast<std::int32_t>(one.generator().below(rows + 1)) - 1);
      if (one.generator().one_in(2)) index.back() = index[i / 2];
    }
    relative.index = index;
    relative.first_distance = first_distance(args);
    relative.row_count = rows;
    const auto table = [&](const char* name, std::size_t width) {
      return one.input(name, {owners, rows, width}, Values::ordinary);
    };
    if ((kinds & 16) != 0) relative.keys = table("relative_keys", args.head_dim);
    if ((kinds & 32) != 0) relative.queries = table("relative_queries", args.head_dim);
    if ((kinds & 64) != 0) relative.values = table("relative_values", value_dim);
    if ((kinds & 128) == 0) return;
    relative.position_bias =
        one.input("position_bias", {args.heads, args.head_dim}, Values::ordinary);
    relative.content_bias =
        one.input("content_bias", {args.heads, args.head_dim}, Values::ordinary);
  }
};

/// A shape that grows with the index, blocks of queries and of keys past their ends.
inline AttentionArgs attention_shape(std::size_t index) {
  const std::size_t group = 1 + index % 3;
  AttentionArgs args{.heads = 2 * group,
                     .kv_heads = 2,
                     .query_count = 1 + index * 7 % 53,
                     .key_count = index * 5 % 71,
                     .head_dim = 1 + index * 3 % 37,
                     .value_dim = 1 + index * 11 % 35,
                     .causal = index / 3 % 2 == 0};
  if (index % 5 == 0) args.query_offset = static_cast<std::int64_t>(index % 11) - 3;
  return args;
}

inline Label attention_label(const AttentionArgs& args, std::size_t kinds) {
  Label label;
  label("heads", args.heads)("queries", args.query_count)("keys", args.key_count);
  label("head_dim", args.head_dim)("value_dim", args.value_dim);
  label("causal", args.causal ? "yes" : "no");
  label("offset", args.query_offset ? std::to_string(*args.query_offset).c_str() : "default");
  return label("options", kinds);
}

}  // namespace posenc::parity
