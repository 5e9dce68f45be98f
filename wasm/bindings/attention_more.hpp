#pragma once

#include "attention_call.hpp"

namespace posenc::wasm {

/// What posenc/all's attention takes beside an AttentionCall; absent buffers have address and count
/// 0.
struct AttentionMore {
  std::size_t window;
  double softcap;
  Values key_mask;
  Values query_cos, query_sin, key_cos, key_sin;
  std::size_t rotary_dim, rotary_start;
  unsigned rotary_layout;
  Values relative_index;
  double relative_first_distance;
  std::size_t row_count;
  Values relative_keys, relative_queries, relative_values, position_bias, content_bias;
};

inline AttentionArgs attention_args(const AttentionCall& call, const AttentionMore& more) {
  const auto table = [](const Values& x) { return float32(x.address, x.count); };
  const auto rows = [](const Values& x) { return floats(x.address, x.count); };
  AttentionArgs args = attention_args(call);
  args.window = more.window;
  args.softcap = more.softcap;
  args.key_mask = span_of<const std::uint8_t>(more.key_mask.address, more.key_mask.count);
  args.rotary = {.query_cos = table(more.query_cos),
                 .query_sin = table(more.query_sin),
                 .key_cos = table(more.key_cos),
                 .key_sin = table(more.key_sin),
                 .rotary_dim = more.rotary_dim,
                 .rotary_start = more.rotary_start,
                 .layout = static_cast<RopeLayout>(more.rotary_layout)};
  args.terms.relative = {
      .index = span_of<const std::int32_t>(more.relative_index.address, more.relative_index.count),
      .first_distance = static_cast<std::int64_t>(more.relative_first_distance),
      .row_count = more.row_count,
      .keys = rows(more.relative_keys),
      .queries = rows(more.relative_queries),
      .values = rows(more.relative_values),
      .position_bias = rows(more.position_bias),
      .content_bias = rows(more.content_bias)};
  return args;
}

}  // namespace posenc::wasm
