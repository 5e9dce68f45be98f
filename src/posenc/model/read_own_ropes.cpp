// Rules of models that tell of their ropes in their own way, or have ALiBi in its place.

#include "posenc/model/emit.hpp"
#include "posenc/model/rope_parts.hpp"

namespace posenc::detail {

void read_chatglm(Reading& reading) {
  const Section& section = reading.section;
  const auto head_dim = read_head_dim(section, reading.type, "kv_channels", 128);
  const auto ratio = section.number("rope_ratio", 1.0, 1e-3, 1e20);
  const auto original = section.flag("original_rope", true);
  RopeParts parts{.head_dim = head_dim,
                  .rotary_dim = {head_dim.value / 2, derived("half of head_dim"), head_dim.path},
                  .base = {10000.0 * ratio.value, derived("10000 * rope_ratio"), ratio.path},
                  .layout = {original.value ? RopeLayout::interleaved : RopeLayout::half,
                             original.source, original.path}};
  parts.max_position = read_max_position(reading);
  if (parts.rotary_dim.value % 2 != 0) {
    fail(FindingCode::rotary_odd, head_dim.path,
         {head_dim.path, " must be divisible by 4, got ", head_dim.value});
  }
  emit_rope(reading, parts, {});
}

void read_qwen(Reading& reading) {
  read_rope(reading);
  if (!reading.section.flag("use_dynamic_ntk", true).value) return;
  reading.section.warn(FindingCode::length_rule_not_applied, "use_dynamic_ntk",
                       {"beyond seq_length the base grows by max(2^ceil(log2(length / seq_length) "
                        "+ 1) - 1, 1), which is told here only"});
}

void read_falcon(Reading& reading) {
  if (reading.section.flag("alibi", false).value) {
    read_alibi(reading);
  } else {
    read_rope(reading);
  }
}

void read_baichuan(Reading& reading) {
  // One model type for two sizes: 7B has a rope, 13B (40 heads of 128) has ALiBi.
  const auto hidden =
      reading.section.shape(reading.type.spelling.hidden, reading.type.shape.hidden);
  if (hidden.value == 4096) {
    read_rope(reading);
  } else {
    read_alibi(reading);
  }
}

void read_dbrx(Reading& reading) {
  const Section& section = reading.section;
  const auto attention = section.section_or_empty("attn_config");
  const auto head_dim = read_head_dim(section, reading.type, "", 0);
  RopeParts parts{.head_dim = head_dim,
                  .rotary_dim = {head_dim.value, derived("head_dim"), head_dim.path},
                  .base = attention.number("rope_theta", reading.type.rope.base, 1.0, kMaxBase),
                  .layout = {RopeLayout::half, kModelCode, ""}};
  parts.max_position = read_max_position(reading);
  emit_rope(reading, parts, {});
}

}  // namespace posenc::detail
