#include "posenc/model/value.hpp"

#include <cmath>
#include <cstdio>
#include <utility>

#include "posenc/core/check.hpp"

namespace posenc {
namespace {

void append_string(std::string& text, std::string_view value) {
  text += '"';
  for (const char c : value) {
    if (c == '"' || c == '\\') {
      text += '\\';
      text += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      text += escape;
    } else {
      text += c;
    }
  }
  text += '"';
}

void append_number(std::string& text, double value) {
  constexpr double kWhole = 1e15;  // beyond it %g has an exponent anyway
  if (value == std::floor(value) && std::fabs(value) < kWhole) {
    text += std::to_string(static_cast<std::int64_t>(value));
  } else {
    text += std::isfinite(value) ? detail::NumberText(value).c_str() : "null";
  }
}

}  // namespace

Value::Value() noexcept = default;
Value::Value(bool value) noexcept : value_(value) {}
Value::Value(std::int64_t value) noexcept : value_(value) {}
Value::Value(int value) noexcept : value_(static_cast<std::int64_t>(value)) {}
Value::Value(double value) noexcept : value_(value) {}
Value::Value(std::string value) noexcept : value_(std::move(value)) {}
Value::Value(std::string_view value) : value_(std::string(value)) {}
Value::Value(const char* value) : value_(std::string(value)) {}
Value::Value(const Value& other) = default;
Value::Value(Value&& other) noexcept = default;
Value& Value::operator=(const Value& other) = default;
Value& Value::operator=(Value&& other) noexcept = default;
Value::~Value() = default;
Value::Value(Array value) noexcept : value_(std::move(value)) {}
Value::Value(Object value) noexcept : value_(std::move(value)) {}

const Value* Value::find(std::string_view key) const noexcept {
  const auto* object = get_if<Object>();
  if (object == nullptr) return nullptr;
  for (const Member& member : *object) {
    if (member.key == key) return &member.value;
  }
  return nullptr;
}

std::string_view Value::kind() const noexcept {
  constexpr std::string_view kKinds[] = {"null",     "true or false", "a number", "a number",
                                         "a string", "an array",      "an object"};
  return kKinds[value_.index()];
}

void Value::append_json(std::string& text) const {
  if (is_null()) {
    text += "null";
  } else if (const bool* flag = get_if<bool>()) {
    text += *flag ? "true" : "false";
  } else if (const auto* whole = get_if<std::int64_t>()) {
    text += std::to_string(*whole);
  } else if (const double* number = get_if<double>()) {
    append_number(text, *number);
  } else if (const auto* string = get_if<std::string>()) {
    append_string(text, *string);
  } else if (const auto* array = get_if<Array>()) {
    const char* separator = "[";
    for (const Value& item : *array) {
      text += separator;
      item.append_json(text);
      separator = ",";
    }
    text += array->empty() ? "[]" : "]";
  } else if (const auto* object = get_if<Object>()) {
    const char* separator = "{";
    for (const Member& member : *object) {
      text += separator;
      append_string(text, member.key);
      text += ':';
      member.value.append_json(text);
      separator = ",";
    }
    text += object->empty() ? "{}" : "}";
  }
}

}  // namespace posenc
