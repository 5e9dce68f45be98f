#include "posenc/model/section.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "posenc/core/check.hpp"

namespace posenc::detail {
namespace {

const Value kEmpty{Value::Object{}};

[[noreturn]] void wrong_type(const char* path, const char* wanted, const Value& got) {
  fail(FindingCode::field_type, path, {path, " must be ", wanted, ", got ", shown(got)});
}

double finite_number(const Value& value, const char* path, double low, double high) {
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

std::int64_t whole_number(const Value& value, const char* path, std::int64_t low,
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
std::optional<Field<std::vector<T>>> items(const Section& section, const char* spellings,
                                           Read read) {
  std::string_view name;
  const Value::Array* array = section.array(spellings, &name);
  if (array == nullptr) return std::nullopt;
  const char* path = section.path(name);
  std::vector<T> values;
  values.reserve(array->size());
  for (const Value& item : *array) {
    values.push_back(read(item, indexed(path, values.size()).c_str()));
  }
  return Field<std::vector<T>>{std::move(values), {Source::Kind::config, path}, path};
}

std::string_view first_of(std::string_view spellings) {
  return spellings.substr(0, spellings.find('|'));
}

}  // namespace

std::string shown(const Value& value) {
  constexpr std::size_t kLongest = 40;
  std::string json;
  if (value.get_if<Value::Array>() != nullptr || value.get_if<Value::Object>() != nullptr) {
    json = value.kind();
  } else if (const auto* word = value.get_if<std::string>(); word != nullptr) {
    Value(std::string(detail::cut(*word, kLongest))).append_json(json);
    if (word->size() > kLongest) json += "...";
  } else {
    value.append_json(json);
  }
  return json;
}

void Notes::warn(FindingCode code, const char* path, Pieces message) {
  // A field that several encodings read is worth one warning.
  std::string text = join(message);
  const bool is_told = std::ranges::any_of(*warnings_, [&](const Finding& finding) {
    return finding.code == code && finding.message == text;
  });
  if (!is_told) warnings_->push_back({code, path, std::move(text)});
}

const char* Notes::keep(Pieces text) {
  texts_.push_front(join(text));
  return texts_.front().c_str();
}

const char* Section::path(std::string_view name) const {
  return keep({path_, *path_ != '\0' ? "." : "", name});
}

const char* Section::path(const char* name) const { return path(std::string_view(name)); }

template <class T>
Field<T> Section::given(T value, std::string_view name) const {
  const char* at = path(name);
  return {std::move(value), {Source::Kind::config, at}, at};
}

template <class T>
Field<T> Section::fallen_back(T value, const char* spellings) const {
  return {std::move(value), kClassDefault, path(first_of(spellings))};
}

const Value* Section::find(const char* spellings, std::string_view* name) const {
  std::string_view rest = spellings;
  while (!rest.empty()) {
    const std::string_view spelling = first_of(rest);
    const Value* value = object_->find(spelling);
    if (value != nullptr && !value->is_null()) {
      if (name != nullptr) *name = spelling;
      return value;
    }
    rest.remove_prefix(std::min(spelling.size() + 1, rest.size()));
  }
  return nullptr;
}

bool Section::is_null(const char* name) const {
  const Value* value = object_->find(name);
  return value != nullptr && value->is_null();
}

std::optional<Field<std::int64_t>> Section::whole(const char* spellings, std::int64_t low,
                                                  std::int64_t high) const {
  std::string_view name;
  const Value* value = find(spellings, &name);
  if (value == nullptr) return std::nullopt;
  return given(whole_number(*value, path(name), low, high), name);
}

Field<std::int64_t> Section::whole(const char* spellings, std::int64_t fallback, std::int64_t low,
                                   std::int64_t high) const {
  const auto found = whole(spellings, low, high);
  return found.has_value() ? *found : fallen_back(fallback, spellings);
}

std::optional<Field<double>> Section::number(const char* spellings, double low, double high) const {
  std::string_view name;
  const Value* value = find(spellings, &name);
  if (value == nullptr) return std::nullopt;
  return given(finite_number(*value, path(name), low, high), name);
}

Field<double> Section::number(const char* spellings, double fallback, double low,
                              double high) const {
  const auto found = number(spellings, low, high);
  return found.has_value() ? *found : fallen_back(fallback, spellings);
}

Field<bool> Section::flag(const char* spellings, bool fallback) const {
  std::string_view name;
  const Value* value = find(spellings, &name);
  if (value == nullptr) return fallen_back(fallback, spellings);
  const bool* flag = value->get_if<bool>();
  if (flag == nullptr) wrong_type(path(name), "true or false", *value);
  return given(*flag, name);
}

std::optional<Field<std::string_view>> Section::word(const char* spellings) const {
  std::string_view name;
  const Value* value = find(spellings, &name);
  if (value == nullptr) return std::nullopt;
  const auto* word = value->get_if<std::string>();
  if (word == nullptr) wrong_type(path(name), "a string", *value);
  return given(std::string_view(*word), name);
}

const Value::Array* Section::array(const char* spellings, std::string_view* name) const {
  std::string_view found;
  const Value* value = find(spellings, &found);
  if (value == nullptr) return nullptr;
  const auto* array = value->get_if<Value::Array>();
  if (array == nullptr) wrong_type(path(found), "an array", *value);
  if (name != nullptr) *name = found;
  return array;
}

std::optional<Section> Section::section(const char* spellings) const {
  std::string_view name;
  const Value* value = find(spellings, &name);
  if (value == nullptr) return std::nullopt;
  if (value->get_if<Value::Object>() == nullptr) wrong_type(path(name), "an object", *value);
  return Section(*notes_, *value, path(name));
}

Section Section::section_or_empty(const char* name) const {
  return section(name).value_or(as_if(name, kEmpty));
}

std::optional<Field<std::vector<double>>> Section::numbers(const char* spellings, double low,
                                                           double high) const {
  return items<double>(*this, spellings, [=](const Value& item, const char* at) {
    return finite_number(item, at, low, high);
  });
}

std::optional<Field<std::vector<std::int64_t>>> Section::wholes(const char* spellings,
                                                                std::int64_t low,
                                                                std::int64_t high) const {
  return items<std::int64_t>(*this, spellings, [=](const Value& item, const char* at) {
    return whole_number(item, at, low, high);
  });
}

Field<std::int64_t> Section::shape(const char* spellings, std::int64_t fallback) const {
  if (const auto found = whole(spellings, 1, kMaxDims)) return *found;
  const auto usual = fallen_back(fallback, spellings);
  if (fallback == 0)
    detail::fail(FindingCode::field_missing, usual.path, {usual.path, " is missing"});
  warn_at(FindingCode::default_used, usual.path,
          {usual.path, " is missing; its class default is ", fallback});
  return usual;
}

void Section::warn(FindingCode code, const char* name, Pieces message) const {
  warn_at(code, path(name), message);
}

void Section::warn_at(FindingCode code, const char* path, Pieces message) const {
  notes_->warn(code, path, message);
}

void Section::fail(FindingCode code, const char* name, Pieces message) const {
  detail::fail(code, path(name), message);
}

void Section::ignore(const char* name, const char* why) const {
  if (!has(name)) return;
  warn(FindingCode::field_ignored, name, {path(name), " has no effect: ", why});
}

const Value::Object& Section::members() const noexcept { return *object_->get_if<Value::Object>(); }

}  // namespace posenc::detail
