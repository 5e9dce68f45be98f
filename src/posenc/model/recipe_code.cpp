// A recipe as code.

#include <string>

#include "posenc/model/recipe.hpp"

namespace posenc::detail {
namespace {

/// head_dim -> headDim
std::string camel_case(std::string_view name) {
  std::string result;
  bool upper = false;
  for (const char c : name) {
    if (c == '_') {
      upper = true;
    } else {
      result += upper && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
      upper = false;
    }
  }
  return result;
}

void append_cpp_value(std::string& code, const Value& value) {
  const auto* array = value.get_if<Value::Array>();
  if (array == nullptr) {
    value.append_json(code);
    return;
  }
  const char* separator = "{";
  for (const Value& item : *array) {
    code += separator;
    item.append_json(code);
    separator = ", ";
  }
  code += '}';
}

void append_cpp_fields(std::string& code, const std::vector<RecipeField>& fields) {
  const char* separator = "{.";
  for (const RecipeField& field : fields) {
    code.append(separator).append(field.name).append(" = ");
    if (!field.part_class.empty()) {
      code.append("posenc::").append(field.part_class);
      append_cpp_fields(code, field.part);
    } else if (!field.enumeration.empty()) {
      const auto* word = field.value.get_if<std::string>();
      code.append("posenc::").append(field.enumeration).append("::").append(*word);
    } else {
      append_cpp_value(code, field.value);
    }
    separator = ", .";
  }
  code += fields.empty() ? "{}" : "}";
}

Value config_of(const std::vector<RecipeField>& fields, std::string_view type) {
  Value::Object config;
  if (!type.empty()) config.push_back({"type", type});
  for (const RecipeField& field : fields) {
    config.push_back({camel_case(field.name), field.part_class.empty()
                                                  ? field.value
                                                  : config_of(field.part, field.part_type)});
  }
  return config;
}

/// JSON in the way in which JavaScript is written: { headDim: 128, layout: "half" }
void append_javascript(std::string& code, const Value& value) {
  const auto* object = value.get_if<Value::Object>();
  if (object == nullptr) {
    value.append_json(code);
    return;
  }
  const char* separator = "{ ";
  for (const Member& member : *object) {
    code.append(separator).append(member.key).append(": ");
    append_javascript(code, member.value);
    separator = ", ";
  }
  code += object->empty() ? "{}" : " }";
}

}  // namespace

std::string cpp_code(const Recipe& recipe) {
  std::string code = "posenc::";
  code.append(recipe.class_name).append(" encoding(");
  std::vector<RecipeField> fields = recipe.fields;
  append_cpp_fields(code, fields);
  return code + ");";
}

Value javascript_config(const Recipe& recipe) { return config_of(recipe.fields, ""); }

Value javascript_weights(const Recipe& recipe) {
  Value::Array names;
  for (const std::string_view name : recipe.weights) names.push_back(camel_case(name));
  return names;
}

std::string javascript_code(const Recipe& recipe) {
  std::string code = "posenc.";
  code.append(recipe.function).append("(");
  append_javascript(code, javascript_config(recipe));
  return code + ")";
}

}  // namespace posenc::detail
