#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace posenc {

/// What can be wrong with, or worth saying about, a config.json. A closed list.
enum class FindingCode : std::uint8_t {
  // Errors: no encodings can be told.
  json_syntax,
  json_not_object,
  json_nonfinite,
  json_number_range,
  json_depth,
  limit,
  field_missing,
  field_type,
  field_range,
  field_value,
  model_type_unknown,
  position_type_unknown,
  layer_type_unknown,
  layer_list_length,
  not_divisible,
  rotary_odd,
  rope_type_unknown,
  rope_factor_length,
  mrope_section_sum,
  mrope_section_count,
  // Warnings: encodings are told, and something was assumed or ignored.
  default_used,
  field_ignored,
  duplicate_key,
  nonfinite_ignored,
  unknown_model_type_assumed,
  site_not_read,
  rope_type_conflict,
  rope_type_alias,
  rope_scaling_empty,
  rope_both_forms,
  factor_below_one,
  factor_length_mismatch,
  yarn_beta_order,
  mla_disabled,
  rounded_down,
  t5_buckets_odd,
  length_rule_not_applied,
};

/// "E_JSON_SYNTAX", ..., "W_DEFAULT_USED", ...
std::string_view code_name(FindingCode code) noexcept;

/// An error or a warning about a field of a config.json.
struct Finding {
  FindingCode code;
  /// Its path: "text_config.rope_scaling.factor", "layer_types[1]", "$" for the whole text.
  std::string field;
  /// A sentence with the value and what would be right.
  std::string message;
};

}  // namespace posenc
