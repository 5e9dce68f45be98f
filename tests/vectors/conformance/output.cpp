// The results of a case, written as JSON.

#include <cmath>

#include "cli/number.hpp"
#include "conformance/case.hpp"

namespace posenc::conformance {

std::string& Case::begin_output(const std::string& name) {
  written_.insert(name);
  outputs_.append(outputs_.empty() ? "" : ",").append(Json(name).dump()).append(":");
  return outputs_;
}

namespace {

template <class Value>
void append_json(std::string& text, Value value) {
  const bool word = !std::isfinite(value) || (value == 0 && std::signbit(value));
  if (word) text += '"';
  // A float is printed as the double that holds it.
  cli::append_number(text, static_cast<double>(value));
  if (word) text += '"';
}

}  // namespace

template <class Value>
void Case::tensor_output(const std::string& name, const Shape& shape,
                         std::span<const Value> values) {
  std::string& text = begin_output(name);
  text.append("{\"shape\":").append(shape_text(shape)).append(",\"data\":[");
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) text += ',';
    append_json(text, values[i]);
  }
  text += "]}";
}

void Case::output(const std::string& name, double value) { append_json(begin_output(name), value); }

void Case::output(const std::string& name, const Shape& shape, std::span<const float> values) {
  tensor_output(name, shape, values);
}

void Case::output(const std::string& name, const Shape& shape, std::span<const double> values) {
  tensor_output(name, shape, values);
}

}  // namespace posenc::conformance
