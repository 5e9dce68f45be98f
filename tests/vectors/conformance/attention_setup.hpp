#pragma once

#include <cstdint>
#include <vector>

#include "conformance/case.hpp"
#include "posenc/attention/attention.hpp"
#include "posenc/bias/t5.hpp"

namespace posenc::conformance {

/// The args of an attention case with the memory that they view: masks, terms of alibi and t5,
/// rotary tables, Shaw's rows.
struct AttentionSetup {
  explicit AttentionSetup(Case& c);
  AttentionSetup(const AttentionSetup&) = delete;

  AttentionArgs args;
  Tensor q, k, v;

  Shape out_shape() const { return {args.heads, args.query_count, args.value_dim}; }
  Shape score_shape() const { return {args.heads, args.query_count, args.key_count}; }

  /// The config of t5, without its table.
  const T5Config& t5_config() const { return t5_; }

  /// The first distance, key - query, of `distances` and of Shaw's index, and how many there are.
  std::int64_t first_distance() const;
  std::size_t distance_count() const { return args.query_count + args.key_count; }

 private:
  void add_mask(Case& c);
  void add_alibi(Case& c);
  void add_t5(Case& c);
  void add_shaw(Case& c);
  void add_rope(Case& c);
  void set_scale(Case& c);

  std::vector<std::uint8_t> mask_;
  std::vector<float> distances_, key_bias_;
  std::vector<float> query_cos_, query_sin_, key_cos_, key_sin_;
  std::vector<std::int32_t> index_;
  Tensor relative_keys_, relative_values_;
  T5Config t5_;
};

}  // namespace posenc::conformance
