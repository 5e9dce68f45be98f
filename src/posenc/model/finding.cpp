#include "posenc/model/finding.hpp"

#include <cstddef>
#include <iterator>

namespace posenc {

std::string_view code_name(FindingCode code) noexcept {
  constexpr std::string_view kNames[] = {
      "E_JSON_SYNTAX",
      "E_JSON_NOT_OBJECT",
      "E_JSON_NONFINITE",
      "E_JSON_NUMBER_RANGE",
      "E_JSON_DEPTH",
      "E_LIMIT",
      "E_FIELD_MISSING",
      "E_FIELD_TYPE",
      "E_FIELD_RANGE",
      "E_FIELD_VALUE",
      "E_MODEL_TYPE_UNKNOWN",
      "E_POSITION_TYPE_UNKNOWN",
      "E_LAYER_TYPE_UNKNOWN",
      "E_LAYER_LIST_LENGTH",
      "E_NOT_DIVISIBLE",
      "E_ROTARY_ODD",
      "E_ROPE_TYPE_UNKNOWN",
      "E_ROPE_FACTOR_LENGTH",
      "E_MROPE_SECTION_SUM",
      "E_MROPE_SECTION_COUNT",
      "W_DEFAULT_USED",
      "W_FIELD_IGNORED",
      "W_DUPLICATE_KEY",
      "W_JSON_NONFINITE",
      "W_MODEL_TYPE_UNKNOWN_GENERIC",
      "W_SITE_NOT_READ",
      "W_ROPE_TYPE_CONFLICT",
      "W_ROPE_TYPE_ALIAS",
      "W_ROPE_SCALING_EMPTY",
      "W_ROPE_BOTH_FORMS",
      "W_FACTOR_LT_ONE",
      "W_FACTOR_LENGTH_MISMATCH",
      "W_YARN_BETA_ORDER",
      "W_MLA_DISABLED",
      "W_NOT_DIVISIBLE",
      "W_T5_BUCKETS_ODD",
      "W_LENGTH_RULE_NOT_APPLIED",
  };
  static_assert(std::size(kNames) ==
                static_cast<std::size_t>(FindingCode::length_rule_not_applied) + 1);
  return kNames[static_cast<std::size_t>(code)];
}

}  // namespace posenc
