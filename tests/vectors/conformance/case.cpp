#include "conformance/case.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cli/number.hpp"

namespace posenc::conformance {
namespace {

/// More values than any case has; a larger shape is a mistake.
constexpr std::size_t kMaxValues = std::size_t{1} << 26;

/// The largest whole number that JavaScript is sure of, and the largest size.
constexpr double kMaxWhole = 9007199254740991.0;
constexpr std::int64_t kMaxSize = 2147483647;

const Json kNothing = Json::object();

const Json& object_of(const Json& json, const char* key) {
  if (!json.contains(key)) return kNothing;
  if (!json[key].is_object()) malformed(std::string("\"") + key + "\" must be an object");
  return json[key];
}

std::string quoted(const std::string& text) { return Json(text).dump(); }

std::string parameter_name(const std::string& name) { return "parameter " + quoted(name); }
std::string input_name(const std::string& name) { return "input " + quoted(name); }

/// A value of a tensor: a number, or the word for one that JSON cannot write.
double value_of(const Json& value, const std::string& what) {
  if (value.is_number()) return value.get<double>();
  if (value == "inf") return std::numeric_limits<double>::infinity();
  if (value == "-inf") return -std::numeric_limits<double>::infinity();
  if (value == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (value == "-0") return -0.0;
  malformed(what + " must hold numbers, got " + shown(value));
}

std::size_t count_of(const Shape& shape) {
  std::size_t count = 1;
  for (const std::size_t dimension : shape) {
    if (dimension != 0 && count > kMaxValues / dimension) {
      malformed("a shape has more than " + std::to_string(kMaxValues) + " values");
    }
    count *= dimension;
  }
  return count;
}

const Json& array_of(const Json& tensor, const char* key, const std::string& what) {
  if (!tensor.is_object() || !tensor.contains(key) || !tensor[key].is_array()) {
    malformed(what + " must be a tensor: {\"shape\": [...], \"data\": [...]}");
  }
  return tensor[key];
}

Shape shape_of(const Json& tensor, const std::string& what) {
  Shape shape;
  for (const Json& dimension : array_of(tensor, "shape", what)) {
    shape.push_back(size_of(dimension, what + ": shape"));
  }
  const std::size_t length = array_of(tensor, "data", what).size();
  if (count_of(shape) != length) {
    malformed(what + " has " + std::to_string(length) + " values, its shape " +
              std::to_string(count_of(shape)));
  }
  return shape;
}

void refuse_unseen(const Json& object, const std::set<std::string>& seen, const std::string& kind,
                   const std::string& family) {
  for (const auto& [name, value] : object.items()) {
    if (seen.contains(name)) continue;
    unsupported(kind + " " + quoted(name) + " is not supported for family " + quoted(family));
  }
}

}  // namespace

void malformed(const std::string& message) { throw CaseError{"MALFORMED", message}; }
void unsupported(const std::string& message) { throw CaseError{"UNSUPPORTED", message}; }

std::string shape_text(const Shape& shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    text.append(i > 0 ? "," : "").append(std::to_string(shape[i]));
  }
  return text + "]";
}

std::string shown(const Json& value) {
  if (value.is_array()) return "an array";
  if (value.is_object()) return "an object";
  if (!value.is_number()) return value.dump();
  std::string text;
  cli::append_number(text, value.get<double>());
  return text;
}

double number_of(const Json& value, const std::string& what) {
  if (!value.is_number()) malformed(what + " must be a number, got " + shown(value));
  return value.get<double>();
}

std::int64_t whole_of(const Json& value, const std::string& what) {
  const double number = number_of(value, what);
  if (number != std::trunc(number) || std::fabs(number) > kMaxWhole) {
    malformed(what + " must be a whole number, got " + shown(value));
  }
  return static_cast<std::int64_t>(number);
}

std::size_t size_of(const Json& value, const std::string& what) {
  const std::int64_t size = whole_of(value, what);
  if (size < 0 || size > kMaxSize) {
    malformed(what + " must be from 0 to 2147483647, got " + shown(value));
  }
  return static_cast<std::size_t>(size);
}

Case::Case(const Json& json)
    : params_(&object_of(json, "params")),
      inputs_(&object_of(json, "inputs")),
      wanted_(&object_of(json, "outputs")) {
  if (!json.contains("family") || !json["family"].is_string()) {
    malformed("\"family\" must be a string");
  }
  family_ = json["family"].get<std::string>();
}

bool Case::has(const std::string& name) const { return params_->contains(name); }
bool Case::has_input(const std::string& name) const { return inputs_->contains(name); }

const Json& Case::parameter(const std::string& name) {
  if (!has(name)) malformed(parameter_name(name) + " is missing");
  seen_params_.insert(name);
  return (*params_)[name];
}

const Json& Case::parameter_list(const std::string& name) {
  const Json& value = parameter(name);
  if (!value.is_array()) {
    malformed(parameter_name(name) + " must be an array, got " + shown(value));
  }
  return value;
}

const Json& Case::any(const std::string& name) { return parameter(name); }

std::int64_t Case::whole(const std::string& name) {
  return whole_of(parameter(name), parameter_name(name));
}

std::size_t Case::size(const std::string& name) {
  return size_of(parameter(name), parameter_name(name));
}

double Case::number(const std::string& name) {
  return number_of(parameter(name), parameter_name(name));
}

bool Case::flag(const std::string& name) {
  const Json& value = parameter(name);
  if (!value.is_boolean()) {
    malformed(parameter_name(name) + " must be true or false, got " + shown(value));
  }
  return value.get<bool>();
}

std::int64_t Case::whole_or(const std::string& name, std::int64_t fallback) {
  return has(name) ? whole(name) : fallback;
}

void Case::one_of(const std::string& name, std::initializer_list<Json> values) {
  if (!has(name)) return;
  const Json& value = parameter(name);
  if (std::find(values.begin(), values.end(), value) != values.end()) return;
  unsupported(parameter_name(name) + " has the unsupported value " + shown(value));
}

void Case::describes(std::initializer_list<std::string> names) {
  seen_params_.insert(names);
  seen_inputs_.insert(names);
}

const Json& Case::input_json(const std::string& name) {
  if (!has_input(name)) malformed(input_name(name) + " is missing");
  seen_inputs_.insert(name);
  return (*inputs_)[name];
}

Tensor Case::input(const std::string& name) {
  const Json& json = input_json(name);
  Tensor tensor{.shape = shape_of(json, input_name(name)), .values = {}};
  tensor.values.reserve(json["data"].size());
  for (const Json& value : json["data"]) {
    tensor.values.push_back(static_cast<float>(value_of(value, input_name(name))));
  }
  return tensor;
}

Tensor Case::input(const std::string& name, const Shape& shape) {
  Tensor tensor = input(name);
  if (tensor.shape != shape) {
    malformed(input_name(name) + " must have the shape " + shape_text(shape) + ", has " +
              shape_text(tensor.shape));
  }
  return tensor;
}

std::vector<std::int64_t> Case::whole_input(const std::string& name) {
  const Json& json = input_json(name);
  shape_of(json, input_name(name));
  std::vector<std::int64_t> values;
  for (const Json& value : json["data"]) values.push_back(whole_of(value, input_name(name)));
  return values;
}

std::vector<double> Case::numbers_input(const std::string& name) {
  const Json& json = input_json(name);
  shape_of(json, input_name(name));
  std::vector<double> values;
  for (const Json& value : json["data"]) values.push_back(number_of(value, input_name(name)));
  return values;
}

std::vector<double> Case::numbers(const std::string& name) {
  std::vector<double> values;
  for (const Json& value : parameter_list(name))
    values.push_back(number_of(value, parameter_name(name)));
  return values;
}

std::vector<std::int64_t> Case::wholes(const std::string& name) {
  std::vector<std::int64_t> values;
  for (const Json& value : parameter_list(name))
    values.push_back(whole_of(value, parameter_name(name)));
  return values;
}

std::vector<double> Case::positions(std::int64_t first) {
  std::vector<double> positions;
  if (has("positions") && !any("positions").is_array()) {
    const std::size_t count = size("positions");
    count_of({count});
    for (std::size_t i = 0; i < count; ++i) {
      positions.push_back(static_cast<double>(first + static_cast<std::int64_t>(i)));
    }
    return positions;
  }
  const bool in_inputs = has_input("positions");
  // The same list often stands among the params too.
  if (in_inputs) {
    seen_params_.insert("positions");
    shape_of(input_json("positions"), input_name("positions"));
  }
  const Json& list = in_inputs ? input_json("positions")["data"] : any("positions");
  for (const Json& value : list) {
    positions.push_back(number_of(value, in_inputs ? input_name("positions") : "a position"));
  }
  return positions;
}

std::vector<float> Case::room(const Shape& shape) const {
  return std::vector<float>(count_of(shape));
}

void Case::finish() const {
  refuse_unseen(*params_, seen_params_, "parameter", family_);
  refuse_unseen(*inputs_, seen_inputs_, "input", family_);
  refuse_unseen(*wanted_, written_, "output", family_);
}

}  // namespace posenc::conformance
