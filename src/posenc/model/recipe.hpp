#pragma once

// Private: the code that makes an encoding, as data, for every language that posenc speaks.

#include <string>
#include <string_view>
#include <vector>

#include "posenc/model/encodings.hpp"

namespace posenc::detail {

/// A field of a config that is not at its default.
struct RecipeField {
  std::string_view name;
  Value value{};
  /// The enumeration that a word belongs to ("RopeLayout").
  std::string_view enumeration{};
  /// For a field that is a config itself: its class in C++ ("Llama3"), its `type` in JavaScript
  /// ("llama3") and its fields.
  std::string_view part_class{};
  std::string_view part_type{};
  std::vector<RecipeField> part{};
};

/// How an encoding is made.
struct Recipe {
  /// The class in C++ ("Rope"); empty when there is nothing to make.
  std::string_view class_name{};
  /// The function in JavaScript ("rope").
  std::string_view function{};
  std::vector<RecipeField> fields{};
  /// Fields that take trained weights.
  std::vector<std::string_view> weights{};
};

Recipe recipe_of(const EncodingConfig& config);

/// posenc::Rope rope({.head_dim = 128, ...});
std::string cpp_code(const Recipe& recipe);
/// posenc.rope({ headDim: 128, ... })
std::string javascript_code(const Recipe& recipe);
/// The config in JavaScript's names: {"headDim": 128, ...}.
Value javascript_config(const Recipe& recipe);
/// The fields that take trained weights, in JavaScript's names.
Value javascript_weights(const Recipe& recipe);

}  // namespace posenc::detail
