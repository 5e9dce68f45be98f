#include "posenc/model/section.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "posenc/core/check.hpp"

namespace posenc::detail {
namespace {

const Value kEmpty{Value::Object{}};

Source from_config(std::string path) { return {Source::Kind::config, std::move(path)}; }
Source class_default() { return {Source::Kind::class_default, ""}; }

[[noreturn]] void wrong_type(const std::string& path, std::string_view wanted, const Value& got) {
  fail(FindingCode::field_type, path, {path, " must be ", wanted, ", got ", shown(got)});
}

double finite_number(const Value& value, const std::string& path, double low, double high) {
  const auto* whole = value.get_if<std::int64_t>();
  const auto* real = value.get_if<double>();
  if (whole == nullptr && real == nullptr) wrong_type(path, "a number", value);
  const double number = whole != nullptr ? static_cast<double>(*whole) : *real;
  if (!std::isfinite(number)) {
    fail(FindingCode::json_nonfinite, path, {path, " must be finite, got ", number});
  }
  if (number < low || number > high) {
    fail(FindingCode::field_range, path, {path, " must be ", low, " to ", high, ", got ", number});
  }
  return number;
}

std::int64_t whole_number(const Value& value, const std::string& path, std::int64_t low,
                          std::int64_t high) {
  const auto* whole = value.get_if<std::int64_t>();
  const auto* real = value.get_if<double>();
  const bool is_whole = real != nullptr && *real == std::floor(*real) && std::abs(*real) < 0x1p62;
  if (whole == nullptr && !is_whole) {
    if (real != nullptr) {
      finite_number(value, path, static_cast<double>(low), static_cast<double>(high));
    }
    wrong_type(path, "a whole number", value);
  }
  const std::int64_t number = whole != nullptr ? *whole : static_cast<std::int64_t>(*real);
  if (number < low || number > high) {
    fail(FindingCode::field_range, path, {path, " must be ", low, " to ", high, ", got ", number});
  }
  return number;
}

/// Reads each item of an array by `read(item, path)`.
template <class T, class Read>
std::optional<Field<std::vector<T>>> items(const Section& section, std::string_view spellings,
                                           Read read) {
  std::string_view name;
  const Value::Array* array = section.array(spellings, &name);
  if (array == nullptr) return std::nullopt;
  const std::string path = section.path(name);
  std::vector<T> values;
  values.reserve(array->size());
  for (const Value& item : *array) {
    values.push_back(read(item, indexed(path, values.size())));
  }
  return Field<std::vector<T>>{std::move(values), from_config(path), path};
}

std::string first_of(std::string_view spellings) {
  return std::string(spellings.substr(0, spellings.find('|')));
}

}  // namespace

std::string shown(const Value& value) {
  constexpr std::size_t kLongest = 40;
  std::string json;
  if (value.get_if<Value::Array>() != nullptr || value.get_if<Value::Object>() != nullptr) {
    json = value.kind();
  } else if (const auto* word = value.get_if<std::string>(); word != nullptr) {
    Value(word->substr(0, kLongest)).append_json(json);
    if (word->size() > kLongest) json += "...";
  } else {
    value.append_json(json);
  }
  return json;
}

Section::Section(std::vector<Finding>& warnings, std::string path)
    : Section(warnings, kEmpty, std::move(path)) {}

Section::Section(std::vector<Finding>& warnings, const Value& object, std::string path)
    : warnings_(&warnings), object_(&object), path_(std::move(path)) {}

std::string Section::path(std::string_view name) const {
  return path_.empty() ? std::string(name) : join({path_, ".", name});
}

const Value* Section::find(std::string_view spellings, std::string_view* name) const {
  while (!spellings.empty()) {
    const std::size_t end = spellings.find('|');
    const std::string_view spelling = spellings.substr(0, end);
    const Value* value = object_->find(spelling);
    if (value != nullptr && !value->is_null()) {
      if (name != nullptr) *name = spelling;
      return value;
    }
    spellings = end == std::string_view::npos ? "" : spellings.substr(end + 1);
  }
  return nullptr;
}

bool Section::is_null(std::string_view name) const {
  const Value* value = object_->find(name);
  return value != nullptr && value->is_null();
}

std::optional<Field<std::int64_t>> Section::whole(std::string_view spellings, std::int64_t low,
                                                  std::int64_t high) const {
  std::string_view name;
  const Value* value = find(spellings, &name);
  if (value == nullptr) return std::nullopt;
  return Field<std::int64_t>{whole_number(*value, path(name), low, high), from_config(path(name)),
                             path(name)};
}

Field<std::int64_t> Section::whole(std::string_view spellings, std::int64_t fallback,
                                   std::int64_t low, std::int64_t high) const {
  return whole(spellings, low, high)
      .value_or(Field<std::int64_t>{fallback, class_default(), path(first_of(spellings))});
}

std::optional<Field<double>> Section::number(std::string_view spellings, double low,
                                             double high) const {
  std::string_view name;
  const Value* value = find(spellings, &name);
  if (value == nullptr) return std::nullopt;
  return Field<double>{finite_number(*value, path(name), low, high), from_config(path(name)),
                       path(name)};
}

Field<double> Section::number(std::string_view spellings, double fallback, double low,
                              double high) const {
  return number(spellings, low, high)
      .value_or(Field<double>{fallback, class_default(), path(first_of(spellings))});
}

Field<bool> Section::flag(std::string_view spellings, bool fallback) const {
  std::string_view name;
  const Value* value = find(spellings, &name);
  if (value == nullptr) return {fallback, class_default(), path(first_of(spellings))};
  const bool* flag = value->get_if<bool>();
  if (flag == nullptr) wrong_type(path(name), "true or false", *value);
  return {*flag, from_config(path(name)), path(name)};
}

std::optional<Field<std::string>> Section::word(std::string_view spellings) const {
  std::string_view name;
  const Value* value = find(spellings, &name);
  if (value == nullptr) return std::nullopt;
  const auto* word = value->get_if<std::string>();
  if (word == nullptr) wrong_type(path(name), "a string", *value);
  return Field<std::string>{*word, from_config(path(name)), path(name)};
}

const Value::Array* Section::array(std::string_view spellings, std::string_view* name) const {
  std::string_view found;
  const Value* value = find(spellings, &found);
  if (value == nullptr) return nullptr;
  const auto* array = value->get_if<Value::Array>();
  if (array == nullptr) wrong_type(path(found), "an array", *value);
  if (name != nullptr) *name = found;
  return array;
}

std::optional<Section> Section::section(std::string_view spellings) const {
  std::string_view name;
  const Value* value = find(spellings, &name);
  if (value == nullptr) return std::nullopt;
  if (value->get_if<Value::Object>() == nullptr) wrong_type(path(name), "an object", *value);
  return Section(*warnings_, *value, path(name));
}

std::optional<Field<std::vector<double>>> Section::numbers(std::string_view spellings, double low,
                                                           double high) const {
  return items<double>(*this, spellings, [=](const Value& item, const std::string& at) {
    return finite_number(item, at, low, high);
  });
}

std::optional<Field<std::vector<std::int64_t>>> Section::wholes(std::string_view spellings,
                                                                std::int64_t low,
                                                                std::int64_t high) const {
  return items<std::int64_t>(*this, spellings, [=](const Value& item, const std::string& at) {
    return whole_number(item, at, low, high);
  });
}

Field<std::int64_t> Section::shape(std::string_view spellings, std::int64_t fallback) const {
  const auto given = whole(spellings, 1, kMaxDims);
  if (given.has_value()) return *given;
  const std::string name = first_of(spellings);
  if (fallback == 0) fail(FindingCode::field_missing, name, {path(name), " is missing"});
  warn(FindingCode::default_used, name,
       {path(name), " is missing; its class default is ", fallback});
  return {fallback, class_default(), path(name)};
}

void Section::warn(FindingCode code, std::string_view name, Pieces pieces) const {
  // A field that several encodings read is worth one warning.
  std::string message = join(pieces);
  const bool is_told = std::ranges::any_of(*warnings_, [&](const Finding& finding) {
    return finding.code == code && finding.message == message;
  });
  if (!is_told) warnings_->push_back({code, path(name), std::move(message)});
}

void Section::fail(FindingCode code, std::string_view name, Pieces message) const {
  detail::fail(code, path(name), message);
}

void Section::ignore(std::string_view name, std::string_view why) const {
  if (!has(name)) return;
  warn(FindingCode::field_ignored, name, {path(name), " has no effect: ", why});
}

const Value::Object& Section::members() const noexcept { return *object_->get_if<Value::Object>(); }

}  // namespace posenc::detail
